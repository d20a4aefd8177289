"""Tensors that share their memory with the arrays of a batch."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from spielwerk.games.batch import Batch


def tensor(array: Any) -> Tensor:
    """An array of a batch as a tensor, without a copy."""
    return torch.as_tensor(array)


def array(batch: Batch, found: Tensor) -> Any:
    """A tensor as the kernels of a batch take it, without a copy where it lies in one piece."""
    return found.contiguous() if batch.device == "cuda" else found.contiguous().numpy()


def seen(batch: Batch, inputs: str, viewers: Any = None) -> Tensor:
    """How those who act next see the boards, a flat row each; where games are over, the viewers."""
    return tensor(batch.observe(inputs, viewers)).flatten(1)
