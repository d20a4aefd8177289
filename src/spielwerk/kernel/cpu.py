"""The CPU target: numba, with every entry cached on disk under its digest.

Left to itself, numba optimises each function with all that it calls, and translates it to machine code, before it does
the same for the function's caller. Here a helper is only linked, and its entry optimised as a whole: the same speed
for two thirds of the time to compile. That goes by parts of numba which are its own business, so other versions than
those that were tried compile as they like.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import ir
from numba import _dynfunc, njit, types, version_info  # pyright: ignore[reportAttributeAccessIssue]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.extending import intrinsic
from numba.core.registry import CPUDispatcher

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


def constant(value: Any) -> Any:
    """Arrays and numbers become part of the code; numba caches only arrays that lie in one piece."""
    return np.ascontiguousarray(value) if isinstance(value, np.ndarray) else value


LINKED = version_info.short in ((0, 68),)


class _LinkedLibrary(JITCodeLibrary):
    """The code of a helper, which is optimised with its caller and never run alone."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


def _not_executable(library: Any, described: Any, environment: Any) -> Any:
    """What numba takes for the function in memory: only the key of its code."""
    library._ensure_finalized()
    return _dynfunc.make_function(described.lookup_module(), described.qualname, "", 0, environment, (library,))


class _HelperCompiler(Compiler):
    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        linked = _LinkedLibrary(target.codegen(), "helper")
        super().__init__(typing, target.subtarget(get_executable=_not_executable), linked, *rest)


class _EntryCompiler(Compiler):
    def compile_extra(self, func: Any) -> Any:
        """As numba's, without searching for garbage meanwhile, which takes a tenth of the time."""
        collecting = gc.isenabled()
        gc.disable()
        try:
            compiled: Any = super().compile_extra(func)
        finally:
            if collecting:
                gc.enable()
        for environment in compiled._find_referenced_environments():  # a helper's `print` finds its text there
            compiled.library.codegen.set_env(environment.env_name, environment)
        return compiled


class _Helper(CPUDispatcher):
    """Compiled once for all integers: numba would compile it again for each number written in a call."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """As numba's, for the types of the arguments alone."""
        plain = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(types.unliteral, args)), plain)


def helper(function: FunctionType) -> Any:
    """Compiled with the functions that call it; into them, where its module or package says `INLINED`.

    Left to itself, LLVM calls many functions of a tree search, which costs a tenth to a third. Everywhere, inlining
    would make kernels with many calls, such as those of Othello's rules, compile for minutes. Python never calls it,
    so that what would unpack Python's arguments is not compiled.
    """
    places = function.__module__, function.__module__.rpartition(".")[0]
    inlined = any(getattr(sys.modules.get(place), "INLINED", False) for place in places)
    options = {**OPTIONS, "forceinline": inlined, "no_cpython_wrapper": True}
    if not LINKED:
        return njit(**options)(function)
    return _Helper(function, targetoptions={**options, "nopython": True}, pipeline_class=_HelperCompiler)


def entry(function: FunctionType) -> Any:
    """Compiled at its first call, or loaded from the cache."""
    compiled: Any = njit(pipeline_class=_EntryCompiler if LINKED else Compiler, **OPTIONS)(function)
    compiled._cache = KernelCache(function)
    return compiled


PRIMITIVES: dict[Callable[..., Any], Any] = {
    bits.wrap: helper(_wrap),
    bits.narrow: helper(_wrap),  # words of 64 bits are no slower here
    bits.shift_left: helper(_shift_left),
    bits.shift_right: _shift_right,
    bits.count: _count,
    bits.lowest: _lowest,
    bits.without_lowest: helper(_without_lowest),
    bits.highest: helper(_highest),
    bits.reverse: _reverse,
}
