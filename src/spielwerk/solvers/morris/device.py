"""Where the solver works: the CPU with some threads, or a GPU; the kernels are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spielwerk.games.game import Game
from spielwerk.kernel.rows import EIGHT
from spielwerk.names import BadInput
from spielwerk.solvers.morris.retrograde import NO_POSITION

SHARES = 1 << 14  # into which bytes are divided for counting


class Tally(NamedTuple):
    """What codes (see `retrograde`) say of a sector."""

    draws: int
    wins: int
    losses: int
    largest_win: int  # the largest even code, 0 if there is none
    largest_loss: int

    @property
    def largest(self) -> int:
        """The largest code."""
        return max(self.largest_win, self.largest_loss)


class Device:
    """The CPU."""

    def __init__(self, game: Game, threads: int = 1) -> None:
        self.game, self.threads = game, threads

    def run(self, kernel: Callable[..., Any], rows: int, *arrays: Any) -> None:
        """Runs a row kernel."""
        self.game.rows(kernel, threads=self.threads)(rows, *arrays)

    def sift(self, wanted: Callable[..., Any], kernel: Callable[..., Any], words: int, *arrays: Any) -> None:
        """Runs a row kernel for the rows that are wanted, of words of eight."""
        self.game.rows(kernel, threads=self.threads, wanted=wanted)(words, *arrays)

    def put(self, array: np.ndarray) -> Any:
        """An array on the device."""
        return array

    def zeros(self, count: int) -> Any:
        """At least so many bytes on the device, all 0, in words of eight."""
        return np.zeros(-(-count // EIGHT) * EIGHT, np.uint8)

    def get(self, array: Any) -> np.ndarray:
        """An array of the device as numpy's."""
        return array

    def tally(self, codes: Any, used: int) -> Tally:
        """What the first `used` codes say."""
        words = -(-used // EIGHT)
        found = self.put(np.zeros((min(SHARES, words), len(Tally._fields)), np.int64))
        self.run(tally_words, len(found), codes.view(np.int64), words, found)
        shares = self.get(found)
        draws, wins, losses = map(int, shares[:, :3].sum(axis=0))
        return Tally(draws - (EIGHT * words - used), wins, losses, *map(int, shares[:, 3:].max(axis=0)))

    def wait(self) -> None:
        """Returns when all is done that was run."""

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

    def sift(self, wanted: Callable[..., Any], kernel: Callable[..., Any], words: int, *arrays: Any) -> None:
        """Launches a grid, whose blocks share out the rows that are wanted."""
        self.game.rows(kernel, "cuda", wanted=wanted)(words, *arrays)

    def wait(self) -> None:
        """Kernels run while the CPU goes on; this is where it waits."""
        from spielwerk.kernel.cuda import wait

        wait()

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


def clear(i, work, actions, weights, results, arrays):
    """Row kernel: word `i` is 0."""
    (words,) = arrays
    words[i] = 0


def tally_words(i, work, actions, weights, results, arrays):
    """Row kernel: a tally of the share `i` of the words."""
    words, count, found = arrays
    draws = 0
    wins = 0
    losses = 0
    largest_win = 0
    largest_loss = 0
    for at in range(count * i // found.shape[0], count * (i + 1) // found.shape[0]):
        word = words[at]
        for byte in range(EIGHT):
            code = word >> EIGHT * byte & 255
            if code == 0:
                draws += 1
            elif code & 1 == 0:
                wins += 1
                largest_win = max(largest_win, code)
            elif code != NO_POSITION:
                losses += 1
                largest_loss = max(largest_loss, code)
    found[i, 0] = draws
    found[i, 1] = wins
    found[i, 2] = losses
    found[i, 3] = largest_win
    found[i, 4] = largest_loss
