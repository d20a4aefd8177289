"""`sw.rollout`: a position played out many times, for what its best turns are really worth."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spielwerk.agents.values import estimator
from spielwerk.api.arguments import as_game
from spielwerk.arena.by_estimate import ByEstimate
from spielwerk.arena.rollout_result import Mean, RolledOut, RolloutResult
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.names import BadInput
from spielwerk.search.estimator import Estimator
from spielwerk.search.lookahead import Halted
from spielwerk.search.rollout import Rollout
from spielwerk.search.stop import Stop

MOST_GAMES, MOST_MOVES = 10_000_000, 1000
PIECE = 1296  # games that are played at once


def rollout(
    position: Position | Game | str,
    *,
    value: str | Estimator = "td",
    games: int = 1296,
    turns: int = 0,
    moves: int = 5,
    luck: bool = False,
    seed: int = 1,
    callback: Callable[[int, int], None] = lambda done, total: None,
) -> RolloutResult:
    """Plays a position out `games` times by the best turns of an estimator (`value`, as searches name it).

    A game, or its name, stands for its start. Where a player is to move, the `moves` turns that look best are played
    out, all with the same seed; before a roll, the position itself. Games are cut after `turns` turns (0: never) and
    end with what the estimator says there. With `luck` the luck of the dice stays in. `callback` hears how many games
    of all are done.
    """
    asked = position if isinstance(position, Position) else as_game(position).start()
    _check(asked, games, turns, moves, seed)
    judge = value if isinstance(value, Estimator) else estimator(asked.game, value)
    judge.ready()
    player = asked.roller if asked.chance else asked.mover
    ends = {"": asked} if asked.chance else _best_turns(asked, judge, moves)
    playing, total, rows = Rollout(judge, turns, not luck), games * len(ends), []
    for number, (move, end) in enumerate(ends.items()):
        found = _played(playing, end, games, seed, lambda done, n=number: callback(n * games + done, total))
        rows.append(_row(move, found, judge, player))
    rows.sort(key=lambda row: -row.value.value)
    return RolloutResult(asked.game.name, str(asked), judge.name, games, turns, seed, tuple(rows))


def _check(position: Position, games: int, turns: int, moves: int, seed: int) -> None:
    if position.over:
        raise BadInput("There is nothing to play out: the game is over.")
    for what, number, least, most in (
        ("games", games, 1, MOST_GAMES),
        ("turns", turns, 0, MOST_GAMES),
        ("moves", moves, 1, MOST_MOVES),
        ("seed", seed, 0, 2**31 - 1),
    ):
        if not least <= number <= most:
            raise BadInput(f"The {what} of a rollout must be {least} to {most:,}, not {number}.")


def _best_turns(position: Position, judge: Estimator, most: int) -> dict[str, Position]:
    """The turns that look best, and where they end."""
    ends = {turn.text: turn.end for turn in position.turns()}
    best = ByEstimate(position.game, None, judge).analyse(position).moves[:most]
    return {judged.move: ends[judged.move] for judged in best}


def _played(playing: Rollout, position: Position, games: int, seed: int, callback: Callable[[int], None]) -> np.ndarray:
    """The result of each game: [games, players …]."""
    stop, found = Stop(), []
    every = position.game.batch(np.tile(position.state, (games, 1)), seed=seed)
    for first in range(0, games, PIECE):
        part = every.select(np.arange(first, min(first + PIECE, games)))
        try:
            found.append(playing.results(part, lambda: stop.is_set))
        except Halted:
            raise KeyboardInterrupt from None
        callback(min(first + PIECE, games))
    return np.concatenate(found)


def _row(move: str, found: np.ndarray, judge: Estimator, player: int) -> RolledOut:
    """The means of one row, as the player sees them."""
    game, known, chances = judge.game, judge.chances, {}
    if known:
        teams, first = game.constants["TEAM"], found[:, game.players :]
        own = first if teams[player] == teams[0] else known.turned(first)
        chances = {name: Mean.of(own[:, column]) for column, name in enumerate(known.names)}
    return RolledOut(move, Mean.of(found[:, player]), chances)
