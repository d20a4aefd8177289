"""Measurement: one figure of an agent while it learns, with its interval."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

RATE, SCORE = "rate against ", "score against "  # and the opponent's name
LOSS, BEST_CLASS, PERFECT = "loss", "best class", "perfect"  # against the oracle: see `arena/grade.py`


@dataclass(frozen=True)
class Measurement:
    """A figure after so many episodes of learning, taken from so many games (or decisions)."""

    episode: int
    what: str  # such as "rate against random"
    value: float
    low: float
    high: float
    games: int

    def facts(self) -> dict[str, Any]:
        """What is written of it."""
        return asdict(self)


def is_share(what: str) -> bool:
    """Whether a figure is a share of games or decisions."""
    return what.startswith(RATE) or what in (BEST_CLASS, PERFECT)


def is_main(what: str) -> bool:
    """Whether a figure is one of those that curves show: the rates, and what is lost a decision."""
    return what.startswith(RATE) or what == LOSS


def possible(what: str) -> tuple[float, float]:
    """From where to where a figure can lie."""
    return (0.0, 1.0) if is_share(what) else (0.0, math.inf) if what == LOSS else (-math.inf, math.inf)
