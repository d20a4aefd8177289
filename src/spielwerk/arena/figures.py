"""Figures as people read them: shares, intervals, counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spielwerk.arena.matches.statistics import Interval


EXACT = 6  # digits of a tenth of a percent, beyond which a float is not what it stands for


def percentage(share: float) -> str:
    """Such as 93.3; the shares of two that make a whole add up to 100.0, halves of a tenth included."""
    return f"{round(round(1000 * share, EXACT)) / 10:.1f}"


def percent(share: float) -> str:
    """Such as 93.3 %."""
    return f"{percentage(share)} %"


def percent_interval(share: float, interval: Interval | None) -> str:
    """Such as 93.3 % (92.1 to 94.4)."""
    low, high = interval or (share, share)
    return f"{percent(share)} ({percentage(low)} to {percentage(high)})"


def counted(number: int, what: str) -> str:
    """Such as 1 game, or 1,000 games."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
