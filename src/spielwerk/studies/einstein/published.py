"""Reads the published figures, and turns GBG's mean scores into win rates."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Any

SCORE = "score"


@functools.cache
def everything() -> dict[str, Any]:
    """All tables and figures."""
    return tomllib.loads(Path(__file__).with_name("published.toml").read_text(encoding="utf-8"))


def published(name: str) -> dict[str, Any]:
    """What the source prints in a table or figure, such as "table-3"."""
    return everything()[name]


def rate(value: float, unit: str) -> float:
    """The win rate that a printed figure means."""
    return (1 + value) / 2 if unit == SCORE else value


def doubt(value: float) -> str:
    """What a printed figure, taken for a win rate, means if it is a mean score."""
    return f"published: {100 * rate(value, SCORE):.1f} % if it is a mean score"


def spread(deviation: float | None, unit: str) -> float | None:
    """The standard deviation of a win rate that a printed one means."""
    return None if deviation is None else deviation / 2 if unit == SCORE else deviation


def contradictions(name: str) -> list[str]:
    """Where the source contradicts itself, or leaves something open, about a table or figure."""
    return published(name).get("contradictions", [])


def section(name: str) -> str:
    """Where in the source a table or figure stands."""
    kind, _, number = name.partition("-")
    return f"section {published(name)['section']}, {kind} {number}"
