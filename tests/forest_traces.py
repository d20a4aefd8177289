"""`python tests/forest_traces.py DEVICE` prints small trees as JSON: two devices that print the same grew the same."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

import spielwerk as sw
from estimators import HashEstimator
from spielwerk.kernel.random import streams
from spielwerk.search.forest import Forest
from spielwerk.search.playout import NO_LIMIT
from spielwerk.search.trees.tree import Steering

GAMES = [
    ("nim:stacks=1-2-3", "uct", False),
    ("einstein:board=3", "puct", False),
    ("einstein:board=3", "gumbel", False),
    ("einstein:board=3", "gumbel", True),  # priors apart from values
]


def traces(device: str) -> list[list[Any]]:
    """All nodes of three trees of each game, and what was found at their roots."""
    found = []
    for name, select, apart in GAMES:
        game = sw.game(name)
        estimator = HashEstimator(game, select != "uct", apart)
        estimator.recordable = False  # it computes on the CPU, which no CUDA graph can record
        forest = Forest(game, estimator, STEERING, 2000, select, device)
        batch = game.batch(3, device=device)
        batch.roll()
        forest.plant(batch, batch.arrays.array(streams(5, "test", 3), "uint64"))
        if select == "gumbel":
            forest.search(25, considered=4)
        else:
            if select == "puct":
                forest.add_noise(0.3, 0.25)
            forest.grow(25)
        found += nodes(forest)
        read = (forest.choices(), forest.drawn(0.5), forest.policies(), forest.values())
        found.append([np.round(batch.arrays.host(array), 5).tolist() for array in read])
        chosen = forest.choices()
        batch.play(chosen)
        batch.roll()
        forest.advance(batch, chosen)
        forest.grow(5)
        found += nodes(forest)
    return found


def nodes(forest: Forest) -> list[list[Any]]:
    """All nodes of each tree."""
    arrays = (forest.trees.links, forest.trees.sums, forest.trees.size)
    links, sums, size = (forest.arrays.host(array) for array in arrays)
    return [[links[t, :used].tolist(), sums[t, :used].tolist()] for t, used in enumerate(size[:, 0].tolist())]


STEERING = Steering(0, NO_LIMIT, False, False, NO_LIMIT, False, 0.5)

if __name__ == "__main__":
    print(json.dumps(traces(sys.argv[1])))
