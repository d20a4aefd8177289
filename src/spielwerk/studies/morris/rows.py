"""From trainings with several seeds to rows: the mean, its interval over seeds, and the difference from the base."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from spielwerk.arena.matches.statistics import rate_interval
from spielwerk.studies.job import Result
from spielwerk.studies.morris.arms import ALPHABETA, OPPONENTS, RANDOM
from spielwerk.studies.plots import Curve
from spielwerk.studies.ranks import spearman
from spielwerk.studies.report import SHARE, Row, between, figure
from spielwerk.studies.report import VALUE as PLAIN
from spielwerk.studies.sample import Sample
from spielwerk.studies.trainings.measures import RAW, VALUE

BASE = "base"  # what the arm is called that differs in nothing
BEST_CLASS = "best class"
AGREEMENT = "value and judged results"
TITLES = {
    RAW: BEST_CLASS,
    RANDOM: f"rate against {OPPONENTS[RANDOM]}",
    ALPHABETA: f"rate against {OPPONENTS[ALPHABETA]}",
    VALUE: AGREEMENT,
}
CORRELATION, AMOUNT = "correlation", "amount"
BOUNDS = {SHARE: (0.0, 1.0), CORRELATION: (-1.0, 1.0), AMOUNT: (0.0, np.inf)}  # of a mean, by what it is of
Figure = Callable[[Result], float]  # of the last point of a training


@dataclass(frozen=True)
class Trained:
    """An arm, and what came out for each seed, in the order of the seeds."""

    name: str
    results: Sequence[Result]

    @property
    def exploded(self) -> list[bool]:
        """Whether each training has exploded."""
        return ["exploded" in result for result in self.results]

    @property
    def whole(self) -> list[Result]:
        """The trainings that came to their end."""
        return [result for result in self.results if "exploded" not in result]

    def values(self, found: Figure) -> dict[int, float]:
        """A figure of each training that came to its end, by the number of its seed."""
        ends = {i: result["points"][-1] for i, result in enumerate(self.results) if "exploded" not in result}
        return {i: found(end) for i, end in ends.items()}

    def followed(self, label: str) -> bool:
        """Whether a measure was taken all along the training."""
        return all(label in point["measured"] for result in self.whole for point in result["points"])

    def curve(self, seconds: float, points: Sequence[float], label: str = RAW) -> Curve:
        """A measure along the training, by default the best class."""
        found = [[of_label(label)(point) for point in result["points"]] for result in self.whole]
        return Curve(self.name, [share * seconds for share in points], np.array(found))


def of_label(label: str) -> Figure:
    """The figure of one measure: a share, or a rank correlation."""

    def found(point: Result) -> float:
        facts = point["measured"][label]
        if label == VALUE:
            return spearman(*facts["judged"]) or 0.0  # a network that says the same of all has no order
        return facts["best_class"] if label == RAW else facts["rate"]

    return found


def rows_of(label: str, arms: Sequence[Trained], base: Trained | None) -> list[Row]:
    """A row for each arm."""
    unit = CORRELATION if label == VALUE else SHARE
    return [row(f"{TITLES[label]}: {arm.name}", arm, of_label(label), unit, base) for arm in arms]


def row(name: str, arm: Trained, found: Figure, what: str = SHARE, base: Trained | None = None, note: str = "") -> Row:
    """The mean over seeds with its interval, and in the note how far the arm is from the base.

    `what` is a SHARE, a CORRELATION or an AMOUNT.
    """
    unit = SHARE if what == SHARE else PLAIN
    values = arm.values(found)
    facts = {"arm": arm.name, "seeds": len(arm.results), "values": list(values.values())}
    said = [note] if note else []
    if base is not None and base is not arm:
        apart = difference(arm, base, found)
        facts |= {} if apart is None else {"difference": apart.mean, "difference_interval": list(apart.spread_interval)}
        said += (
            []
            if apart is None
            else [f"{_signed(apart, unit)} against {'the base' if base.name == BASE else base.name}"]
        )
    said += [_trained(arm)] if values else []
    said += [f"{sum(arm.exploded)} of {len(arm.results)} exploded"] if any(arm.exploded) else []
    if not values:
        return Row(name, None, None, note="; ".join(said), unit=unit, more=facts)
    sample = Sample(tuple(values.values()))
    low, high = np.clip(sample.spread_interval, *BOUNDS[what]).tolist()
    return Row(name, None, sample.mean, (low, high), sd=sample.sd, note="; ".join(said), unit=unit, more=facts)


def difference(arm: Trained, base: Trained, found: Figure) -> Sample | None:
    """What an arm has more than the base, seed by seed; None where no seed came to its end in both."""
    own, theirs = arm.values(found), base.values(found)
    both = tuple(own[i] - theirs[i] for i in own if i in theirs)
    return Sample(both) if both else None


def explosions(arm: Trained) -> Row:
    """The share of trainings whose loss exploded."""
    found = np.array(arm.exploded, float)
    said = next((result["exploded"] for result in arm.results if "exploded" in result), "")
    interval = rate_interval(found, np.arange(len(found)))
    facts = {"arm": arm.name, "seeds": len(found)}
    return Row(f"exploded: {arm.name}", None, float(found.mean()), interval, note=said, more=facts)


def _trained(arm: Trained) -> str:
    """How many games a training had."""
    games = np.mean([result["points"][-1]["games"] for result in arm.whole])
    return f"{len(arm.whole)} seeds of {games:,.0f} games"


def _signed(sample: Sample, unit: str) -> str:
    plus = "+" if sample.mean > 0 else ""
    mean = f"{100 * sample.mean:+.1f} points" if unit == SHARE else f"{plus}{figure(sample.mean, unit)}"
    return f"{mean} ({between(sample.spread_interval, unit)})"
