"""The settings of actor-critic: its command line, its TOML and its documentation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields

from spielwerk import names
from spielwerk.games.game import Game
from spielwerk.learn.actor_critic.networks.shape import GRAPH, MLP, OWN, SHARED, Shape, usual_inputs
from spielwerk.learn.kind import BEGIN_HELP
from spielwerk.learn.neural.inputs import named_inputs
from spielwerk.learn.neural.schedule import STARTS_HELP, check_starts
from spielwerk.names import BadInput, choice, setting

MOST_EPISODES, MOST_BOARDS, MOST_SIZE = 10**12, 10**7, 10**5
PLAIN, POTENTIAL = "plain", "potential"
OF_POOL = ("pool_share", "pool_every")


@dataclass(frozen=True)
class Settings:
    """The settings of actor-critic."""

    episodes: int = setting(100_000, "games of self-play", 1, MOST_EPISODES)
    net: str = choice(MLP, GRAPH, help="fully connected layers, or messages along the board's graph")
    hidden: str = setting("256-256", "units of the hidden layers of net=mlp, such as 256-256; none: no hidden layers")
    filters: int = setting(64, "numbers that net=graph keeps of each point", 1, MOST_SIZE)
    blocks: int = setting(4, "residual blocks of net=graph", 0, 1000)
    removals: str = choice(SHARED, OWN, help="whether taking a man has outputs of its own, in morris")
    temperature: bool = choice(True, False, help="whether a learned temperature divides the logits")
    blind: str = setting("", "groups of inputs that the network does not see, such as phases+removal in morris")
    inputs: str = setting("", "what the network sees; by default what suits the net")
    boards: int = setting(256, "games played at once", 1, MOST_BOARDS)
    window: int = setting(32, "moves on each board that gather before an update", 1, 10_000)
    epochs: int = setting(2, "how often an update learns from each move", 1, 1000)
    minibatch: int = setting(1024, "moves of a step of the optimiser", 1, MOST_BOARDS)
    clip: float = setting(0.2, "how far a probability may move in an update (PPO); 0: plain advantage updates", 0, 1)
    gamma: float = setting(0.99, "discount of a move", 0, 1)
    lam: float = setting(0.95, "advantages: 1: by how the game ends; 0: by the next value (GAE)", 0, 1)
    entropy: float = setting(0.01, "weight of the bonus for undecided policies", 0, 100)
    value_weight: float = setting(0.5, "weight of the value in the loss", 0, 1000)
    max_norm: float = setting(0.5, "longest gradient; longer ones are cut to it; 0: none are", 0, 1e6)
    epsilon: float = setting(0.0, "share of moves that are drawn from all legal ones", 0, 1)
    greedy: bool = choice(False, True, help="whether the other moves are the most likely ones, and not drawn")
    masked: bool = choice(True, False, help="whether the policy knows which moves are legal")
    penalty: float = setting(1.0, "what an illegal move costs without masked, in points", 0, 1000)
    win: float = setting(1.0, "reward of a won game, in points", 0, 1000)
    shaped: str = setting("", "further rewards, by the names that the game has for them, such as mills:0.2+blocks:0.1")
    shaping: str = choice(PLAIN, POTENTIAL, help="rewards for gains alone, or differences of a potential")
    pool: int = setting(0, "past selves that are kept as opponents; 0: none", 0, 10_000)
    pool_share: float = setting(0.25, "share of the boards on which one of them plays one side", 0, 1)
    pool_every: int = setting(20, "updates between two that are kept", 1, 10**9)
    rate: float = setting(0.0003, "step size of the optimiser (Adam) at the start", 1e-9, 1)
    rate_end: float = setting(0.00001, "step size at the end", 1e-9, 1)
    mean: float = setting(
        0.0, "what a running mean of the weights keeps in a step; it is what plays later", 0, 0.999999
    )
    symmetry: bool = choice(True, False, help="whether boards are turned and mirrored before each move")
    precision: str = choice("float32", "bfloat16", help="of the network's arithmetic; bfloat16 is mixed precision")
    starts: str = setting("fixed", STARTS_HELP)
    begin: str = setting("", BEGIN_HELP)

    def __post_init__(self) -> None:
        check_starts("actor-critic", self.starts)
        for name, needed in self._idle():
            if getattr(self, name) != getattr(Settings, name):
                raise BadInput(f"actor-critic: {name} has no effect without {needed}.")

    def terms_of(self, game: Game) -> dict[str, float]:
        """The weight of each term of the shaped rewards; BadInput where the game has none of that name."""
        known = game.shaping.terms if game.shaping else ()
        found: dict[str, float] = {}
        for word in self.shaped.split("+") if self.shaped else ():
            name, _, weight = word.partition(":")
            if name not in known:
                raise names.unknown(f"{game.kind} has no shaped reward", name, known, "Rewards")
            found[name] = _weight(word, weight)
        return found

    def inputs_of(self, game: Game) -> str:
        """The named form of observation that a network of `game` sees; "" is the usual one."""
        return named_inputs(game, self.inputs) if self.inputs else usual_inputs(game, self.net)

    @property
    def shape(self) -> Shape:
        """The network."""
        return Shape(**{part.name: getattr(self, part.name) for part in fields(Shape)})

    def _idle(self) -> Iterator[tuple[str, str]]:
        """The settings that mean nothing beside the others, and what each would need."""
        yield from ((name, f"net={GRAPH}") for name in ("filters", "blocks") if self.net != GRAPH)
        if self.net != MLP:
            yield "hidden", f"net={MLP}"
        if self.masked:
            yield "penalty", "masked=false"
        if not self.shaped:
            yield "shaping", "shaped"
        if not self.pool:
            yield from ((name, "pool") for name in OF_POOL)


def _weight(word: str, given: str) -> float:
    """A number; BadInput where there is none."""
    try:
        found = float(given)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise BadInput(f'actor-critic: shaped cannot have "{word}"; write a name and its weight, such as mills:0.2.')
    return found
