"""The debugging target: kernels as plain Python on arrays that refuse a wrong index."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

PRIMITIVES: dict[Callable[..., Any], Any] = {}


class Guarded:
    """An array that refuses negative and overlong indices, and slices, which kernels do not use."""

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    @property
    def shape(self) -> tuple[int, ...]:
        """As numpy's."""
        return self.array.shape

    def _checked(self, index: Any) -> tuple[int, ...]:
        indices = index if isinstance(index, tuple) else (index,)
        numbers = tuple(operator.index(i) for i in indices)
        for number, size in zip(numbers, self.array.shape, strict=False):
            if not 0 <= number < size:
                raise IndexError(f"index {number} is outside an array of {size}.")
        return numbers

    def __getitem__(self, index: Any) -> Any:
        value = self.array[self._checked(index)]
        if isinstance(value, np.ndarray):
            return Guarded(value)
        return value if self.array.dtype == np.uint64 else value.item()

    def __setitem__(self, index: Any, value: Any) -> None:
        numbers = self._checked(index)
        if len(numbers) != self.array.ndim:
            raise IndexError("a kernel writes single elements only.")
        self.array[numbers] = value


def constant(value: Any) -> Any:
    """Tables are guarded too, also those in tuples."""
    if isinstance(value, tuple):
        inner = map(constant, value)
        return type(value)._make(inner) if hasattr(value, "_fields") else tuple(inner)  # pyright: ignore
    return Guarded(value) if isinstance(value, np.ndarray) else value


def helper(function: FunctionType) -> Any:
    """Called by other plain functions, as it is."""
    return function


def entry(function: FunctionType) -> Any:
    """The function, with every array it is given guarded."""

    @functools.wraps(function)
    def guarded(*args: Any) -> Any:
        return function(*(constant(arg) for arg in args))

    return guarded
