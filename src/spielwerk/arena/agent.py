"""Agent: whatever chooses moves, from a random mover to another program in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.playing.boards import Boards
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.kernel.random import stream


@dataclass(frozen=True)
class NoSettings:
    """An agent that has none."""


class Forfeit(Exception):
    """An agent has lost a game by its own fault; the message says how."""


class Agent:
    """Chooses moves in one game. An agent of your own defines `choose`, and `Settings` where it has any.

    A random agent draws only from the stream it is given, so that the same seed gives the same match.
    """

    Settings: ClassVar[type] = NoSettings
    name: str = "agent"  # as it is written; set where agents are made from names

    def __init__(self, game: Game, settings: Any) -> None:
        self.game = game
        self.settings = settings

    @property
    def draws(self) -> bool:
        """Whether it ever draws at random; an agent that does not always plays the same move in a position."""
        return True

    def choose(self, position: Position, rng: np.ndarray | None = None) -> str | int:
        """A move (a whole turn in text), or one action; `rng` is a random stream, by default always the same."""
        raise NotImplementedError

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """What the agent thinks of each move; by default only which one it plays."""
        return Analysis(str(position), None, (Judged(self.turn(position, rng).text, probability=1.0),))

    def turn(self, position: Position, rng: np.ndarray | None = None) -> Turn:
        """The whole turn that the agent takes, whether it chooses turns or single actions."""
        rng, steps, here = fresh(rng), [], position
        while here.mover == position.mover:
            for action in here.spelled(self.choose(here, rng)):
                steps.append((here, action))
                here = here.play(action)
        return Turn(tuple(steps), here)

    def ready(self) -> None:
        """Called once before anything is played; an agent that finds out here that it cannot play raises BadInput."""

    def advance(self, boards: Boards, me: int) -> None:
        """Plays on every board on which agent number `me` is to act until it is not."""
        for i in range(len(boards)):
            while boards.waits_for(i, me):
                try:
                    boards.play(i, self.choose(boards.position(i), boards.rngs[i]))
                except Forfeit as fault:
                    boards.forfeit(i, str(fault))

    def close(self) -> None:
        """Gives back what the agent holds, such as a process."""


def check_ready(agents: Sequence[Agent]) -> None:
    """Refuses agents that cannot play; all of them are closed."""
    try:
        for agent in agents:
            agent.ready()
    finally:
        for agent in agents:
            agent.close()


def fresh(rng: np.ndarray | None) -> np.ndarray:
    """The stream given, or, for a choice that nobody keyed, always the same new one."""
    return stream(0, "choice") if rng is None else rng
