"""The settings of AlphaZero: its command line, its TOML and its documentation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spielwerk.games.game import Game
from spielwerk.learn.alphazero.networks.form import ACTIONS, AFTERSTATES, MLP, PATTERNS, RESIDUAL, usual_inputs
from spielwerk.learn.kind import BEGIN_HELP
from spielwerk.learn.neural.inputs import named_inputs
from spielwerk.learn.neural.schedule import STARTS_HELP, check_starts
from spielwerk.names import BadInput, choice, setting, split
from spielwerk.search.trees.selection import GUMBEL, PUCT

MOST_EPISODES, MOST_BOARDS, MOST_SIMULATIONS, MOST_SIZE = 10**12, 10**7, 10**6, 10**5
SCORE, CHANCES = "score", "chances"
NOBODY, ORACLE = "none", "oracle"
OF_GUMBEL = ("considered", "scale")
MOST_SCALE = 1e6
OF_PUCT = ("k", "noise", "noise_share", "temperature", "temperature_moves")


@dataclass(frozen=True)
class Settings:
    """The settings of alphazero."""

    episodes: int = setting(100_000, "games of self-play", 1, MOST_EPISODES)
    net: str = choice(
        MLP,
        RESIDUAL,
        PATTERNS,
        help="fully connected residual blocks, convolutions over the board, or such blocks with tables of patterns",
    )
    blocks: int = setting(4, "residual blocks", 0, 1000)
    filters: int = setting(128, "filters of a convolution, or units of a layer", 1, MOST_SIZE)
    policy: str = choice(ACTIONS, AFTERSTATES, help="what the policy scores: action numbers, or the ends of turns")
    value: str = choice(SCORE, CHANCES, help="what is valued: the score, or the chances of each kind of win")
    inputs: str = setting("", "what the network sees; by default what suits the net")
    boards: int = setting(256, "games played at once", 1, MOST_BOARDS)
    simulations: int = setting(16, "simulations of a search at the start", 1, MOST_SIMULATIONS)
    simulations_end: int = setting(0, "simulations at the end; 0: as at the start", 0, MOST_SIMULATIONS)
    select: str = choice(GUMBEL, PUCT, help="how actions are tried: by Gumbel noise and halving, or as AlphaZero does")
    considered: int = setting(16, "actions that a search with Gumbel noise considers at first", 1, 10_000)
    scale: float = setting(1.0, "how much values count against priors with Gumbel noise", 0, MOST_SCALE)
    k: float = setting(1.0, "exploration constant of puct, for rewards from 0 to 1", 0, 1e6)
    noise: float = setting(0.3, "Dirichlet noise at the root of puct: its α; 0: none", 0, 1000)
    noise_share: float = setting(0.25, "share of that noise in the priors", 0, 1)
    temperature: float = setting(1.0, "temperature of the first moves of puct", 0, 100)
    temperature_moves: int = setting(30, "moves of a game at this temperature; later the most visited is played", 0)
    epsilon: float = setting(0.0, "share of moves that are drawn at random, whatever the search says", 0, 1)
    caps: float = setting(0.0, "share of moves with short searches, for games only; their policy is not learned", 0, 1)
    capped: int = setting(4, "simulations of a short search", 1, MOST_SIMULATIONS)
    reuse: bool = choice(False, True, help="whether a search goes on with what the one before has found")
    lam: float = setting(1.0, "value target: 1: how the game ends; 0: what the search says of the next position", 0, 1)
    window: int = setting(16, "moves on each board between two updates", 1, 10_000)
    replay: int = setting(4, "windows that are kept to learn from", 1, 10_000)
    passes: float = setting(1.0, "how often each position is learned from on average", 0.001, 1000)
    minibatch: int = setting(1024, "positions of a step of the optimiser", 1, MOST_BOARDS)
    rate: float = setting(0.001, "step size of the optimiser (Adam) at the start", 1e-9, 1)
    rate_end: float = setting(0.00001, "step size at the end", 1e-9, 1)
    decay: float = setting(0.0001, "weight decay", 0, 1)
    policy_weight: float = setting(1.0, "weight of the policy in the loss", 0, 1000)
    mean: float = setting(
        0.99, "what a running mean of the weights, which plays, keeps in a step; 0: none", 0, 0.999999
    )
    gate: int = setting(0, "games that new weights must not lose before they play; 0: they always play", 0, 10**9)
    gate_every: int = setting(8, "windows between two such matches", 1, 10**9)
    anchor: str = setting(
        NOBODY,
        "oracle: exact values as targets where the oracle knows them, perhaps with its settings: oracle:empties=18",
    )
    symmetry: bool = choice(True, False, help="whether minibatches are mirrored")
    precision: str = choice("float32", "bfloat16", help="of the network's arithmetic; bfloat16 is mixed precision")
    starts: str = setting("fixed", STARTS_HELP)
    horizon: int = setting(0, "moves after which a game is cut off, worth what the search says; 0: never", 0, 10**6)
    begin: str = setting("", BEGIN_HELP)

    def __post_init__(self) -> None:
        check_starts("alphazero", self.starts)
        if split(self.anchor)[0] not in (NOBODY, ORACLE) or self.anchor.startswith(f"{NOBODY}:"):
            raise BadInput(
                f'alphazero: anchor cannot be "{self.anchor}"; possible: {NOBODY}, {ORACLE}, {ORACLE}:SETTINGS.'
            )
        for name, needed in self._idle():
            if getattr(self, name) != getattr(Settings, name):
                raise BadInput(f"alphazero: {name} has no effect without {needed}.")

    def inputs_of(self, game: Game) -> str:
        """The named form of observation that a network of `game` sees; "" is the usual one."""
        return named_inputs(game, self.inputs) if self.inputs else usual_inputs(game, self.net)

    def _idle(self) -> Iterator[tuple[str, str]]:
        """The settings that mean nothing beside the others, and what each would need."""
        if self.select != PUCT:
            yield from ((name, f"select={PUCT}") for name in OF_PUCT)
        else:
            yield from ((name, f"select={GUMBEL}") for name in OF_GUMBEL)
            if not self.noise:
                yield "noise_share", "noise"
        if not self.caps:
            yield "capped", "caps"
        if not self.gate:
            yield "gate_every", "gate"
