"""Reads the published figures."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Any


@functools.cache
def _everything() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("published.toml").read_text(encoding="utf-8"))


def published(name: str) -> dict[str, Any]:
    """What the source says of an experiment, such as "stack-8-1", or of "related" work; its "questions"."""
    return _everything()[name]


def section(recipe: str) -> str:
    """The section of the source that a recipe such as "nim/stack-8-1" follows."""
    return published("sections")[recipe.partition("/")[2]]
