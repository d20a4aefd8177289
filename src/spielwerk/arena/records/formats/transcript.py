"""Transcripts of Othello: a game a line, the squares one after the other (`f5d6c3d3c4…`), passes left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from spielwerk.arena.records import formats
from spielwerk.arena.records.record import Line, Record
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

GAME = "othello"
SQUARES = re.compile(r"(?:\s*[a-h][1-8]|\s*(?:pass|pa|ps|--))+\s*", re.I)
SQUARE = re.compile(r"[a-h][1-8]", re.I)
PASS = "pass"


def recognised(line: str) -> bool:
    """Squares, and nothing else."""
    return SQUARES.fullmatch(line) is not None


def read(lines: Iterable[str]) -> Iterator[tuple[int, Record]]:
    """A game for each line."""
    for number, line in ((number, line.strip()) for number, line in enumerate(lines, 1)):
        if not line:
            continue
        try:
            yield number, _record(line)
        except BadInput as problem:
            raise BadInput(f"Line {number}: {problem}") from None


def write(records: Iterable[Record]) -> Iterator[str]:
    """A line for each game."""
    for record in records:
        if game_of(record.game).kind != GAME or record.start is not None:
            raise BadInput("A transcript is a game of Othello from its starting position.")
        yield "".join(line.move for line in record.turns if line.move != PASS) + "\n"


def _record(text: str) -> Record:
    if not recognised(text):
        raise BadInput(f'"{text[:40]}" is not a transcript; write the squares, such as "f5d6c3".')
    game = game_of(GAME)
    position, turns = game.start(), []
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
    return formats.completed(game, game.player_names, turns, {})
