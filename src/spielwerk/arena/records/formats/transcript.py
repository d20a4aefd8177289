"""Transcripts of Othello: a game a line, the squares one after the other (`f5d6c3d3c4…`), passes left out.

Moves may be numbered (`1. f5 d6 2. c3 d3`), and a game may take several lines: one that cannot begin a game, or whose
first number is not 1, goes on with the game before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from spielwerk.arena.records import formats
from spielwerk.arena.records.record import Line, Record
from spielwerk.games.position import Position
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

GAME = "othello"
SQUARES = re.compile(r"(?:\s*(?:[a-h][1-8]|pass|pa|ps|--|\d{1,3}[.)]+))+\s*", re.I)
SQUARE = re.compile(r"[a-h][1-8]", re.I)
NUMBER = re.compile(r"(\d+)[.)]")
PASS = "pass"


def recognised(line: str) -> bool:
    """Squares and numbers of moves, and nothing else."""
    return SQUARES.fullmatch(line) is not None and SQUARE.search(line) is not None


def read(lines: Iterable[str]) -> Iterator[tuple[int, Record]]:
    """Each game with the number of its first line."""
    begun: _Draft | None = None
    for number, line in ((number, line.strip()) for number, line in enumerate(lines, 1)):
        if not line:
            continue
        try:
            after = _after(begun, number, line)
        except BadInput as problem:
            raise BadInput(f"Line {number}: {problem}") from None
        if begun and after.line == number:
            yield begun.line, begun.record()
        begun = after
    if begun:
        yield begun.line, begun.record()


def write(records: Iterable[Record]) -> Iterator[str]:
    """A line for each game."""
    for record in records:
        if game_of(record.game).kind != GAME or record.start is not None:
            raise BadInput("A transcript is a game of Othello from its starting position.")
        yield "".join(line.move for line in record.turns if line.move != PASS) + "\n"


class _Draft(NamedTuple):
    """A game, as far as it has been read."""

    line: int
    position: Position
    turns: tuple[Line, ...] = ()

    def played(self, text: str) -> _Draft:
        """The game with the squares of one more line."""
        position, turns = self.position, list(self.turns)
        for square in SQUARE.findall(text):
            if position.moves() == [PASS]:
                turns.append(Line(position.mover, None, PASS))
                position = position.play(PASS)
            try:
                after = position.play(square)
            except BadInput as problem:
                raise BadInput(f"Turn {len(turns) + 1}: {problem}") from None
            turns.append(Line(position.mover, None, square.lower()))
            position = after
        return _Draft(self.line, position, tuple(turns))

    def record(self) -> Record:
        """The whole game."""
        game = self.position.game
        return formats.completed(game, game.player_names, self.turns, {})


def _after(begun: _Draft | None, line: int, text: str) -> _Draft:
    """The game that a line begins, or else the one before with what the line adds."""
    if not recognised(text):
        raise BadInput(f'"{text[:40]}" is not a transcript; write the squares, such as "f5d6c3" or "1. f5 d6 2. c3".')
    numbered = NUMBER.match(text)
    if begun and numbered and int(numbered[1]) > 1:
        return begun.played(text)
    try:
        return _Draft(line, game_of(GAME).start()).played(text)
    except BadInput:
        if begun:
            with suppress(BadInput):
                return begun.played(text)
        raise
