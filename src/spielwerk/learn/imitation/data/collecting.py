"""Games of a teacher against itself or others, and what it moved in each position of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.arena.playing.block import MOST
from spielwerk.arena.playing.boards import Boards
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.rules import CHANCE
from spielwerk.kernel.random import streams
from spielwerk.learn.imitation.data.observed import Observed
from spielwerk.names import BadInput

TEACHER, OTHER = 0, 1


def observed_games(
    teacher: Agent, other: Agent | None, starts: np.ndarray, seed: int, first: int, opening: int = 0
) -> Observed:
    """What the teacher moved in games `first`, `first + 1` … of a seed, each from its start, after random turns.

    Without an `other` player it plays all seats; else one seat, by turns. A game that somebody forfeits ends there.
    """
    game, n = teacher.game, len(starts)
    seats = _seats(game, n, first) if other else np.zeros((n, game.players), np.int64)
    dice, rngs, openings = (streams(seed, f"dataset {what}", n, first) for what in ("dice", "moves", "opening"))
    boards = Boards(game, seats, dice, rngs, MOST)
    boards.states[:] = starts
    boards.open_up(opening, openings)
    skipped = boards.lengths.copy()
    _play(boards, [teacher] if other is None else [teacher, other])
    for _, (player, reason) in sorted(boards.faults.items()):
        if seats[0, player] == TEACHER and other is None:
            raise BadInput(f"{teacher.name} has forfeited a game against itself: it {reason}")
    return retraced(game, starts, boards.trace, boards.lengths, seats == TEACHER, skipped)


def _seats(game: Game, n: int, first: int) -> np.ndarray:
    """The teacher's seat changes from game to game."""
    return (np.arange(first, first + n)[:, None] % game.players != np.arange(game.players)).astype(np.int64)


def _play(boards: Boards, agents: Sequence[Agent]) -> None:
    over = np.zeros(len(boards), bool)
    while not over.all():
        for number, agent in enumerate(agents):
            agent.advance(boards, number)
        boards.grow()
        over, _ = boards.results()


def retraced(
    game: Game, starts: np.ndarray, trace: np.ndarray, lengths: np.ndarray, taught: np.ndarray, skipped: np.ndarray
) -> Observed:
    """The positions in which a player of `taught` [n, players] began a move, and the move; not the first ones."""
    batch, most = Batch(game, starts.copy()), game.move_parts.actions
    states, played = [starts[:0]], [np.zeros((0, most), np.int32)]
    record, step = np.full(len(starts), -1), np.zeros(len(starts), np.int64)  # of the move that goes on, and its length
    total, later = 0, list[tuple[np.ndarray, np.ndarray, np.ndarray]]()
    for t in range(int(lengths.max(initial=0))):
        movers, active = batch.movers, t < lengths
        acting, number = active & (movers >= 0), trace[:, t].astype(np.int64)
        going = acting & (record >= 0)
        later.append((record[going], step[going], number[going]))
        taking = taught[np.arange(len(movers)), np.maximum(movers, 0)] & (t >= skipped)
        begun = np.flatnonzero(acting & (step == 0) & taking)
        states.append(batch.states[begun].copy())
        played.append(np.concatenate([number[begun, None], np.full((len(begun), most - 1), -1)], 1).astype(np.int32))
        record[begun] = total + np.arange(len(begun))
        total += len(begun)
        batch.play(np.where(acting, number, -1), check=False)
        batch.roll(np.where(active & (movers == CHANCE), number, -1), check=False)
        goes_on = acting & (batch.movers == movers) & (step + 1 < most)
        step = np.where(goes_on, step + 1, 0)
        record = np.where(goes_on, record, -1)
    moves = np.concatenate(played)
    for rows, steps, numbers in later:
        moves[rows, steps] = numbers
    return Observed(game, np.concatenate(states), moves)
