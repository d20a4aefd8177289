"""The settings of TD learning: its command line, its TOML and its documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields

from spielwerk.games.game import Game
from spielwerk.learn.kind import BEGIN_HELP
from spielwerk.learn.neural.inputs import OBSERVE, named_inputs
from spielwerk.learn.neural.schedule import STARTS_HELP, check_starts
from spielwerk.names import BadInput, choice, setting

MOST_EPISODES, MOST_TUPLES, MOST_STORED, MOST_BOARDS, MOST_WIDTH = 10**12, 10_000, 10**8, 10**7, 10**5
NTUPLE, NETWORK = "ntuple", "network"
ONE, EVERY = "one", "all"
WALK, POINTS = "walk", "points"  # random tuples (see `tuples.py`)
OF_NETWORKS = (
    *("inputs", "hidden", "split", "boards", "window", "minibatch", "rate", "rate_end", "mean", "precision", "starts"),
    *("rolls", "siblings", "margin", "ranking", "begin"),
)
SHARED = ("approximator", "episodes", "epsilon", "epsilon_end", "epsilon_shape", "lam", "symmetry")
SIBLINGS = ("margin", "ranking")
REPLAY = ("batch", "replay_every", "pusher", "selector", "priority", "correction")


@dataclass(frozen=True)
class Settings:
    """The settings of td."""

    episodes: int = setting(100_000, "games of self-play", 1, MOST_EPISODES)
    approximator: str = choice(NTUPLE, NETWORK, help="what learns values: tables of n-tuples, or a neural network")
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
    inputs: str = setting("", "what the network sees; by default the game's own inputs, else observe")
    hidden: str = setting("256-256", "sizes of the network's hidden layers")
    split: bool = choice(True, False, help="a network for each class of positions, where the inputs name classes")
    boards: int = setting(2048, "games played at once", 1, MOST_BOARDS)
    window: int = setting(4, "turns on each board between two updates; λ-returns are cut there", 1, 1000)
    minibatch: int = setting(4096, "positions of a step of the optimiser", 1, MOST_BOARDS)
    rate: float = setting(0.001, "step size of the optimiser (Adam) at the start", 1e-9, 1)
    rate_end: float = setting(0.00001, "step size at the end", 1e-9, 1)
    mean: float = setting(
        0.999, "what a running mean of the weights, which plays, keeps in a step; 0: none", 0, 0.999999
    )
    precision: str = choice("float32", "bfloat16", help="of the network's arithmetic; bfloat16 is mixed precision")
    starts: str = setting("fixed", STARTS_HELP)
    rolls: str = choice(ONE, EVERY, help="after which rolls turns are looked at; all: targets are free of luck")
    siblings: int = setting(
        0, "turns of a decision that are played on side by side where the network is unsure; 0: games go on", 0, 100
    )
    margin: float = setting(0.1, "points behind the best turn up to which the network is unsure", 0, 1000)
    ranking: float = setting(0.1, "weight of what is lost by a wrong choice among siblings; 0: only values", 0, 1000)
    begin: str = setting("", BEGIN_HELP)

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

        if any(not 1 <= width <= MOST_WIDTH for width in self.layers):
            raise BadInput(f'td: hidden cannot be "{self.hidden}"; write sizes of layers, such as 256-256.')
        if self.siblings == 1:
            raise BadInput("td: siblings cannot be 1; one turn alone has none.")
        check_starts("td", self.starts)

    @property
    def layers(self) -> tuple[int, ...]:
        """The sizes of the hidden layers."""
        return tuple(int(part) if re.fullmatch(r"\d{1,9}", part) else 0 for part in self.hidden.split("-"))

    def inputs_of(self, game: Game) -> str:
        """The named form of observation that a network of `game` sees; "" is the usual one."""
        return named_inputs(game, self.inputs or game.inputs or OBSERVE)

    def _idle(self) -> Iterator[tuple[str, str]]:
        """The settings that mean nothing beside the others, and what each would need."""
        if self.approximator == NTUPLE:
            yield from ((name, f"approximator={NETWORK}") for name in OF_NETWORKS)
        else:
            others = (field.name for field in fields(self) if field.name not in (*SHARED, *OF_NETWORKS))
            yield from ((name, f"approximator={NTUPLE}") for name in others)
        if not self.lam:
            yield "traces", "lam"
        if not self.buffer:
            yield from ((name, "a buffer") for name in REPLAY)
        if not self.siblings:
            yield from ((name, "siblings") for name in SIBLINGS)
        if self.selector != "prioritised":
            yield from ((name, "selector=prioritised") for name in ("priority", "correction"))
        if not self.freeze:
            yield "freeze_games", "freeze"
        if self.tuples.strip() not in (WALK, POINTS):
            yield from ((name, f"tuples={WALK} or tuples={POINTS}") for name in ("count", "length"))
