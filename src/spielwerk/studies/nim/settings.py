"""The settings of evolution in this study: the source's own, and those that answer what it leaves open."""

from __future__ import annotations

from typing import Any

from spielwerk.learn.evolution.settings import (
    AFTERSTATE,
    BITS,
    CELLS,
    DIRECT,
    GRADE,
    KEPT,
    MUTATIONS,
    ONEHOT,
    STRICT,
    WINS,
)
from spielwerk.names import value_text

Chosen = dict[str, Any]  # settings of evolution by name

PUBLISHED_MUTATIONS = MUTATIONS[:6]  # the source has no others
SHARES: Chosen = {"best": 0.15, "old": 0.15, "new": 0.15}

# The source's first test: everything as simple as possible.
FIRST: Chosen = {
    **{"population": 100, "opponents": 50, "champion_games": 50},
    **{"mutations_min": 0, "mutations_max": 1, **dict.fromkeys(PUBLISHED_MUTATIONS, 1.0)},
    **{"exponent": 1.0, "best": 0.0, "old": 0.0, "new": 0.0},
    **{"output": ONEHOT, "illegal": STRICT},
}
LAST: Chosen = FIRST | {"exponent": 2.0} | SHARES  # its third test
DIRECTLY: Chosen = LAST | {"output": DIRECT}  # and its last one

# Several stacks, to perfect play.
_NETWORK: Chosen = {"inputs": BITS, "output": AFTERSTATE, "hidden": 8, "activations": "wave", "split_weights": KEPT}
_SEVERAL: Chosen = {
    **_NETWORK,
    **{"fitness": GRADE, "rarity": True, "patience": 100, "population": 300, "exponent": 10.0},
    **{"species": 0.5, "crossover": 0.3, "best": 0.02, "old": 0.1, "new": 0.05, "champion_games": 2},
    **{"mutations_min": 1, "mutations_max": 4, "shift_weight": 3.0, "add_node": 0.1},
    **{"remove_edge": 0.5, "remove_node": 0.1},
}
MULTI: dict[str, Chosen] = {"3-4-5": _SEVERAL, "1-3-5-7": _SEVERAL}
MULTI_GENERATIONS = {"3-4-5": 500, "1-3-5-7": 3000}

# One-hot output on stacks 1–8: what the source has for an input, and a node for each number of matches.
_BY_GRADE: Chosen = {
    **{"fitness": GRADE, "rarity": True, "output": ONEHOT, "population": 300, "exponent": 10.0},
    **{"crossover": 0.3, "best": 0.05, "old": 0.1, "new": 0.05, "champion_games": 2},
    **{"mutations_min": 1, "mutations_max": 4, "set_weight": 0.5, "set_bias": 0.5, "shift_weight": 3.0},
    **{"shift_bias": 3.0, "shift": 2.0, "patience": 200},
}
_WEIGHTS_ONLY: Chosen = {"add_node": 0.0, "add_edge": 0.0}
ONE_HOT: dict[str, Chosen] = {
    "weights only": _BY_GRADE | _WEIGHTS_ONLY,
    "topology too": _BY_GRADE | {"add_node": 0.05, "add_edge": 0.05},
    "one-hot input too": _BY_GRADE | _WEIGHTS_ONLY | {"inputs": ONEHOT},
}
ONE_HOT_GENERATIONS = 5000

# Evolution beside other learners: by wins alone, so that every game it plays is counted.
BY_WINS: dict[str, Chosen] = {
    "nim": {
        **_NETWORK,
        **{"fitness": WINS, "mutations_min": 1, "mutations_max": 3, "shift_weight": 3.0, "add_node": 0.1},
        **{"exponent": 4.0, "best": 0.1, "old": 0.1, "new": 0.05, "crossover": 0.3},
    },
    "einstein:board=3": {"inputs": CELLS, "mutations_max": 3},
}
# And backpropagation: a network that learns by TD from what the game's own observation shows, of a few boards at once.
BY_GRADIENT: Chosen = {
    **{"approximator": "network", "hidden": "64-64", "lam": 0.7, "window": 8, "mean": 0.99, "rate": 0.003},
}
BOARDS = {10**3: 8, 10**4: 32, 10**5: 128, 10**6: 512}  # by games
CROWDS = {10**3: (10, 2), 10**4: (20, 5), 10**5: (50, 10), 10**6: (100, 20)}  # games → population and opponents

# Backgammon, where no perfect play is known: how well GNU Backgammon's choices are matched.
BACKGAMMON: Chosen = {
    **{"fitness": GRADE, "inputs": ONEHOT, "population": 100, "decisions": 500, "champion_games": 2, "exponent": 20.0},
    **{"mutations_min": 1, "mutations_max": 8, "shift": 0.3, "best": 0.1, "old": 0.05, "new": 0.02, "crossover": 0.5},
}
BACKGAMMON_GENERATIONS = 300


def written(settings: Chosen) -> str:
    """Settings as the command line takes them."""
    return " ".join(f"{name}={value_text(value)}" for name, value in settings.items())
