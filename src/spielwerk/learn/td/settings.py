"""The settings of TD learning: its command line, its TOML and its documentation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spielwerk.names import BadInput, choice, setting

MOST_EPISODES, MOST_TUPLES, MOST_STORED = 10**12, 10_000, 10**8
WALK, POINTS = "walk", "points"  # random tuples (see `tuples.py`)
REPLAY = ("batch", "replay_every", "pusher", "selector", "priority", "correction")


@dataclass(frozen=True)
class Settings:
    """The settings of td."""

    episodes: int = setting(100_000, "games of self-play", 1, MOST_EPISODES)
    alpha: float = setting(0.5, "step size (learning rate) at the start, shared by all weights of a position", 0, 100)
    alpha_end: float = setting(0.01, "step size at the end", 0, 100)
    alpha_shape: str = choice("geometric", "linear", help="schedule of the step size from start to end")
    epsilon: float = setting(0.3, "ε: share of random moves at the start", 0, 1)
    epsilon_end: float = setting(0.1, "share of random moves at the end", 0, 1)
    epsilon_shape: str = choice("linear", "geometric", help="schedule of that share from start to end")
    gamma: float = setting(1.0, "discount factor; below 1, earlier wins are worth more", 0, 1)
    lam: float = setting(0.0, "λ: decay of the eligibility traces; 0: TD(0), 1: Monte Carlo learning", 0, 1)
    traces: str = choice("accumulating", "replacing", help="eligibility traces of a weight that is looked up again")
    coherence: str = choice(
        "none", "linear", "exponential", help="temporal coherence: each weight has its own step size"
    )
    coding: str = setting("", "how a cell is coded; by default the game's first coding")
    tuples: str = setting("", "a named set of n-tuples, walk, points, or a list of cells; by default the game's own")
    count: int = setting(25, "random n-tuples", 1, MOST_TUPLES)
    length: int = setting(4, "cells of a random n-tuple", 1, 100)
    weights: str = choice("shared", "each", help="one set of weights for seats that are alike, or one for each player")
    symmetry: bool = choice(True, False, help="whether positions that mirror each other share weights")
    optimism: float = setting(0.0, "initial value of positions", -0.99, 0.99)
    table: str = choice("auto", "dense", "hashed", help="a weight for each case, or as many as fit in memory")
    memory: float = setting(4.0, "gigabytes that the tables may take before they are hashed", 0.0001, 1e6)
    random_moves_teach: bool = choice(False, True, help="whether the position before a random move is updated")
    buffer: int = setting(0, "transitions of the replay buffer; 0: learn from each as it comes", 0, MOST_STORED)
    batch: int = setting(25, "transitions of a batch", 1, MOST_STORED)
    replay_every: str = choice("episode", "transition", help="when a batch is learned")
    pusher: str = choice(
        "all", "decisive", help="what is kept: everything, or what ends a game or has a large TD error"
    )
    selector: str = choice("uniform", "prioritised", help="how a batch is sampled: uniformly, or by TD error")
    priority: float = setting(0.6, "exponent of the TD error in prioritised sampling: 0 uniform, 1 in proportion", 0, 1)
    correction: float = setting(0.4, "exponent of the importance-sampling correction: 0 none, 1 full", 0, 1)
    freeze: int = setting(0, "episodes after which new weights must beat the old ones, or are dropped; 0: never", 0)
    freeze_games: int = setting(200, "games of that match", 2, 10**9)

    def __post_init__(self) -> None:
        for name in ("alpha", "epsilon"):
            ends = getattr(self, name), getattr(self, f"{name}_end")
            if getattr(self, f"{name}_shape") == "geometric" and ends[0] != ends[1] and min(ends) == 0:
                raise BadInput(f"td: {name} cannot go from {ends[0]} to {ends[1]} geometrically; take linear.")
        if self.buffer and self.lam:
            raise BadInput("td: replay learns single transitions, so lam must be 0 with a buffer.")
        if self.buffer and self.batch > self.buffer:
            raise BadInput(f"td: a batch of {self.batch} is larger than the buffer of {self.buffer}.")
        for name, needed in self._idle():
            if getattr(self, name) != getattr(Settings, name):
                raise BadInput(f"td: {name} has no effect without {needed}.")

    def _idle(self) -> Iterator[tuple[str, str]]:
        """The settings that mean nothing beside the others, and what each would need."""
        if not self.lam:
            yield "traces", "lam"
        if not self.buffer:
            yield from ((name, "a buffer") for name in REPLAY)
        if self.selector != "prioritised":
            yield from ((name, "selector=prioritised") for name in ("priority", "correction"))
        if not self.freeze:
            yield "freeze_games", "freeze"
        if self.tuples.strip() not in (WALK, POINTS):
            yield from ((name, f"tuples={WALK} or tuples={POINTS}") for name in ("count", "length"))
