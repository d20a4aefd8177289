"""Lanes: pieces of work that are done again and again beside each other, each always in the same memory.

On a GPU each lane is a stream of its own, so that what one of them waits for another can use: the memory while a
network computes, or the other way round. What a lane does is recorded as a CUDA graph when it is done for the third
time, and from then on asked for as a whole: dozens of launches would take longer to ask for than to compute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Work = Callable[[], None]
WARM_UP = 2  # times before a lane is recorded, so that everything is compiled and loaded


class Lanes:
    """On the CPU, and in the simulator: one after the other."""

    def __init__(self, works: Sequence[Work]) -> None:
        self.works = works

    def run(self, times: int, stopped: Callable[[], bool]) -> None:
        """Each so many times, in turns, unless it is stopped before."""
        for _ in range(times):
            if stopped():
                return
            for work in self.works:
                work()


class CudaLanes(Lanes):
    """On a GPU; a work must wait for nothing, and never be of another size."""

    def __init__(self, works: Sequence[Work]) -> None:
        import torch

        self.torch: Any = torch
        self.lanes = [_Lane(work, torch) for work in works]
        super().__init__(self.lanes)

    def run(self, times: int, stopped: Callable[[], bool]) -> None:
        """Each begins when all work before has ended, and whatever comes later begins after them."""
        main = self.torch.cuda.current_stream()
        for lane in self.lanes:
            lane.stream.wait_stream(main)
        super().run(times, stopped)
        for lane in self.lanes:
            main.wait_stream(lane.stream)


class _Lane:
    """One stream."""

    def __init__(self, work: Work, torch: Any) -> None:
        self.work, self.torch, self.stream = work, torch, torch.cuda.Stream()
        self.times, self.graph = 0, None

    def __call__(self) -> None:
        with self.torch.cuda.stream(self.stream):
            self.times += 1
            if self.graph is not None:
                self.graph.replay()
            elif self.times <= WARM_UP:
                self.work()
            else:
                self._record()

    def _record(self) -> None:
        """Records the work, and does it."""
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph, stream=self.stream, capture_error_mode="thread_local"):
            self.work()
        graph.replay()
        self.graph = graph


def lanes_of(device: str, works: Sequence[Work]) -> Lanes:
    """Lanes of a device."""
    if device == "cuda":
        from spielwerk.kernel import cuda

        if not cuda.simulated():
            return CudaLanes(works)
    return Lanes(works)
