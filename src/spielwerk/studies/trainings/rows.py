"""From what was measured to rows: each names its figure, its yardstick, and how many games its training had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spielwerk.arena.grading.grade import MILLI
from spielwerk.studies.backgammon.errors import JUDGE
from spielwerk.studies.job import Result
from spielwerk.studies.report import SHARE, VALUE, Row, figure
from spielwerk.studies.sample import Sample
from spielwerk.studies.trainings.measures import RAW
from spielwerk.studies.trainings.plots import Line

MEMG, BEST_CLASS, REGRET = "mEMG", "best class", "regret a decision"


def last(result: Result) -> Result:
    """The last point of a training."""
    return result["points"][-1]


def figure_of(found: Mapping[str, Any]) -> tuple[str, float, tuple[float, float], str]:
    """What was measured: its name, the figure, its interval and its unit."""
    if "rate" in found:
        return "rate", found["rate"], tuple(found["rate_interval"]), SHARE
    if found["best_class"] is not None:
        return BEST_CLASS, found["best_class"], tuple(found["best_class_interval"]), SHARE
    if "memg" in found:
        return MEMG, found["memg"], tuple(found["memg_interval"]), VALUE
    return REGRET, found["regret"], tuple(found["regret_interval"]), VALUE


def row(name: str, point: Result, label: str, note: str = "") -> Row:
    """The figure of one measure at one point of a training."""
    found = point["measured"][label]
    what, value, interval, unit = figure_of(found)
    asked = f"{found['decisions']:,} decisions" if "decisions" in found else f"{found['games']:,} games of the match"
    judged = f", judge {JUDGE}" if what == MEMG else ""
    said = f"{what}, {asked}{judged}; trained {point['games']:,} games, {point['seconds']:.0f} s"
    facts = {"figure": what, "trained_games": point["games"], "trained_seconds": point["seconds"]}
    facts |= {key: found[key] for key in ("decisions", "games") if key in found}
    facts |= {"judge": JUDGE} if what == MEMG else {}
    low, high = interval
    return Row(name, None, value, (low, high), note="; ".join(filter(None, (said, note))), unit=unit, more=facts)


def line(label: str, result: Result, measure: str) -> Line:
    """A measure over the time of a training."""
    points = result["points"]
    figures = [figure_of(point["measured"][measure]) for point in points]
    return Line(label, [point["seconds"] for point in points], [one[1] for one in figures], [one[2] for one in figures])


def apart(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """How much more decisions cost the second than the first, asked the same ones; with its interval."""
    scale = MILLI if "memg" in first else 1.0
    pairs = zip(first["costs"], second["costs"], strict=True)
    sample = Sample(tuple(scale * (theirs - own) for own, theirs in pairs))
    low, high = (figure(end, VALUE) for end in sample.spread_interval)
    return f"{figure(sample.mean, VALUE)} ({low} to {high})"


def blind(points: Sequence[Result]) -> str:
    """A yardstick of raw policies: what one loses that looks at nothing, and how often these play the same."""
    found = [point["measured"][RAW] for point in points]
    same = sorted(one["blindly"] for one in found)
    return (
        f"Always playing the highest action number, whatever the position, would lose {found[0]['blind']:.4f} a "
        f"decision; the raw policies play just that in {100 * same[0]:.0f} to {100 * same[-1]:.0f} % of decisions."
    )


def correlation(name: str, orders: Sequence[float], note: str) -> Row:
    """The mean of rank correlations, with its interval."""
    sample = Sample(tuple(orders))
    low, high = sample.spread_interval
    said = f"{note}; mean of {len(orders):,} decisions"
    return Row(name, None, sample.mean, (max(-1.0, low), min(1.0, high)), note=said, unit=VALUE)
