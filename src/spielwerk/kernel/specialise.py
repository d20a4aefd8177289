"""Specialising: binds a kernel to one game's rules and constants, and compiles it for a target.

A kernel is a plain function that uses interface functions (`@interface`) and unbound constants
(`unbound`). Binding copies it, and every plain function that it reaches, with new globals; no module
is ever changed. Each copy is named by a digest over all the code it reaches and all constants bound,
so equal code is compiled once, different variants never meet, and an edited rule is never stale.

Targets: "cpu" (numba), "cuda" (numba-cuda, or its simulator), "python" (guarded, for debugging).
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Protocol

import numpy as np

Bindings = Mapping[str, Any]
PLAIN_MODULES = ("numpy", "math", "numba.cuda", "numba_cuda.numba.cuda")


class Target(Protocol):
    """What a target module (`cpu`, `cuda`, `python`) offers."""

    __file__: str
    PRIMITIVES: Mapping[Callable[..., Any], Any]

    def helper(self, function: FunctionType) -> Any:
        """A function that other functions of the target call."""
        ...

    def entry(self, function: FunctionType) -> Any:
        """A function that Python calls."""
        ...

    def constant(self, value: Any) -> Any:
        """A bound constant in the target's form."""
        ...


class Unbound:
    """A constant that has no value before `specialise`; using it says so."""

    def __init__(self, name: str) -> None:
        self.name = name

    def _no_value(self, *_: object) -> Any:
        raise TypeError(f"{self.name} is bound by specialise(); it has no value here.")

    __index__ = __bool__ = __int__ = __float__ = __len__ = __getitem__ = __iter__ = _no_value
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __mod__ = _no_value


def unbound(name: str) -> Any:
    """Declares a constant that each game or variant binds."""
    return Unbound(name)


def interface(function: FunctionType) -> Any:
    """Marks a stub that `specialise` replaces by the function bound under the same name."""
    function.__dict__["interface"] = True
    return function


@dataclass(frozen=True)
class _Bound:
    """A function with the digest of everything it reaches, and its globals by name."""

    function: FunctionType
    digest: str
    globals: dict[str, Any]  # name → _Bound, or a value


def digest(function: Callable[..., Any], bindings: Bindings) -> str:
    """16 hex digits that change with any function reached and any constant bound."""
    return _Binder(bindings).bind(_plain(function)).digest


def specialise(function: Callable[..., Any], bindings: Bindings, target: str = "cpu", label: str = "") -> Any:
    """`function` with the game's rules and constants in `bindings`, compiled for `target`.

    `label` is the readable part of its name in the cache; by default the function's own name.
    """
    bound = _Binder(bindings).bind(_plain(function))
    key = (target, bound.digest)
    if key not in _entries:
        module: Any = importlib.import_module(f"spielwerk.kernel.{target}")
        entry = _build(bound, target, module)
        entry.__qualname__ = f"{label or function.__name__}_{_stamped(bound.digest, module)}"
        _entries[key] = module.entry(entry)
    return _entries[key]


def _stamped(digest: str, module: Target) -> str:
    """The digest, joined with the target's own source, which holds its instructions and options."""
    source = Path(module.__file__).read_bytes()
    return hashlib.sha256(digest.encode() + source).hexdigest()[:16]


_entries: dict[tuple[str, str], Any] = {}
_helpers: dict[tuple[str, str], Any] = {}


def _plain(function: Any) -> FunctionType:
    if not isinstance(function, FunctionType):
        raise TypeError(f"{function!r} is not a plain function.")
    return function


class _Binder:
    def __init__(self, bindings: Bindings) -> None:
        self.bindings = bindings
        self.done: dict[FunctionType, _Bound] = {}
        self.open: list[FunctionType] = []

    def bind(self, function: FunctionType) -> _Bound:
        if function.__dict__.get("interface"):
            function = _plain(self.lookup(function.__name__))
        if function in self.done:
            return self.done[function]
        if function in self.open:
            raise TypeError(f"{function.__name__} calls itself: kernels search iteratively.")
        if function.__closure__:
            raise TypeError(f"{function.__name__} is a closure, which cannot be cached.")
        self.open.append(function)
        values = {name: self.value(function, name) for name in sorted(_names(function.__code__))}
        values = {name: value for name, value in values.items() if value is not _BUILTIN}
        self.open.pop()
        bound = _Bound(function, _digest(function, values), values)
        self.done[function] = bound
        return bound

    def lookup(self, name: str) -> Any:
        if name not in self.bindings:
            raise TypeError(f'nothing is bound to the name "{name}" of the interface.')
        return self.bindings[name]

    def value(self, function: FunctionType, name: str) -> Any:
        if name not in function.__globals__:
            return _BUILTIN
        value = function.__globals__[name]
        if isinstance(value, Unbound):
            value = self.lookup(value.name)
        if isinstance(value, ModuleType) and value.__name__ not in PLAIN_MODULES:
            raise TypeError(f"{function.__name__} uses the module {name}: import the names instead.")
        return self.bind(value) if isinstance(value, FunctionType) else value


_BUILTIN = object()


def _names(code: CodeType) -> set[str]:
    """The globals that the code reads, not the attributes (`grid` in `cuda.grid`)."""
    inner = [_names(const) for const in code.co_consts if isinstance(const, CodeType)]
    own = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    return own.union(*inner)


def _digest(function: FunctionType, values: dict[str, Any]) -> str:
    text = [str(function.__module__), function.__name__, _code_text(function.__code__), repr(function.__defaults__)]
    text += [f"{name}={_value_text(value)}" for name, value in values.items()]
    return hashlib.sha256("\n".join(text).encode()).hexdigest()[:16]


def _code_text(code: CodeType) -> str:
    consts = [_code_text(c) if isinstance(c, CodeType) else _value_text(c) for c in code.co_consts]
    return repr((code.co_code.hex(), consts, code.co_names, code.co_varnames))


def _value_text(value: Any) -> str:
    if isinstance(value, _Bound):
        return value.digest
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_value_text, value))})"
    if isinstance(value, frozenset):
        return repr(sorted(value))
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', ())}"
    return f"{type(value).__name__} {value!r}"


def _build(bound: _Bound, target: str, module: Target) -> FunctionType:
    """A copy of the function whose globals are the target's helpers and constants."""
    values: dict[str, Any] = {"__builtins__": builtins, "__name__": bound.function.__module__}
    for name, value in bound.globals.items():
        if isinstance(value, _Bound):
            values[name] = _helper(value, target, module)
        else:
            values[name] = module.constant(value)
    name = f"{bound.function.__name__}_{bound.digest}"
    copy = FunctionType(bound.function.__code__, values, name, bound.function.__defaults__)
    copy.__qualname__ = name
    copy.__module__ = bound.function.__module__
    return copy


def _helper(bound: _Bound, target: str, module: Target) -> Any:
    primitive = module.PRIMITIVES.get(bound.function)
    if primitive is not None:
        return primitive
    key = (target, bound.digest)
    if key not in _helpers:
        _helpers[key] = module.helper(_build(bound, target, module))
    return _helpers[key]
