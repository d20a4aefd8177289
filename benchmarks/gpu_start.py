"""How long a GPU's kernels take to start: `python benchmarks/gpu_start.py [GAME…]`.

For each game (by default backgammon and morris) two processes play random games with one kernel, beginning with an
empty cache: the first compiles it, the second finds it there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import spielwerk as sw
from spielwerk.bench.rules import NO_CUT, random_games
from spielwerk.kernel import cuda
from spielwerk.kernel.random import streams

GAMES = 128


def main() -> None:
    """The time of both processes, a line a game."""
    if sys.argv[1:2] == ["--here"]:
        print(start(sys.argv[2]))
        return
    for name in sys.argv[1:] or ["backgammon", "morris"]:
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "SPIELWERK_CACHE": folder}
            command = [sys.executable, __file__, "--here", name]
            told = [subprocess.check_output(command, env=environment, text=True) for _ in range(2)]
        first, second = map(float, told)
        print(f"{name}: the kernel starts in {first:.2f} s compiled, in {second:.2f} s from the cache.")


def start(name: str) -> float:
    """Seconds from asking for the kernel to the end of its first, short run; the GPU itself is ready before."""
    game = sw.game(name)
    games, most = np.ones(GAMES, np.int64), np.array([NO_CUT])
    totals, sums = np.zeros((GAMES, 3), np.int64), np.zeros((GAMES, game.players))
    arrays = [cuda.on_device(array) for array in (streams(1, game.name, GAMES), games, most, totals, sums)]
    cuda.wait()
    begun = time.perf_counter()
    game.rows(random_games, "cuda")(GAMES, *arrays)
    cuda.wait()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
