"""Where the solver works: the CPU with some threads, or a GPU; the kernels are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spielwerk.games.game import Game
from spielwerk.names import BadInput

EIGHT = 8  # bytes of a word
SHARES = 1 << 14
PORTION = 1 << 22  # bytes that are counted at once, since counting widens them


class Device:
    """The CPU."""

    def __init__(self, game: Game, threads: int = 1) -> None:
        self.game, self.threads = game, threads

    def run(self, kernel: Callable[..., Any], rows: int, *arrays: Any) -> None:
        """Runs a row kernel."""
        self.game.rows(kernel, threads=self.threads)(rows, *arrays)

    def put(self, array: np.ndarray) -> Any:
        """An array on the device."""
        return array

    def zeros(self, count: int) -> Any:
        """At least so many bytes on the device, all 0, in words of eight."""
        return np.zeros(-(-count // EIGHT) * EIGHT, np.uint8)

    def get(self, array: Any) -> np.ndarray:
        """An array of the device as numpy's."""
        return array

    def counts(self, array: Any, used: int) -> np.ndarray:
        """How often each byte occurs among the first `used`; [256]."""
        found = np.zeros(256, np.int64)
        for first in range(0, used, PORTION):
            found += np.bincount(array[first : min(first + PORTION, used)], minlength=256)
        return found

    def free(self) -> int | None:
        """Bytes of memory of its own that are left; None where it has none of its own."""
        return None


class Gpu(Device):
    """A GPU, by numba-cuda."""

    def __init__(self, game: Game) -> None:
        from spielwerk.kernel.cuda import available

        if not available():
            raise BadInput("There is no GPU here; NUMBA_ENABLE_CUDASIM=1 simulates one.")
        super().__init__(game)

    def free(self) -> int | None:
        """What the GPU says; nothing in the simulator."""
        from spielwerk.kernel.cuda import free_memory

        return free_memory()

    def run(self, kernel: Callable[..., Any], rows: int, *arrays: Any) -> None:
        """Launches a grid, a thread a row."""
        self.game.rows(kernel, "cuda")(rows, *arrays)

    def put(self, array: np.ndarray) -> Any:
        """Copies to the GPU."""
        from spielwerk.kernel.cuda import on_device

        return on_device(array)

    def zeros(self, count: int) -> Any:
        """Made on the GPU, since copying gigabytes of zeros takes longer than solving them."""
        from spielwerk.kernel.cuda import empty

        array = empty(-(-count // EIGHT) * EIGHT, np.uint8)
        self.run(clear, -(-count // EIGHT), array.view(np.int64))
        return array

    def get(self, array: Any) -> np.ndarray:
        """Copies from the GPU."""
        return array.copy_to_host()

    def counts(self, array: Any, used: int) -> np.ndarray:
        """Counted on the GPU, each thread its own share."""
        from spielwerk.kernel.cuda import on_device

        found = on_device(np.zeros((SHARES, 256), np.int64))
        self.run(count_bytes, SHARES, array, on_device(np.array([used])), found)
        return found.copy_to_host().sum(axis=0)


def clear(i, work, actions, weights, results, arrays):
    """Row kernel: word `i` is 0."""
    (words,) = arrays
    words[i] = 0


def count_bytes(i, work, actions, weights, results, arrays):
    """Row kernel: counts the bytes i, i + SHARES, i + 2 SHARES …"""
    values, used, found = arrays
    for at in range(i, used[0], SHARES):
        found[i, values[at]] += 1
