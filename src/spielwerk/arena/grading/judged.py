"""Judged positions: files of JSON lines, a header first, that say exactly what every turn of a position is worth.

A game's format is one small function that its module names in `JUDGED` (see `games/judged`).
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from spielwerk.arena.grading.phases import phase
from spielwerk.data import check_plain, lines_of, parsed
from spielwerk.games import registry
from spielwerk.games.game import Game
from spielwerk.games.judged import FARTHEST, Worth
from spielwerk.games.parts import named
from spielwerk.games.position import Position
from spielwerk.names import BadInput, unknown

__all__ = ["FARTHEST", "Question", "Worth", "questions"]

GZIP = b"\x1f\x8b"
LONGEST = 1 << 20  # letters of a line
MOST_READ = 1 << 32  # letters of a file
MOST_KEPT = 1 << 28  # letters of all lines that are asked


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
    first = next(_numbered(path), None)
    if first is None or "header" not in _object(f"{path}, line {first[0]}", first[1]):
        raise BadInput(f"{path} is not a file of judged positions: its first line must be a header.")
    count = sum(1 for _ in _numbered(path)) - 1
    if not count:
        raise BadInput(f"{path} has no positions.")
    wanted = {i * count // limit for i in range(limit)} if 0 < limit < count else range(count)
    asked = (found for i, found in enumerate(islice(_numbered(path), 1, None)) if i in wanted)
    return [_question(game, f"{path}, line {number}", line) for number, line in _kept(path, asked)]


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


def _kept(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The same lines, as long as they do not fill the memory."""
    left = MOST_KEPT
    for number, line in lines:
        left -= len(line)
        if left < 0:
            raise BadInput(f"{path} holds more than {MOST_KEPT:,} characters; give it fewer positions.")
        yield number, line


def _numbered(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, each with its number; a file may be packed, and is never unpacked as a whole."""
    try:
        with _opened(path) as file:
            left = MOST_READ
            for number, line in enumerate(lines_of(file, LONGEST), 1):
                left -= len(line)
                if left < 0:
                    raise BadInput(f"It holds more than {MOST_READ:,} characters.")
                if line.strip():
                    yield number, line
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None
    except (EOFError, UnicodeDecodeError, ValueError, zlib.error, gzip.BadGzipFile) as problem:
        raise BadInput(f"{path} is damaged: {problem}.") from None
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror or problem}.") from None


def _opened(path: Path) -> TextIO:
    check_plain(path)
    with path.open("rb") as file:
        packed = file.read(len(GZIP)) == GZIP
    return gzip.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8", newline="\n")


def _object(where: str, line: str) -> dict[str, Any]:
    try:
        found = parsed(line)
    except ValueError:
        raise BadInput(f"{where} is not JSON.") from None
    if not isinstance(found, dict):
        raise BadInput(f"{where} is not a JSON object.")
    return found
