"""Figures as people read them: shares, intervals, counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spielwerk.arena.matches.statistics import Interval


def percent(share: float) -> str:
    """Such as 93.3 %."""
    return f"{100 * share:.1f} %"


def percent_interval(share: float, interval: Interval | None) -> str:
    """Such as 93.3 % (92.1 to 94.4)."""
    low, high = interval or (share, share)
    return f"{percent(share)} ({100 * low:.1f} to {100 * high:.1f})"


def counted(number: int, what: str) -> str:
    """Such as 1 game, or 1,000 games."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
