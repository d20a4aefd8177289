"""The settings of evolution in this study: the source's own, and those that answer what it leaves open."""

from __future__ import annotations

from typing import Any

from spielwerk.learn.evolution.settings import AFTERSTATE, BITS, DIRECT, GRADE, KEPT, MUTATIONS, ONEHOT, STRICT, WINS

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
_SEVERAL: Chosen = {
    **{"fitness": GRADE, "inputs": BITS, "output": AFTERSTATE, "population": 200},
    **{"activations": "elu sin gauss abs", "set_activation": 1.0, "split_weights": KEPT},
    **{"mutations_min": 1, "mutations_max": 4, "best": 0.1, "old": 0.05, "new": 0.05},
}
MULTI: dict[str, Chosen] = {"3-4-5": _SEVERAL, "1-3-5-7": _SEVERAL}
MULTI_GENERATIONS = {"3-4-5": 2000, "1-3-5-7": 4000}

# One-hot output on stacks 1–8.
ONE_HOT: Chosen = {
    **{"fitness": GRADE, "output": ONEHOT, "population": 200, "shift": 0.3},
    **{"mutations_min": 1, "mutations_max": 3, "best": 0.1, "old": 0.05, "new": 0.05},
}
ONE_HOT_GENERATIONS = 2000

# Evolution beside other ways of learning: by wins alone, so that every game it plays is counted.
BY_WINS: dict[str, Chosen] = {
    "nim": {**_SEVERAL, "fitness": WINS},
    "einstein:board=3": {"mutations_min": 1, "mutations_max": 3, "best": 0.1, "old": 0.1, "new": 0.05},
}
CROWDS = {10**3: (10, 2), 10**4: (20, 5), 10**5: (50, 10), 10**6: (100, 20)}  # games → population and opponents

# Backgammon, where no perfect play is known: how well GNU Backgammon's choices are matched.
BACKGAMMON: Chosen = {
    **{"fitness": GRADE, "population": 100, "decisions": 500, "champion_games": 2},
    **{"mutations_min": 1, "mutations_max": 8, "shift": 0.3, "best": 0.1, "old": 0.05, "new": 0.05},
}
BACKGAMMON_GENERATIONS = 300
