"""Judged positions of backgammon: the equities of every play."""

from __future__ import annotations

from typing import Any

from spielwerk.data import is_number
from spielwerk.games.face.backgammon import checkers
from spielwerk.games.game import Game
from spielwerk.games.judged import Judged, Worth
from spielwerk.names import BadInput

MOST = 1000.0  # an equity, whatever it counts


def read(game: Game, record: dict[str, Any]) -> Judged:
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
    return position, {turn.end.words: Worth(judged[sides], judged[sides]) for sides, turn in ends.items()}


def _sides(board: Any) -> tuple[tuple[int, ...], ...]:
    """Both sides' checkers."""
    sizes = [len(side) if isinstance(side, list) else 0 for side in board] if isinstance(board, list) else []
    if sizes != [25, 25] or any(type(number) is not int or not 0 <= number <= 15 for side in board for number in side):
        raise BadInput("a board has two sides, each with 25 numbers of checkers.")
    return tuple(map(tuple, board))


def _equity(after: Any) -> tuple[tuple[tuple[int, ...], ...], float]:
    """A board after a turn and what it is worth."""
    if not isinstance(after, list) or len(after) < 2 or not is_number(after[1], -MOST, MOST):
        raise BadInput("what follows a turn is judged by a board and its equity.")
    return _sides(after[0]), float(after[1])


def _letter(number: int) -> str:
    return chr(64 + number) if number > 0 else chr(96 - number) if number < 0 else "."
