"""A turn of backgammon by hand: checker by checker, each by one die, as long as a legal turn can still come of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from spielwerk.games.backgammon import BAR, FIRST
from spielwerk.games.boards.backgammon import origins
from spielwerk.games.face.backgammon import checkers, words_with
from spielwerk.games.position import Position
from spielwerk.games.scenes import Hop, PartialTurn

if TYPE_CHECKING:
    from spielwerk.games.position import Turn

Checkers = tuple[int, ...]  # on the own points 1 to 24, then on the bar


class Board(NamedTuple):
    """The mover's checkers and the opponent's, each as their owner counts, and the dice that are left."""

    own: Checkers
    other: Checkers
    dice: tuple[int, ...]  # descending


class Step(NamedTuple):
    """One checker moved by one die; a target of -1 is off."""

    origin: int
    target: int
    die: int


def place_of(player: int, place: int) -> str:
    """The name of a place that the player counts as `place`: 0 to 23, 24 the bar, -1 off."""
    if place == BAR:
        return f"bar{player}"
    return f"off{player}" if place < 0 else str(place + 1 if player == 0 else 24 - place)


def hops(turn: Turn) -> tuple[Hop, ...]:
    """One way to show the whole turn."""
    position = turn.steps[0][0]
    end = _sides(turn.end, position.mover)
    board, can, done = _board(position), _finder({end}), []
    while (board.own, board.other) != end:
        step, board = next(pair for pair in _steps(board) if can(pair[1]))
        done.append(_hop(position.mover, step))
    return tuple(done)


def partial_turn(position: Position, hops: tuple[Hop, ...]) -> PartialTurn | None:
    """How far the hops have come; None where one of them cannot lead to a legal turn."""
    turns = position.turns()
    ends = {_sides(turn.end, position.mover): turn for turn in reversed(turns)}
    board, can, spent = _board(position), _finder(set(ends)), []
    if len(turns) == 1 and turns[0].text == "pass":
        return None if hops else PartialTurn(hops, (), turns[0], position)
    for hop in hops:
        found = [pair for pair in _steps(board) if _hop(position.mover, pair[0]) == hop and can(pair[1])]
        if not found:
            return None
        step, board = found[0]
        spent.append(step.die)
    following = dict.fromkeys(_hop(position.mover, step) for step, after in _steps(board) if can(after))
    shown = _shown(position, board) if hops else position
    return PartialTurn(hops, tuple(following), ends.get((board.own, board.other)), shown, tuple(spent))


def _hop(player: int, step: Step) -> Hop:
    return Hop(place_of(player, step.origin), place_of(player, step.target))


def _sides(position: Position, player: int) -> tuple[Checkers, Checkers]:
    return tuple(checkers(position.words, player)), tuple(checkers(position.words, 1 - player))


def _board(position: Position) -> Board:
    return Board(*_sides(position, position.mover), dice_of(position))


def dice_of(position: Position) -> tuple[int, ...]:
    """The dice of a turn, the larger one first; a double has four, and two in its second half."""
    larger, smaller = position.words[2:4]
    double = (larger,) * (4 if position.words[1] == FIRST else 2)
    return double if larger == smaller else (larger, smaller)


def _steps(board: Board) -> Iterator[tuple[Step, Board]]:
    """Each move of one checker by one die, the larger die first."""
    own = sum(1 << place for place, number in enumerate(board.own) if number)
    free = sum(1 << place for place in range(24) if board.other[23 - place] < 2)
    for die in dict.fromkeys(board.dice):
        movable = origins(own, free, die)
        for origin in range(BAR, -1, -1):
            if movable >> origin & 1:
                step = Step(origin, max(origin - die, -1), die)
                yield step, _after(board, step)


def _after(board: Board, step: Step) -> Board:
    own, other, dice = list(board.own), list(board.other), list(board.dice)
    own[step.origin] -= 1
    dice.remove(step.die)
    if step.target >= 0:
        own[step.target] += 1
        if other[23 - step.target] == 1:
            other[23 - step.target] = 0
            other[BAR] += 1
    return Board(tuple(own), tuple(other), tuple(dice))


def _finder(ends: set[tuple[Checkers, Checkers]]) -> Callable[[Board], bool]:
    """Says of a board whether one of the ends can still be reached."""

    @cache
    def can(board: Board) -> bool:
        return (board.own, board.other) in ends or any(can(after) for _, after in _steps(board))

    return can


def _shown(position: Position, board: Board) -> Position:
    """The position with the checkers as they stand in between."""
    sides = (board.own, board.other) if position.mover == 0 else (board.other, board.own)
    return Position(position.game, np.array(words_with(position.words, *map(list, sides)), np.int64))
