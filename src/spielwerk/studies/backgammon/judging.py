"""Our own judge: rollouts of every play that looks possible, by the network that comes with the package.

All plays are valued two turns ahead. Those within a margin of the favourite are played out, cut after some turns and
without the luck of the dice, each with the same dice; the others stay as far behind the favourite as they were. The
games of a rollout are kept in two halves, which know nothing of each other's luck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from spielwerk.agents.values import estimator
from spielwerk.games.position import Position
from spielwerk.games.registry import game
from spielwerk.search.lookahead import Lookahead, worths_of
from spielwerk.search.rollout import Rollout
from spielwerk.studies.backgammon.ladder import GAME

MARGIN = 0.04  # points behind the favourite up to which a play is played out
MOST = 5  # plays of a decision that are played out


@dataclass(frozen=True)
class Verdict:
    """What each play of a position is worth, in the order of `Position.turns()`, by each half of the games."""

    halves: np.ndarray  # [2, plays]
    rolled: tuple[int, ...]  # the plays that were played out

    def cost(self, play: int) -> float:
        """What a play loses by all games. The best of noisy values looks better than it is: this is rather too high."""
        worths = self.halves.mean(axis=0)
        return float(worths.max() - worths[play])

    def split_cost(self, play: int) -> float:
        """The same, the best play being chosen by one half and valued by the other: rather too low, and perhaps < 0."""
        best = self.halves.argmax(axis=1)
        lost = [self.halves[1 - half, best[half]] - self.halves[1 - half, play] for half in range(2)]
        return float(np.mean(lost))


class Judge:
    """Judges decisions by so many games for each play, cut after so many turns."""

    def __init__(self, games: int, turns: int, seed: int) -> None:
        self.games, self.seed = games, seed
        network = estimator(game(GAME), "td")
        network.ready()
        self.lookahead, self.rollout = Lookahead(network), Rollout(network, turns)

    def verdict(self, position: Position, halted: Callable[[], bool]) -> Verdict:
        """What the plays of a position are worth to its mover."""
        after = position.game.batch([position], threads=1).afterstates().batch
        movers = np.full(len(after), position.mover)
        seen = worths_of(self.lookahead.values(after, 1, halted), movers)
        rolled = likely(seen)
        halves = np.tile(seen, (2, 1))
        if len(rolled) > 1:
            found = np.array([self._played(after.states[play], position.mover, halted) for play in rolled])  # [k, 2]
            halves += (found[0] - seen[rolled[0]])[:, None]
            halves[:, list(rolled)] = found.T
        return Verdict(halves, rolled)

    def _played(self, state: np.ndarray, player: int, halted: Callable[[], bool]) -> np.ndarray:
        """What a position is worth to a player, by each half of the games."""
        batch = game(GAME).batch(np.tile(state, (self.games, 1)), seed=self.seed, threads=1)
        return self.rollout.results(batch, halted)[:, player].reshape(2, -1).mean(axis=1)


def likely(worths: Sequence[float] | np.ndarray) -> tuple[int, ...]:
    """The plays that may be the best, the favourite first."""
    order = np.argsort(-np.asarray(worths), kind="stable")
    return tuple(int(play) for play in order[:MOST] if worths[play] >= worths[order[0]] - MARGIN)
