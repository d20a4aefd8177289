"""Weights in little space: what a trained agent needs to play, not what it needs to learn on.

Weights are rounded to whole steps of 1/2048, and only those that have left their first value are kept: the gaps between
them and the steps that each has gone, both sorted into planes of bytes and deflated. What counts is the sum over all
places, so that the same step serves large weights and small ones; it moves values by less than 0.001 as a rule
(tests/test_compact.py).
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import numpy as np

STEP = 1 / 2048
MOST = np.iinfo(np.int16).max  # steps; a weight of 16 alone decides everything
GAPS, STEPS, SIZE = "gaps", "steps", "size"
PAGE = 4096  # bytes of memory that the first weight on it takes, where all others are 0
PIECE = 1 << 24  # weights that are rounded at a time, since all of them at once would take much memory


def pack(weights: np.ndarray, first: float) -> dict[str, np.ndarray]:
    """The weights as small arrays; `first` is the value that they began with."""
    moved, steps = [np.zeros(0, np.int64)], [np.zeros(0, np.int16)]
    for begin in range(0, len(weights), PIECE):
        rounded = _steps(weights[begin : begin + PIECE], first)
        there = np.flatnonzero(rounded)
        moved.append(there + begin)
        steps.append(rounded[there])
    gaps = np.diff(np.concatenate(moved), prepend=-1).astype(np.uint64)
    return {GAPS: _deflated(gaps), STEPS: _deflated(np.concatenate(steps)), SIZE: np.array([len(weights)])}


def unpack(arrays: Mapping[str, np.ndarray], size: int, first: float, most: int | None = None) -> np.ndarray:
    """`size` weights from what `pack` made; ValueError where that was made from fewer or more.

    MemoryError where they would take more than `most` bytes.
    """
    if arrays[SIZE].tolist() != [size]:
        raise ValueError(f"the packed weights are {arrays[SIZE].tolist()}, not {size}")
    gaps, steps = _inflated(arrays[GAPS], np.dtype(np.uint64)), _inflated(arrays[STEPS], np.dtype(np.int16))
    moved = np.cumsum(gaps, dtype=np.int64) - 1
    if len(moved) != len(steps) or not _ascending(moved, size):
        raise ValueError(f"the packed weights do not fit in {size}")
    if most is not None and min(4 * size, 4 * size if first else PAGE * len(moved)) > most:
        raise MemoryError
    weights = np.full(size, first, np.float32) if first else np.zeros(size, np.float32)
    weights[moved] += steps * np.float32(STEP)
    return weights


def _ascending(places: np.ndarray, size: int) -> bool:
    """Whether places are different ones below `size`, in order."""
    return not len(places) or bool(places[0] >= 0 and (np.diff(places) > 0).all() and places[-1] < size)


def _steps(weights: np.ndarray, first: float) -> np.ndarray:
    """How many whole steps each weight has gone."""
    return np.clip(np.rint((weights - np.float32(first)) / np.float32(STEP)), -MOST, MOST).astype(np.int16)


def _deflated(array: np.ndarray) -> np.ndarray:
    """First all lowest bytes, then all second ones and so on: the high ones are nearly all the same."""
    planes = array.astype(array.dtype.newbyteorder("<"), copy=False).view(np.uint8).reshape(-1, array.itemsize).T
    return np.frombuffer(zlib.compress(planes.tobytes(), 9), np.uint8)


def _inflated(data: np.ndarray, dtype: np.dtype) -> np.ndarray:
    planes = np.frombuffer(zlib.decompress(data.tobytes()), np.uint8).reshape(dtype.itemsize, -1)
    return np.ascontiguousarray(planes.T).view(dtype.newbyteorder("<")).reshape(-1).astype(dtype)
