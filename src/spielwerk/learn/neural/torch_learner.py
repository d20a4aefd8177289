"""Learners that need torch, which is an extra."""

from __future__ import annotations

import importlib
from typing import Any

from spielwerk.names import BadInput


def torch_learner(module: str, name: str) -> Any:
    """The class `name` of a module; BadInput where torch is not installed."""
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as problem:
        if problem.name != "torch":
            raise
        raise BadInput("A network learns with torch, which is not installed: pip install 'spielwerk[train]'.") from None
