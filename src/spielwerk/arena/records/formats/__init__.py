"""Games as other programs write them, each format named by its game's module (`FORMATS`).

The module of a format offers `recognised(line)`, whether a file that begins so is one of its own; `read(lines)`, its
games with the line in which each begins; and `write(records)`, the text of games, piece by piece.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from spielwerk.arena.playing.boards import forfeited
from spielwerk.arena.records import reader
from spielwerk.arena.records.record import Line, Record
from spielwerk.arena.records.retrace import positions
from spielwerk.games.game import Game
from spielwerk.games.parts import module
from spielwerk.games.registry import usual_games
from spielwerk.names import BadInput, unknown

OWN = "[{"  # what our own records begin with, as text and as JSON


def read(lines: Iterable[str]) -> Iterator[tuple[int, Record]]:
    """Each game of a file with the number of its first line, in our own form or in that of another program."""
    blank, first, lines = 0, "", iter(lines)
    for line in lines:
        first = line.strip()
        if first:
            break
        blank += 1
    form = None if first[:1] in tuple(OWN) else _recognised(first)
    return (form or reader).read(itertools.chain(itertools.repeat("\n", blank), [first] if first else [], lines))


def recognised(line: str) -> bool:
    """Whether a file that begins with this line can be read: it is our own, or that of a program we know."""
    return line[:1] in tuple(OWN) or _recognised(line) is not None


def format_of(game: Game, name: str) -> Any:
    """The module that reads and writes a format of a game."""
    if name not in game.formats:
        raise unknown(f"{game.kind} has no format", name, game.formats, "Formats")
    return module(game.kind, "format", game.formats[name])


def completed(
    game: Game,
    agents: Sequence[str],
    turns: Sequence[Line],
    headers: Mapping[str, str],
    fault: tuple[int, str] | None = None,
) -> Record:
    """The record of a game whose result follows from the rules; one that is not over was given up, or is unfinished."""
    draft = Record(game.name, tuple(agents), tuple(turns), None, headers=headers)
    end = draft.begin()
    for _, after in positions(draft):
        end = after
    fault = None if end.over else fault
    scores = tuple(forfeited(game, fault[0]).tolist()) if fault else end.scores
    return replace(draft, scores=scores, fault=fault)


def _recognised(line: str) -> Any:
    """The format of a file that begins with this line; None if nobody knows it."""
    for game in usual_games():
        try:
            forms = [format_of(game, name) for name in game.formats]
        except BadInput:  # a format of another package is broken; it cannot be meant
            continue
        found = next((form for form in forms if form.recognised(line)), None)
        if found:
            return found
    return None
