"""What a recipe reports: published and reproduced figures, notes on them, and plots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from spielwerk.arena.matches.statistics import Interval
from spielwerk.studies.sample import Sample

Draw = Callable[[], Any]  # a matplotlib figure
SHARE, NUMBER, VALUE = "share", "number", "value"  # 0..1 shown in percent; whole numbers; anything else


@dataclass(frozen=True)
class Row:
    """One figure. `printed` is what the source prints where that is no win rate; `die` the rule by which ours came."""

    name: str
    published: float | None
    ours: float | None
    interval: Interval | None = None
    printed: float | None = None
    published_sd: float | None = None
    sd: float | None = None
    die: str | None = None
    note: str = ""
    unit: str = SHARE
    more: Mapping[str, Any] = field(default_factory=dict)  # figures for which a table has no room

    @staticmethod
    def of(name: str, published: float | None, sample: Sample, scale: float = 1.0, **more: Any) -> Row:
        """A row whose figure is the mean of a sample; `scale` makes its deviation that of the source's sample size."""
        return Row(name, published, sample.mean, sample.interval, sd=scale * sample.sd, **more)

    def facts(self) -> dict[str, Any]:
        """What `--json` prints; the first four keys and `unit` are always there."""
        facts = {"name": self.name, "published": self.published, "ours": self.ours}
        facts["interval"] = None if self.interval is None else list(self.interval)
        more = {key: getattr(self, key) for key in ("printed", "published_sd", "sd", "die", "note")}
        return (
            facts
            | {key: value for key, value in more.items() if value not in (None, "")}
            | {"unit": self.unit}
            | dict(self.more)
        )


@dataclass(frozen=True)
class Report:
    """Rows, sentences about them, and plots by name."""

    rows: Sequence[Row]
    notes: Sequence[str] = ()
    plots: dict[str, Draw] = field(default_factory=dict)


def cells(row: Row) -> list[str]:
    """A row as a table shows it."""
    shown = [figure(value, row.unit) for value in (row.printed, row.published, row.ours)]
    low_high = "" if row.interval is None else between(row.interval, row.unit)
    spread = [] if row.sd is None else [deviation(row.sd, row.unit)]
    spread += [] if row.published_sd is None else [f"({deviation(row.published_sd, row.unit)})"]
    spread += ["points"] if spread and row.unit == SHARE else []
    return [row.name, row.die or "", *shown, low_high, " ".join(spread), row.note]


DEVIATION, OURS_ONLY = ">deviation (published)", ">deviation"
HEADS = ("", "die", ">as printed", ">published", ">reproduced", ">interval", DEVIATION, "note")
SPARE = ((DEVIATION, OURS_ONLY), (">as printed",), ("note",))  # what a narrow table can do without, in this order


def heads(rows: Sequence[Row]) -> tuple[str, ...]:
    """The heads of a table of these rows: the published ones are named only where the source gives deviations."""
    theirs = any(row.published_sd is not None for row in rows)
    return HEADS if theirs else tuple(OURS_ONLY if head == DEVIATION else head for head in HEADS)


def figure(value: float | None, unit: str) -> str:
    """A figure for people."""
    if value is None:
        return ""
    if unit == SHARE:
        return f"{100 * value:.1f} %"
    if unit == NUMBER and value < 1e15:
        return f"{value:,.0f}"
    return f"{value:.5f}" if 1e-5 <= abs(value) < 1e-4 else f"{value:.4g}"  # not 4.9e-05


def deviation(value: float, unit: str) -> str:
    """A standard deviation for people, that of shares in points."""
    return f"{100 * value:.1f}" if unit == SHARE else figure(value, unit)


def between(interval: Interval, unit: str) -> str:
    """Such as 91.0 to 92.4."""
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f}" if unit == SHARE else f"{figure(low, unit)} to {figure(high, unit)}"
