"""A block: some games of a match, played at once, all boards in step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.arena.playing.boards import Boards
from spielwerk.arena.playing.plan import Plan
from spielwerk.games.game import Game

MOST = 20_000  # actions and rolls after which a game without a bound of its own is cut, and counts as drawn


@dataclass(frozen=True)
class Block:
    """Games `first` to `first + len(scores) - 1` of a match."""

    first: int
    scores: np.ndarray  # [n, players]
    faults: dict[int, tuple[int, str]] = field(default_factory=dict)  # game → the player who forfeited, and why
    traces: tuple[tuple[int, ...], ...] = ()  # every action and roll of each game, where they are kept


def play_block(plan: Plan, game: Game, agents: Sequence[Agent], first: int, count: int, keep: bool = False) -> Block:
    """Plays games `first` to `first + count - 1` of the plan; `keep` keeps what was played."""
    boards = begun(plan, game, first, count, keep)
    over, scores = np.zeros(count, bool), np.zeros((count, game.players))
    while not over.all():
        over, scores = played_on(boards, plan, agents)
    faults = {first + i: fault for i, fault in boards.faults.items()}
    return Block(first, scores, faults, boards.traces() if keep else ())


def begun(plan: Plan, game: Game, first: int, count: int, keep: bool) -> Boards:
    """The boards of some games, after their random openings."""
    seats = plan.seats(game, first, count)
    if _alone(plan):
        seats = seats * 0
    boards = Boards(game, seats, plan.dice(game, first, count), plan.rngs(first, count), MOST, keep)
    boards.open_up(plan.opening, plan.openings(game, first, count))
    return boards


def played_on(boards: Boards, plan: Plan, agents: Sequence[Agent]) -> tuple[np.ndarray, np.ndarray]:
    """Lets each agent play on every board until it is not to act there; which games are over, and the scores."""
    for number, agent in enumerate(agents[:1] if _alone(plan) else agents):
        agent.advance(boards, number)
    boards.grow()
    return boards.results()


def _alone(plan: Plan) -> bool:
    """Whether one agent plays against itself; then it plays all seats, with no change of kernels."""
    return plan.agents[0] == plan.agents[1]
