"""Many trees at once: simulations a second on the CPU and on a GPU with an estimator that costs almost nothing, and
whether both grow the same trees.

    python benchmarks/tree.py                        both devices
    python benchmarks/tree.py --device cpu --trees 256

Where the trees of both devices differ, it says so and exits with 1.
Needs numba-cuda and torch for the GPU; with NUMBA_ENABLE_CUDASIM=1 and small numbers it runs in the simulator.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np

import spielwerk as sw
from spielwerk.games.batch import Batch
from spielwerk.kernel.arrays import arrays_of
from spielwerk.kernel.random import streams
from spielwerk.search.estimator import Estimate, Estimator
from spielwerk.search.forest import Forest
from spielwerk.search.playout import NO_LIMIT
from spielwerk.search.trees.tree import COUNT, FIRST, VISITS, Steering

GAMES = ("othello", "morris", "backgammon", "einstein")
STEERING = Steering(0, NO_LIMIT, False, False, NO_LIMIT, False, 0.5)
PRIME = 1_000_003
NODES = 40  # of a tree, for each simulation


class Trivial(Estimator):
    """Values that depend on the words of a position in some simple way, and equal priors."""

    name, has_priors = "trivial", True

    def estimate(self, batch: Batch) -> Estimate:
        """See `Estimator`."""
        legal = batch.actions()
        mixed = (batch.states * PRIME).sum(1) % 2001
        values = batch.arrays.empty((len(batch), self.game.players), "float64")
        for player, team in enumerate(self.game.constants["TEAM"]):
            values[:, player] = mixed - 1000 if team == 0 else 1000 - mixed
        counts = legal.offsets[1:] - legal.offsets[:-1]
        return Estimate(values / 1000, 1.0 / counts[legal.owners])


def grown(name: str, device: str, trees: int, simulations: int, threads: int) -> tuple[Forest, float]:
    """A forest after so many simulations in each tree, and how long they took; the first few compile."""
    game = sw.game(name)
    nodes = max(NODES * simulations, game.constants["MOST_MOVES"] + 1)
    forest = Forest(game, Trivial(game), STEERING, nodes, device=device)
    rngs = streams(1, "tree", trees)
    seconds = 0.0
    for most in (3, simulations):
        batch = game.batch(trees, device=device, seed=1, threads=threads)
        forest.plant(batch, forest.arrays.array(rngs.copy(), "uint64"))
        begun = time.perf_counter()
        forest.grow(most)
        seconds = time.perf_counter() - begun
    return forest, seconds


def visits(forest: Forest) -> list[list[int]]:
    """The visits of the root's children in each tree."""
    links = forest.arrays.host(forest.trees.links)
    return [one[one[0, FIRST] : one[0, FIRST] + one[0, COUNT], VISITS].tolist() for one in links]


def main() -> None:
    """Measures what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("cpu", "cuda", "both"), default="both")
    parser.add_argument("--trees", type=int, default=4096, help="on a GPU; on the CPU a sixteenth of them")
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--threads", type=int, default=0, help="on the CPU; 0: one a core")
    parser.add_argument("games", nargs="*", default=GAMES)
    asked = parser.parse_args()
    different = []
    for name in asked.games:
        found: dict[str, Any] = {}
        for device in ("cpu", "cuda") if asked.device == "both" else (asked.device,):
            trees = asked.trees if device == "cuda" else max(1, asked.trees // 16)
            forest, seconds = grown(name, device, trees, asked.simulations, asked.threads)
            done = int(arrays_of(device).host(forest.done).sum())
            found[device] = visits(forest)
            print(f"{name:12} {device:5} {trees:6,} trees  {done / seconds:12,.0f} simulations/s", flush=True)
        if len(found) == 2:
            equal = [one == other for one, other in zip(found["cpu"], found["cuda"], strict=False)]
            print(f"{name:12} equal {np.mean(equal):.1%} of {len(equal)} trees", flush=True)
            different += [] if all(equal) else [name]
    if different:
        sys.exit(f"The CPU and the GPU grow different trees: {', '.join(different)}.")


if __name__ == "__main__":
    main()
