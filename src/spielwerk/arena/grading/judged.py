"""Judged positions: files of JSON lines, a header first, that say exactly what every turn of a position is worth.

A game's format is one small function from a line to a `Question`; `FORMATS` lists them.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from spielwerk.arena.grading.phases import backgammon_phase, morris_phase
from spielwerk.games.face.backgammon import checkers
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.names import BadInput, unknown

GZIP = b"\x1f\x8b"
FARTHEST = 1_000_000  # turns, more than any win or loss is away


@dataclass(frozen=True)
class Worth:
    """What a turn is worth: the score that it leads to, and its place among turns; the higher, the better."""

    score: float
    place: float


@dataclass(frozen=True)
class Question:
    """A position in which an agent is to choose, and the truth: each turn's worth, by the words of where it ends."""

    position: Position
    phase: str
    worths: Mapping[tuple[int, ...], Worth]


def questions(game: Game, path: Path, limit: int = 0) -> list[Callable[[], Question]]:
    """The questions of a file, each to be called for; with a limit that many, evenly spread over the file."""
    if game.kind not in FORMATS:
        raise unknown("There are no judged positions of", game.kind, FORMATS, "Games")
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
    def read() -> Question:
        try:
            return FORMATS[game.kind](game, _object(where, line))
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


def _morris(game: Game, record: dict[str, Any]) -> Question:
    """`{"position": …, "moves": {"d6": 0, "a7-d7xb2": 5, …}}`: +n wins in n turns, -n loses in n, 0 is a draw."""
    text, judged = record.get("position"), record.get("moves")
    if not isinstance(text, str) or not isinstance(judged, dict):
        raise BadInput('a judged position needs a "position" and its "moves".')
    if wrong := [move for move, value in judged.items() if type(value) is not int]:
        raise BadInput(f'the value of "{wrong[0]}" must be a whole number.')
    position = game.parse(text)
    ends = {turn.text: turn.end.words for turn in position.turns()}
    for move in ends.keys() - judged.keys():
        raise BadInput(f'the move "{move}" is not judged.')
    for move in judged.keys() - ends.keys():
        raise BadInput(f'"{move}" is judged, but not legal in {position}.')
    if not ends:
        raise BadInput(f"the game is over in {position}.")
    worths = {ends[move]: _class_and_distance(value) for move, value in judged.items()}
    return Question(position, morris_phase(position), worths)


def _class_and_distance(value: int) -> Worth:
    """A win comes the better the sooner, a loss the later."""
    score = (value > 0) - (value < 0)
    return Worth(float(score), float(score * FARTHEST - value))


def _backgammon(game: Game, record: dict[str, Any]) -> Question:
    """`{"board": [other's, mover's], "dice": [2, 6], "afters": [[board, equity, …], …]}`, every end of a turn once.

    A side is its checkers on its own points 1 to 24, then on the bar; an equity is the score that the mover expects.
    """
    dice, afters = record.get("dice"), record.get("afters")
    if not isinstance(dice, list) or not isinstance(afters, list):
        raise BadInput('a judged decision needs a "board", its "dice" and its "afters".')
    other, own = _sides(record.get("board"))
    letters = [-other[24], *(own[point] - other[23 - point] for point in range(24)), own[24]]
    position = game.parse(f"{''.join(map(_letter, letters))} X {''.join(map(str, dice))}")
    judged = dict(_equity(after) for after in afters)
    ends = {tuple(tuple(checkers(turn.end.words, side)) for side in (1, 0)): turn for turn in position.turns()}
    for sides in ends.keys() - judged.keys():
        raise BadInput(f'the move "{ends[sides].text}" is not judged.')
    if len(judged) > len(ends) or len(afters) > len(judged):
        raise BadInput(f"{len(afters)} plays are judged, but {len(ends)} are legal in {position}.")
    worths = {turn.end.words: Worth(judged[sides], judged[sides]) for sides, turn in ends.items()}
    return Question(position, backgammon_phase(position), worths)


def _sides(board: Any) -> tuple[tuple[int, ...], ...]:
    """Both sides' checkers."""
    sizes = [len(side) if isinstance(side, list) else 0 for side in board] if isinstance(board, list) else []
    if sizes != [25, 25] or any(type(number) is not int or not 0 <= number <= 15 for side in board for number in side):
        raise BadInput("a board has two sides, each with 25 numbers of checkers.")
    return tuple(map(tuple, board))


def _equity(after: Any) -> tuple[tuple[tuple[int, ...], ...], float]:
    """A board after a turn and what it is worth."""
    if not isinstance(after, list) or len(after) < 2 or type(after[1]) not in (int, float) or not isfinite(after[1]):
        raise BadInput("what follows a turn is judged by a board and its equity.")
    return _sides(after[0]), float(after[1])


def _letter(number: int) -> str:
    return chr(64 + number) if number > 0 else chr(96 - number) if number < 0 else "."


FORMATS: Mapping[str, Callable[[Game, dict[str, Any]], Question]] = {"backgammon": _backgammon, "morris": _morris}
