"""From trainings to rows: each figure with the interval that so many positions leave."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from spielwerk.arena.matches.statistics import Interval
from spielwerk.studies.job import Result
from spielwerk.studies.report import Row
from spielwerk.studies.trainings.rows import figure_of

SPREAD = 1.96  # standard deviations of a 95 % interval


def interval(share: float, count: int) -> Interval:
    """Wilson's interval of a share of so many positions."""
    if not count:
        return 0.0, 1.0
    middle = (share + SPREAD**2 / (2 * count)) / (1 + SPREAD**2 / count)
    half = SPREAD / (1 + SPREAD**2 / count) * math.sqrt(share * (1 - share) / count + SPREAD**2 / (4 * count**2))
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def share_row(name: str, published: float | None, share: float, count: int, note: str = "", **more: Any) -> Row:
    """A share of so many positions."""
    return Row(name, published, share, interval(share, count), note=note, more={"positions": count, **more})


def trained(result: Result) -> str:
    """How a training went, in words."""
    return f"{result['epochs']:g} epochs, {result['seconds']:.0f} s, {result['weights']:,} weights"


def summary_rows(name: str, result: Result, published: float | None = None) -> list[Row]:
    """What is compared of variations: legality on what was never seen, accuracy, and the lowest precision."""
    rows: list[Row] = []
    for where in ("test", "states"):
        if where in result:
            said, count = result[where], result[where]["positions"]
            theirs = published if where == "states" else None
            rows.append(share_row(f"legality ({where}): {name}", theirs, said["legality"], count, trained(result)))
    for kind, said in result.get("asked", {}).items():
        rows.append(share_row(f"legality ({kind}): {name}", None, said["legality"], said["positions"]))
    test = result["test"]
    rows.append(share_row(f"accuracy: {name}", None, test["accuracy"], test["positions"]))
    if "best" in test:
        rows.append(share_row(f"among the best moves: {name}", None, test["best"], test["positions"]))
    grade = result.get("grade", {})
    if grade:
        what, value, found, unit = figure_of(grade)  # regret, where positions are worth more than three classes
        asked = f"{grade['decisions']:,} judged decisions"
        rows.append(Row(f"{what}: {name}", None, value, found, note=asked, unit=unit))
    rows.append(Row(f"lowest precision: {name}", None, lowest(test)))
    return rows


def lowest(facts: dict[str, Any]) -> float:
    """The lowest precision of any network at any recall."""
    found = [min(one["precision"]) for one in facts["reliability"].values() if one["positions"]]
    return min(found, default=0.0)


def broken_rows(name: str, facts: dict[str, Any]) -> list[Row]:
    """Of illegal moves, which rule each breaks first."""
    total = sum(facts["broken"].values())
    ordered: Sequence[tuple[str, int]] = sorted(facts["broken"].items(), key=lambda one: -one[1])
    return [share_row(f"{name} breaks: {rule}", None, count / total, total) for rule, count in ordered]
