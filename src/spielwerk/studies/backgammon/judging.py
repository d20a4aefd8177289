"""Our own judge: rollouts of every play that looks possible, by the network that comes with the package.

All plays are valued two turns ahead. Those within a margin of the favourite are played out, cut after some turns and
without the luck of the dice, each with the same dice; the others stay as far behind the favourite as they were. The
games of a rollout are kept in two halves, which know nothing of each other's luck.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from spielwerk.agents.values import estimator
from spielwerk.games.batch import Batch
from spielwerk.games.position import Position
from spielwerk.games.registry import game
from spielwerk.games.rules import OVER
from spielwerk.kernel.random import streams
from spielwerk.learn.kind import CUDA
from spielwerk.learn.shipped import shipped_network
from spielwerk.search.lookahead import worths_of
from spielwerk.search.rollout import Rollout
from spielwerk.studies.backgammon.ladder import GAME

MARGIN = 0.04  # points behind the favourite up to which a play is played out
MOST = 5  # plays of a decision that are played out
AT_ONCE = 500  # games on the CPU
Values = Callable[[np.ndarray, np.ndarray, int, Callable[[], bool]], np.ndarray]  # of states, with streams, after turns


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
    """Judges decisions by so many games for each play, cut after so many turns (0: never, which no GPU does)."""

    def __init__(self, games: int, turns: int, seed: int) -> None:
        self.games, self.turns, self.seed = games, turns, seed
        self.values = on_gpu() or on_cpu()

    def verdicts(self, positions: Sequence[Position], first: int, halted: Callable[[], bool]) -> list[Verdict]:
        """What the plays of some positions, numbered from `first` on, are worth to their movers."""
        after = game(GAME).batch(positions, threads=1).afterstates()
        movers = np.array([position.mover for position in positions])[after.owners]
        dice = streams(self.seed, "any", len(movers))  # one turn ahead all of them are looked at
        seen = worths_of(self.values(after.batch.states, dice, 1, halted), movers)
        parts = [slice(*after.offsets[i : i + 2]) for i in range(len(positions))]
        rolled = [likely(seen[part]) for part in parts]
        ends = [part.start + play for part, plays in zip(parts, rolled, strict=True) for play in plays]
        found = iter(self._played(after.batch.states[ends], movers[ends], first + after.owners[ends], halted))
        return [
            verdict(seen[part], plays, np.array([next(found) for _ in plays]))
            for part, plays in zip(parts, rolled, strict=True)
        ]

    def _played(
        self, states: np.ndarray, players: np.ndarray, numbers: np.ndarray, halted: Callable[[], bool]
    ) -> np.ndarray:
        """What positions are worth to players, by each half of the games: [n, 2]; with equal numbers, equal dice."""
        dice = [streams(self.seed, f"decision {number}", self.games) for number in numbers]
        many = np.repeat(states, self.games, axis=0)
        values = self.values(many, np.concatenate(dice), self.turns, halted)
        return worths_of(values, np.repeat(players, self.games)).reshape(len(states), 2, -1).mean(axis=2)


def verdict(seen: np.ndarray, rolled: tuple[int, ...], found: np.ndarray) -> Verdict:
    """From what plays are worth two turns ahead, and what some of them were worth in the halves [plays, 2]."""
    halves = np.tile(seen, (2, 1))
    if len(rolled) > 1:
        halves += (found[0] - seen[rolled[0]])[:, None]
        halves[:, list(rolled)] = found.T
    return Verdict(halves, rolled)


def on_cpu() -> Values:
    """Rollouts through ONNX Runtime; bear-offs are exact."""
    variant, network = game(GAME), estimator(game(GAME), "td")
    network.ready()

    def values(states: np.ndarray, rngs: np.ndarray, turns: int, halted: Callable[[], bool]) -> np.ndarray:
        found, rollout = [], Rollout(network, turns)
        for first in range(0, len(states), AT_ONCE):
            some = slice(first, first + AT_ONCE)
            found.append(rollout.results(Batch(variant, states[some].copy(), rngs[some].copy()), halted))
        return np.concatenate(found)[:, : variant.players]

    return values


def on_gpu() -> Values | None:
    """The same on a GPU, where torch has one: far faster, and by the network alone."""
    if importlib.util.find_spec("torch") is None:
        return None
    import torch

    path, variant = shipped_network("td", game(GAME)), game(GAME)
    if not torch.cuda.is_available() or path is None:
        return None
    from spielwerk.learn.td.neural.rollouts import NetworkRollout

    rollout = NetworkRollout(variant, path, CUDA)

    def values(states: np.ndarray, rngs: np.ndarray, turns: int, halted: Callable[[], bool]) -> np.ndarray:
        halted()
        found = np.empty((len(states), variant.players))
        over = variant.batch(states).movers == OVER
        found[over] = variant.batch(states[over]).scores()
        found[~over] = rollout.values(states[~over], rngs[~over], turns)
        return found

    return values


def likely(worths: Sequence[float] | np.ndarray) -> tuple[int, ...]:
    """The plays that may be the best, the favourite first."""
    order = np.argsort(-np.asarray(worths), kind="stable")
    return tuple(int(play) for play in order[:MOST] if worths[play] >= worths[order[0]] - MARGIN)
