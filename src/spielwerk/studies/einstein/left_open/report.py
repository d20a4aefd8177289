"""What the open questions report: each kind of agents, and what it does better or worse than the first of its group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from spielwerk.studies import plots
from spielwerk.studies.einstein.left_open.arms import DECISIONS, OpenArm
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import VALUE, Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample


@dataclass(frozen=True)
class OpenQuestion:
    """A question that the source leaves open, and the agents that answer it."""

    name: str
    about: str
    section: str
    arms: tuple[OpenArm, ...]
    notes: tuple[str, ...] = ()

    def jobs(self, form: Form) -> list[Job]:
        """All agents."""
        return [job for arm in self.arms for job in arm.jobs(form)]

    def report(self, form: Form, results: Results) -> Report:
        """A row for each match and grade, and the differences in words."""
        rows = [row for arm in self.arms for row in _rows(arm, form, results)]
        notes = [*self.notes, *(self._graded()), *(_compared(group, form, results) for group in self.groups())]
        draw = partial(plots.beside, self.about, rows, "win rate")
        return Report(rows, notes, {"rates": draw})

    def groups(self) -> list[list[OpenArm]]:
        """The arms that are compared with each other, the first of them with all others."""
        names = dict.fromkeys(arm.group or arm.game for arm in self.arms)
        return [[arm for arm in self.arms if (arm.group or arm.game) == name] for name in names]

    def _graded(self) -> list[str]:
        text = f"Regret: what a decision costs on average, by the exact solution, on {DECISIONS:,} public decisions."
        return [text] if any(arm.graded for arm in self.arms) else []

    def recipe(self) -> Recipe:
        """As the study lists it."""
        full, quick = ({arm.episodes[i] for arm in self.arms} for i in (0, 1))
        agents = {arm.agents for arm in self.arms}
        less = (
            f"{_ends(quick)} episodes instead of {_ends(full)}, {_ends({few for _, few in agents})} agents instead of "
            f"{_ends({many for many, _ in agents})}"
        )
        return Recipe(f"einstein/{self.name}", self.about, self.jobs, self.report, less, self.section)


def _rows(arm: OpenArm, form: Form, results: Results) -> list[Row]:
    note = f"{arm.weights(form, results):,} weights"
    rows = []
    for match in arm.matches:
        name = f"{arm.game}: {arm.label}, {match.name}"
        rows.append(Row.of(name, None, arm.rate(match.name, form, results), note=note))
    if arm.graded:
        sample = arm.regret(form, results)
        name = f"{arm.game}: {arm.label}, regret a decision"
        rows.append(Row(name, None, sample.mean, sample.spread_interval, sd=sample.sd, unit=VALUE, note=note))
    return rows


def _compared(group: Sequence[OpenArm], form: Form, results: Results) -> str:
    """Each arm of a group against the first, agents of the same seed in pairs."""
    first, *others = group
    parts = []
    for arm in others:
        said = [_points(match.name, _gain(arm, first, match.name, form, results)) for match in arm.matches]
        if arm.graded and first.graded:
            said.append(_regret_gain(arm.regret(form, results), first.regret(form, results)))
        parts.append(f"{arm.label}: {', '.join(said)}")
    return f"{first.group or first.game}, compared with {first.label}: {'; '.join(parts)}."


def _gain(arm: OpenArm, first: OpenArm, match: str, form: Form, results: Results) -> Sample:
    mine, theirs = arm.rate(match, form, results).values, first.rate(match, form, results).values
    return Sample(tuple(a - b for a, b in zip(mine, theirs, strict=False)))


def _points(name: str, gain: Sample) -> str:
    low, high = gain.spread_interval
    verdict = "better" if low > 0 else "worse" if high < 0 else "no clear difference"
    return f"{name} {100 * gain.mean:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f}: {verdict})"


def _regret_gain(mine: Sample, theirs: Sample) -> str:
    gain = Sample(tuple(a - b for a, b in zip(mine.values, theirs.values, strict=False)))
    low, high = gain.spread_interval
    verdict = "better" if high < 0 else "worse" if low > 0 else "no clear difference"
    return f"regret {gain.mean:+.4f} ({low:+.4f} to {high:+.4f}: {verdict})"


def _ends(numbers: set[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
