"""Fitting: steps of an optimiser towards targets; on a GPU, steps of the same size are one CUDA graph.

A step of a small network is dozens of launches that take longer to ask for than to compute. A graph asks once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import torch
from torch import Tensor

from spielwerk.learn.kind import CUDA

WARM_UP = 3  # steps on a GPU before a graph is made of one, so that all memory is there


class Fitting:
    """Makes the step sizes and steps of one optimiser; `loss` is what it lowers, a function of some tensors.

    Without `graphs`, tensors may have any size in each step. Gradients longer than `max_norm` are cut to it; 0: none.
    """

    def __init__(
        self,
        optimiser: torch.optim.Optimizer,
        loss: Callable[..., Tensor],
        precision: Callable[[], AbstractContextManager[object]],
        graphs: bool = True,
        max_norm: float = 0.0,
    ) -> None:
        self.optimiser, self.loss, self.precision, self.graphs = optimiser, loss, precision, graphs
        self.max_norm = max_norm
        self.steps = 0
        self.graph: torch.cuda.CUDAGraph | None = None
        self.stream = torch.cuda.Stream() if torch.cuda.is_available() else None

    def rate(self, rate: float) -> None:
        """From now on steps have this size."""
        for group in self.optimiser.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate

    def step(self, *given: Tensor) -> Tensor:
        """One step; the loss before it."""
        if given[0].device.type != CUDA or not self.graphs:
            return self._eager(*given)
        if self.graph is None and self.steps < WARM_UP:
            self.steps += 1
            return self._aside(lambda: self._eager(*given))
        graph = self.graph or self._capture(*given)
        if len(given[0]) != len(self.given[0]):
            return self._eager(*given)
        for there, here in zip(self.given, given, strict=True):
            there.copy_(here)
        graph.replay()
        return self.found.clone()

    def _eager(self, *given: Tensor) -> Tensor:
        """Operation by operation."""
        with self.precision():
            loss = self.loss(*given)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        if self.max_norm:
            weights = [each for group in self.optimiser.param_groups for each in group["params"]]
            torch.nn.utils.clip_grad_norm_(weights, self.max_norm)
        self.optimiser.step()
        return loss.detach()

    def _aside(self, work: Callable[[], Tensor]) -> Tensor:
        """Work in a stream of its own, as a graph is made in."""
        assert self.stream is not None
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            found = work()
        torch.cuda.current_stream().wait_stream(self.stream)
        return found

    def _capture(self, *given: Tensor) -> torch.cuda.CUDAGraph:
        """Makes a graph of one step, which is not made yet."""
        self.given = tuple(one.clone() for one in given)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.found = self._eager(*self.given)
        return self.graph
