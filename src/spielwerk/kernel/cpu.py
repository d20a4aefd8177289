"""The CPU target: numba, with every entry cached on disk under its digest."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.extending import intrinsic

from spielwerk.kernel import bits
from spielwerk.kernel.cache import KernelCache

# Kernels allocate nothing, so that counting references to arrays (`_nrt`) would only cost time; no C code calls them.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}


def _instruction(emit: Callable[[Any, Any], Any]) -> Any:
    """One machine instruction on an int64, written into the code by `emit(builder, x)`."""

    @intrinsic
    def instruction(context, x):
        return types.int64(types.int64), lambda _, builder, __, args: emit(builder, args[0])

    return instruction


_count = _instruction(lambda builder, x: builder.ctpop(x))
_lowest = _instruction(lambda builder, x: builder.cttz(x, ir.Constant(ir.IntType(1), 1)))
_leading = _instruction(lambda builder, x: builder.ctlz(x, ir.Constant(ir.IntType(1), 1)))
_reverse = _instruction(lambda builder, x: builder.bitreverse(x))


@intrinsic
def _shift_right(context, x, n):
    signature = types.int64(types.int64, types.int64)
    return signature, lambda _, builder, __, args: builder.lshr(args[0], args[1])


def _shift_left(x, n):
    return x << n


def _highest(x):
    return 63 - _leading(x)


def _without_lowest(x):
    return x & (x - 1)


def _wrap(x):
    return x


PRIMITIVES: dict[Callable[..., Any], Any] = {
    bits.wrap: njit(_wrap),
    bits.narrow: njit(_wrap),  # words of 64 bits are no slower here
    bits.shift_left: njit(_shift_left),
    bits.shift_right: _shift_right,
    bits.count: _count,
    bits.lowest: _lowest,
    bits.without_lowest: njit(_without_lowest),
    bits.highest: njit(_highest),
    bits.reverse: _reverse,
}


def constant(value: Any) -> Any:
    """Arrays and numbers become part of the code; numba caches only arrays that lie in one piece."""
    return np.ascontiguousarray(value) if isinstance(value, np.ndarray) else value


def helper(function: FunctionType) -> Any:
    """Compiled with the functions that call it; into them, where its package says `INLINED`.

    Left to itself, LLVM calls many functions of a tree search, which costs a tenth to a third. Everywhere, inlining
    would make kernels with many calls, such as those of Othello's rules, compile for minutes. Python never calls it,
    so that what would unpack Python's arguments is not compiled.
    """
    package = sys.modules.get(function.__module__.rpartition(".")[0])
    options = {**OPTIONS, "forceinline": getattr(package, "INLINED", False), "no_cpython_wrapper": True}
    return njit(**options)(function)


def entry(function: FunctionType) -> Any:
    """Compiled at its first call, or loaded from the cache."""
    compiled: Any = njit(**OPTIONS)(function)
    compiled._cache = KernelCache(function)
    return compiled
