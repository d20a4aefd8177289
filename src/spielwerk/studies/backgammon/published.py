"""Reads the published figures."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Any


@functools.cache
def _everything() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("published.toml").read_text(encoding="utf-8"))


def published(table: str, name: str) -> float | None:
    """What is known of a rung, or of a match; of a range its middle, None where nothing is."""
    found = _everything()[table].get(name)
    return None if found is None else sum(found) / len(found)


def remark(table: str, name: str) -> str:
    """The range, where one is known; else nothing."""
    found = _everything()[table].get(name, ())
    return f"known elsewhere: {found[0]:g} to {found[1]:g}" if len(found) > 1 else ""
