"""Measurement: one figure of an agent while it learns, with its interval."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from spielwerk.data import cleaned, is_number, is_whole

if TYPE_CHECKING:
    from spielwerk.arena.matches.statistics import Interval

RATE, SCORE = "rate against ", "score against "  # and the opponent's name
REGRET, BEST_CLASS, PERFECT = "regret", "best class", "perfect"  # against the oracle: see `arena/grading/grade.py`
MOST = 10**15  # of anything
FORMER = {"loss": REGRET}  # what figures were called in files of earlier versions


@dataclass(frozen=True)
class Measurement:
    """A figure after so many episodes of learning, taken from so many games (or decisions)."""

    episode: int
    what: str  # such as "rate against random"
    value: float
    low: float
    high: float
    games: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "what", FORMER.get(self.what, self.what))

    def facts(self) -> dict[str, Any]:
        """What is written of it."""
        return asdict(self)


def measurement_of(facts: Any) -> Measurement:
    """The measurement that somebody has written; ValueError or TypeError where it is none."""
    found = Measurement(**cleaned(facts))
    figures = (found.value, found.low, found.high)
    whole = is_whole(found.episode, 0, MOST) and is_whole(found.games, 0, MOST)
    if not whole or not isinstance(found.what, str) or not all(is_number(one, -MOST, MOST) for one in figures):
        raise ValueError
    return found


def is_share(what: str) -> bool:
    """Whether a figure is a share of games or decisions."""
    return what.startswith(RATE) or what in (BEST_CLASS, PERFECT)


def is_main(what: str) -> bool:
    """Whether a figure is one of those that curves show: the rates, and the regret."""
    return what.startswith(RATE) or what == REGRET


def possible(what: str, best: float = math.inf) -> Interval:
    """From where to where a figure can lie, in a game whose highest score is `best`."""
    return (0.0, 1.0) if is_share(what) else (0.0, 2 * best) if what == REGRET else (-best, best)


def value_text(what: str, value: float) -> str:
    """Such as 91.2 %, or 0.0061."""
    return f"{100 * value:.1f} %" if is_share(what) else f"{value:.4f}"


def figure_text(what: str, value: float, interval: Interval) -> str:
    """Such as 91.2 % (90.8 to 91.6)."""
    low, high = interval
    ends = f"{100 * low:.1f} to {100 * high:.1f}" if is_share(what) else f"{low:.4f} to {high:.4f}"
    return f"{value_text(what, value)} ({ends})"
