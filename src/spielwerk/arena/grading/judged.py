"""Judged positions: files of JSON lines, a header first, that say exactly what every turn of a position is worth.

A game's format is one small function that its module names in `JUDGED` (see `games/judged`).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spielwerk.arena.grading.phases import phase
from spielwerk.games import registry
from spielwerk.games.game import Game
from spielwerk.games.judged import FARTHEST, Worth
from spielwerk.games.parts import named
from spielwerk.games.position import Position
from spielwerk.names import BadInput, unknown

__all__ = ["FARTHEST", "Question", "Worth", "questions"]

GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Question:
    """A position in which an agent is to choose, and the truth: each turn's worth, by the words of where it ends."""

    position: Position
    phase: str
    worths: Mapping[tuple[int, ...], Worth]


def questions(game: Game, path: Path, limit: int = 0) -> list[Callable[[], Question]]:
    """The questions of a file, each to be called for; with a limit that many, evenly spread over the file."""
    if not game.judged:
        judged = [one.kind for one in registry.usual_games() if one.judged]
        raise unknown("There are no judged positions of", game.kind, judged, "Games")
    lines = [(number, line) for number, line in enumerate(_lines(path), 1) if line.strip()]
    if not lines or "header" not in _object(f"{path}, line 1", lines[0][1]):
        raise BadInput(f"{path} is no file of judged positions: its first line must be a header.")
    asked = lines[1:]
    if not asked:
        raise BadInput(f"{path} has no positions.")
    if 0 < limit < len(asked):
        asked = [asked[i * len(asked) // limit] for i in range(limit)]
    return [_question(game, f"{path}, line {number}", line) for number, line in asked]


def _question(game: Game, where: str, line: str) -> Callable[[], Question]:
    understood = named(game.kind, "format of judged positions", game.judged)

    def read() -> Question:
        try:
            position, worths = understood(game, _object(where, line))
            return Question(position, phase(position, 0.0), worths)
        except BadInput as problem:
            message = str(problem)
        raise BadInput(message if message.startswith(where) else f"{where}: {message}")

    return read


def _lines(path: Path) -> list[str]:
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if content.startswith(GZIP) else content).decode().split("\n")
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror or problem}.") from None
    except (EOFError, UnicodeDecodeError, ValueError) as problem:
        raise BadInput(f"{path} is broken: {problem}.") from None


def _object(where: str, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise BadInput(f"{where} is not JSON.") from None
    if not isinstance(found, dict):
        raise BadInput(f"{where} is not a JSON object.")
    return found
