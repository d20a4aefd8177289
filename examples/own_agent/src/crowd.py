"""crowd: wins where it can, and otherwise leaves the others as few moves as possible. It plays any game."""

from dataclasses import dataclass

import numpy as np

import spielwerk as sw
from spielwerk.arena.agent import fresh
from spielwerk.kernel.random import below
from spielwerk.names import setting


@dataclass(frozen=True)
class Settings:
    """The settings of crowd."""

    slips: int = setting(0, "of a hundred moves, so many are played at random")

    def __post_init__(self) -> None:
        if not 0 <= self.slips <= 100:
            raise sw.BadInput(f"crowd: slips must be 0 to 100, not {self.slips}.")


class Crowd(sw.Agent):
    """Looks one turn ahead, and leaves the others as few moves as it can."""

    Settings = Settings

    def choose(self, position: sw.Position, rng: np.ndarray | None = None) -> str:
        """One of the moves that leave the others the least."""
        rng = fresh(rng)
        turns = position.turns()
        if below(rng, 100) >= self.settings.slips:
            left = [self.left(turn.end, position.mover) for turn in turns]
            turns = [turn for turn, number in zip(turns, left, strict=True) if number == min(left)]
        return turns[below(rng, len(turns))].text

    def left(self, position: sw.Position, me: int) -> float:
        """How many actions the next player has, on average over the dice; the end counts by its score."""
        if position.scores:
            return -position.scores[me] * self.game.constants["MOST_MOVES"]
        if position.chance:
            return sum(share * self.left(position.roll(roll), me) for roll, share in position.outcomes())
        return len(position.actions())
