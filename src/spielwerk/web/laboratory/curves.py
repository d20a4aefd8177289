"""Learning curves for the page: of one run, or of several in the same panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from spielwerk.arena.measurement import RATE, REGRET, is_main, is_share
from spielwerk.learn.curves import metrics_drawn
from spielwerk.learn.figures import BAND, LearningCurve, joined_curves, without_repeats
from spielwerk.learn.metrics import SPEED
from spielwerk.learn.perfect import perfect_rate
from spielwerk.learn.registry import length_names
from spielwerk.learn.run_settings import same_but_seeds
from spielwerk.learn.runs import Run, open_run
from spielwerk.names import BadInput

MOST_RUNS = 8  # in one plot
POINTS = 300  # of a metric that are shown
Group = Sequence[Run]  # runs that differ in nothing but their seeds


def curve_facts(names: Sequence[str]) -> dict[str, Any]:
    """The panels of a plot: strength first, then what the learners logged."""
    if not 1 <= len(set(names)) == len(names) <= MOST_RUNS:
        raise BadInput(f"Name 1 to {MOST_RUNS} different runs.")
    runs = [open_run(name) for name in names]
    if len({run.config.game for run in runs}) > 1:
        raise BadInput("Runs of different games have no scale in common; choose runs of one game.")
    groups = grouped(runs)
    found = [without_repeats(joined_curves(group)) for group in groups]
    shown = [what for what in dict.fromkeys(what for one in found for what in one) if is_main(what)]
    panels = [_strength(what, groups, found) for what in shown]
    return {
        "game": runs[0].config.game,
        "groups": [_group_facts(group) for group in groups],
        "counted": length_names(run.config.kind for run in runs),
        "panels": panels + _metrics(groups, length_names(run.config.kind for run in runs)),
    }


def grouped(runs: Sequence[Run]) -> list[list[Run]]:
    """Runs that differ only by their seeds together."""
    groups: list[list[Run]] = []
    for run in runs:
        same = next((group for group in groups if same_but_seeds(group[0].config, run.config)), None)
        if same is None:
            groups.append([run])
        else:
            same.append(run)
    return groups


def _group_facts(group: Group) -> dict[str, Any]:
    seeds = sum(len(run.config.seeds) for run in group)
    return {"name": " + ".join(run.name for run in group), "runs": [run.name for run in group], "seeds": seeds}


def _strength(what: str, groups: Sequence[Group], found: Sequence[Mapping[str, LearningCurve]]) -> dict[str, Any]:
    lines = [_line(number, groups[number], one[what]) for number, one in enumerate(found) if what in one]
    title = what if what.startswith(RATE) else "regret a decision, by the oracle"
    return {
        "title": title,
        "unit": "share" if is_share(what) else "number",
        "lines": lines,
        "perfect": _perfect(what, groups, found),
    }


def _line(number: int, group: Group, curve: LearningCurve) -> dict[str, Any]:
    """The mean where all seeds were measured, with 95 % intervals unless seeds are too few; and each of several seeds.

    Seeds that learn one after the other are not equally far: each is shown as far as it is.
    """
    few = 1 < len(curve.seeds) < BAND
    intervals = [] if few else [curve.interval(point) for point in range(len(curve.episodes))]
    return {
        "group": number,
        "x": curve.episodes.tolist(),
        "y": curve.mean.tolist(),
        "low": [low for low, _ in intervals],
        "high": [high for _, high in intervals],
        "seeds": _seeds(group, curve.what) if len(curve.seeds) > 1 else [],
        "count": len(curve.seeds),
    }


def _seeds(group: Group, what: str) -> list[dict[str, Any]]:
    found = []
    for run in group:
        for seed in run.config.seeds:
            points = [(one.episode, one.value) for one in run.measurements(seed) if one.what == what]
            found.append({"x": [x for x, _ in points], "y": [y for _, y in points]})
    return [one for one in found if one["x"]]


def _perfect(what: str, groups: Sequence[Group], found: Sequence[Mapping[str, LearningCurve]]) -> float | None:
    """What perfect play reaches, where the oracle graded a run and that is known exactly."""
    if what == REGRET:
        return 0.0
    graded = next((group[0] for group, one in zip(groups, found, strict=True) if REGRET in one and what in one), None)
    if graded is None:
        return None
    return perfect_rate(graded.config.game, what.removeprefix(RATE), graded.config.evaluation.opening)


def _metrics(groups: Sequence[Group], counted: str) -> list[dict[str, Any]]:
    logs = [[run.metrics(seed) for run in group for seed in run.config.seeds] for group in groups]
    lasts = [lines[-1] for group in logs for lines in group if lines]
    titles = {SPEED: f"{counted} a second"}
    panels = []
    for name in metrics_drawn(lasts):
        lines = [_logged(number, log, name) for number, group in enumerate(logs) for log in group]
        title = titles.get(name, name.replace("_", " "))
        kept = [line for line in lines if line["x"]]
        panels.append({"title": title, "unit": "number", "lines": kept, "perfect": None, "metric": name})
    return panels


def _logged(number: int, log: Sequence[Mapping[str, float]], name: str) -> dict[str, Any]:
    """A metric of one seed, thinned by means of neighbours."""
    known = np.array([(line["episode"], line[name]) for line in log if name in line]).reshape(-1, 2)
    if len(known) > POINTS:
        known = np.array([part.mean(axis=0) for part in np.array_split(known, POINTS)])
    return {"group": number, "x": known[:, 0].tolist(), "y": known[:, 1].tolist()}
