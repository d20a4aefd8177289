"""What a source prints of a sample besides its mean: the least value, the median and the largest, beside ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielwerk.studies.einstein.published import SCORE, doubt, rate, spread
from spielwerk.studies.report import Row
from spielwerk.studies.sample import Sample

PRINTED = ("min", "median", "max")


def known_row(name: str, line: Mapping[str, Any], unit: str, sample: Sample, scale: float = 1.0, **more: Any) -> Row:
    """A published line beside our sample: mean, deviation, least, median and largest; `scale` as in `Row.of`.

    `doubtful` among the others says that the line may be a mean score though it is called a win rate.
    """
    notes = [doubt(line["mean"])] if more.pop("doubtful", False) else []
    notes = ["published: more than that", *notes] if line.get("least") else notes
    given: dict[str, Any] = {"printed": line["mean"] if unit == SCORE else None}
    given |= {"published_sd": spread(line.get("sd"), unit), "more": extremes(line, unit, sample)}
    note = "; ".join([*extremes_text(given["more"]), *notes])
    return Row.of(name, rate(line["mean"], unit), sample, scale, note=note, **given, **more)


def extremes(line: Mapping[str, Any], unit: str, sample: Sample) -> dict[str, float]:
    """What is printed of the least value, the median and the largest, and ours."""
    ours = {"min": min(sample.values), "median": sample.median, "max": max(sample.values)}
    printed = [key for key in PRINTED if key in line]
    return {f"published_{key}": rate(line[key], unit) for key in printed} | {key: ours[key] for key in printed}


def extremes_text(found: Mapping[str, float]) -> list[str]:
    """The same in words, such as "min, median, max 85.0, 91.5, 94.0 % (85.0, 91.8, 94.5 %)"; nothing without any."""
    names = [key for key in PRINTED if key in found]
    ours, theirs = (", ".join(f"{100 * found[f'{prefix}{key}']:.1f}" for key in names) for prefix in ("", "published_"))
    return [f"{', '.join(names)} {ours} % ({theirs} %)"] if names else []
