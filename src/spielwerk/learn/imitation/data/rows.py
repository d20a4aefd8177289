"""From positions and moves to the rows of a shard, and back; what is no position or no legal move is a bad line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.move_parts.listing import legal_moves
from spielwerk.games.position import Position, Turn
from spielwerk.learn.imitation.data.bad_lines import BadLines, quoted
from spielwerk.learn.imitation.data.observed import PIECE, Best, Observed
from spielwerk.learn.imitation.data.shards import Row, read_shard
from spielwerk.names import BadInput

MOST_ACTION = 2**31


def rows_of(given: Observed) -> list[Row]:
    """What a shard holds of some positions."""
    rows: list[Row] = []
    for i, state in enumerate(given.states):
        position = Position(given.game, state)
        row: Row = {"position": str(position)}
        if given.played is not None:
            actions = [action for action in given.played[i].tolist() if action >= 0]
            row |= {"move": _text(position, actions), "actions": actions}
        if given.best is not None:
            best = given.best.played[given.best.offsets[i] : given.best.offsets[i + 1]].tolist()
            row["best"] = [[action for action in one if action >= 0] for one in best]
        rows.append(row)
    return rows


def _text(position: Position, actions: Sequence[int]) -> str:
    """The move as players write it."""
    steps, here = [], position
    for action in actions:
        steps.append((here, action))
        here = here.after(action)
    return Turn(tuple(steps), here).text


def read_rows(path: Path, game: Game, moves: bool) -> tuple[Observed, BadLines]:
    """What a shard holds, checked by the rules; and what could not be read of it."""
    bad, numbers, states = BadLines(path), list[int](), list[tuple[int, ...]]()
    actions, best = list[list[int]](), list[list[list[int]]]()
    for number, row in read_shard(path):
        found = _understood(game, row, moves)
        if isinstance(found, str):
            bad.add(number, found)
            continue
        numbers.append(number)
        states.append(found[0])
        actions.append(found[1])
        best.append(found[2])
    words = np.array(states, np.int64).reshape(-1, game.constants["WORDS"])
    return _checked(game, words, actions, best, numbers, bad, moves)


def _understood(game: Game, row: Any, moves: bool) -> tuple[tuple[int, ...], list[int], list[list[int]]] | str:
    """The words, the actions and the best moves; a sentence where a row has none of them."""
    if not isinstance(row, dict) or not isinstance(row.get("position"), str):
        return "there is no position."
    try:
        position = game.parse(row["position"])
    except BadInput:
        return f'"{quoted(row["position"])}" is no position of {game.name}.'
    if position.mover < 0:
        return "nobody is to move there."
    if not moves:
        return position.words, [], []
    actions: Any = row.get("actions")
    best: Any = row.get("best") or []
    if not _is_move(game, actions) or not isinstance(best, list) or not all(_is_move(game, one) for one in best):
        return "there is no move."
    return position.words, list(actions), [list(one) for one in best]


def _is_move(game: Game, given: Any) -> bool:
    """Whether it could be a move."""
    if not isinstance(given, list) or not 1 <= len(given) <= game.move_parts.actions:
        return False
    return all(type(action) is int and 0 <= action < MOST_ACTION for action in given)


def _checked(
    game: Game,
    states: np.ndarray,
    actions: list[list[int]],
    best: list[list[list[int]]],
    numbers: list[int],
    bad: BadLines,
    moves: bool,
) -> tuple[Observed, BadLines]:
    """Those whose moves are legal."""
    good = np.ones(len(states), bool)
    played, found = None, None
    if moves:
        played = _filled(game, actions)
        counts = np.array([len(one) for one in best], np.int64)
        found = Best(_filled(game, [move for one in best for move in one]), np.concatenate([[0], np.cumsum(counts)]))
        good = legal(game, states, played, np.arange(len(states)))
        good[found.owners[~legal(game, states, found.played, found.owners)]] = False
        for i in np.flatnonzero(~good):
            bad.add(numbers[int(i)], "the move is not legal.")
    bad.found.sort()
    bad.good = int(good.sum())
    bad.check()
    kept = found if found is not None and len(found.played) else None
    return Observed(game, states, played, kept).rows(np.flatnonzero(good)), bad


def _filled(game: Game, moves: list[list[int]]) -> np.ndarray:
    """Moves as an array, -1 behind the last action of each."""
    most = game.move_parts.actions
    return np.array([one + [-1] * (most - len(one)) for one in moves], np.int32).reshape(-1, most)


def legal(game: Game, states: np.ndarray, played: np.ndarray, owners: np.ndarray) -> np.ndarray:
    """Whether each move, of the position that owns it, is one of its legal ones; owners ascend."""
    good = np.zeros(len(played), bool)
    for first in range(0, len(states), PIECE):
        listed = legal_moves(Batch(game, states[first : first + PIECE]))
        here = np.flatnonzero((owners >= first) & (owners < first + PIECE))
        good[here] = np.isin(_codes(owners[here] - first, played[here]), _codes(listed.owners, listed.played))
    return good


def _codes(owners: np.ndarray, played: np.ndarray) -> np.ndarray:
    """A number for each position and move; those of two never meet, since actions have at most sixteen bits."""
    found = owners.astype(np.int64)
    for step in range(played.shape[1]):
        found = (found << 20) + played[:, step] + 1
    return found
