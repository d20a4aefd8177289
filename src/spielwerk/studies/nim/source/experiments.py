"""The source's six experiments with one stack of matches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from spielwerk.learn.evolution.settings import Settings
from spielwerk.studies import generation_plots
from spielwerk.studies.job import Job
from spielwerk.studies.nim.arms import Arm, Runs
from spielwerk.studies.nim.published import published
from spielwerk.studies.nim.recorded import said
from spielwerk.studies.nim.rows import (
    COURSE,
    LESS,
    MEDIANS,
    NUMBERED,
    held_row,
    perfect_row,
    points_rows,
    share_row,
    size_row,
    spike_rows,
    steady_row,
)
from spielwerk.studies.nim.settings import DIRECTLY, FIRST, LAST
from spielwerk.studies.nim.source import logged
from spielwerk.studies.nim.source.courses import plots_of
from spielwerk.studies.nim.training import GAMES, LATE, POSITIONS
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import NUMBER, Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

LENGTH, SHORT = 1000, 50  # generations
ANY = "nim:stacks=8,sizes=random"
FIGURES = ("generations", "steady", "grade")  # that may be published
KEYS = ("stack-2", "stack-8-1", "stack-8-2", "stack-8-3", "stacks-1-8-1", "stacks-1-8-2")
ARMS = {
    "stack-2": Arm("stack 2", "nim:stacks=2", FIRST, SHORT, measure=GAMES, stop=False),
    "stack-8-1": Arm("test 1", "nim:stacks=8", FIRST, LENGTH, measure=GAMES, stop=False),
    "stack-8-2": Arm("test 2", "nim:stacks=8", FIRST | {"exponent": 2.0}, LENGTH, measure=GAMES, stop=False),
    "stack-8-3": Arm("test 3", "nim:stacks=8", LAST, LENGTH, measure=GAMES, stop=False),
    "stacks-1-8-1": Arm("one-hot", ANY, LAST, LENGTH, stop=False),
    "stacks-1-8-2": Arm("direct", ANY, DIRECTLY, LENGTH, stop=False),
}
GRADES = (
    "Two kinds of grade. Ours is the share of right decisions; a single match, where there is nothing to choose, is "
    "left out. The source divides points by all moves made in games: a single match that is taken gives a point, an "
    "illegal output is a move without one. It does not say in which games, so both readings are measured."
)
GROWTH = f"Networks grow to {Settings.most_hidden} hidden nodes at most; the source names no bound."
TWO_MEASURES = {
    GAMES: "Perfect means: every decision right in games against perfect play.",
    POSITIONS: "Perfect means: right in every position that can come up, whatever the initial stack.",
}


def jobs(key: str, form: Form) -> list[Job]:
    """The populations of an experiment."""
    return ARMS[key].jobs(form)


def report(key: str, form: Form, results: Results) -> Report:
    """When they are perfect, whether they stay so, and the curve."""
    source, arm = published(key), ARMS[key]
    runs, reached, made = arm.runs(form, results), source["reached"], source["runs"]
    name = f"{arm.label}: right decisions in the last {LATE} generations"
    rows = [
        perfect_row(runs, *_said(source, "generations")),
        steady_row(runs, *_said(source, "steady")),
        share_row(runs, reached / made, f"published: {reached} of {made}"),
        held_row(runs),
        Row.of(name, None, runs.figure("level"), note="ours"),
        *points_rows(runs, *_said(source, "grade")),
        *_more(source, runs),
        size_row(runs, layers=source.get("layers", ())),
    ]
    notes = [NUMBERED, TWO_MEASURES[arm.measure], GRADES, MEDIANS, GROWTH]
    notes += [source["remark"]] if "remark" in source else []
    notes += [logged.note(source["log"], source["taken"], source["grade"])] if "log" in source else []
    notes += [said(game) for game in runs.found[0]["shown"]]
    return Report(rows, notes, {"course": partial(_course, source, runs), **plots_of(source["caption"], runs, source)})


def _more(source: dict[str, Any], runs: Runs) -> Iterator[Row]:
    """What the source says of this experiment alone, and what every population records of it."""
    label = runs.arm.label
    yield Row.of(
        f"{label}: wins against earlier champions, last {LATE} generations", source.get("wins"), runs.late("wins")
    )
    if "taken" in source:
        yield taken_row(runs, source["taken"])
    if "spikes" in source:
        yield from spike_rows(runs, source["spikes"], source["spike"])


def taken_row(runs: Runs, published: float) -> Row:
    """The most matches that champions of the last generations take in a move."""
    taken = Sample(tuple(float(one["taken"]) for one in runs.found if one["taken"] is not None))
    name = f"{runs.arm.label}: most matches taken by late champions"
    ends = (min(taken.values), max(taken.values))
    return Row(name, published, taken.median, ends, note="median, least and most", unit=NUMBER)


def _said(source: dict[str, Any], figure: str) -> tuple[float | None, str]:
    """A published figure, and how exact it is."""
    return source.get(figure), f"published: {source['about']}" if figure in source and "about" in source else ""


def _course(source: dict[str, Any], runs: Runs) -> Any:
    lines = [runs.course(runs.arm.measure, "ours")]
    shown = {figure: f"published: {source.get('about') or 'perfect'}" for figure in FIGURES if figure in source}
    levels = {text: float(source[figure]) for figure, text in shown.items() if figure == "grade"}
    places = {text: float(source[figure]) + 1 for figure, text in shown.items() if figure != "grade"}
    return generation_plots.courses(source["caption"], lines, COURSE, levels, places=places)


def _recipe(key: str) -> Recipe:
    about = f"the source's experiment: {published(key)['caption']}"
    return Recipe(f"nim/{key}", about, partial(jobs, key), partial(report, key), LESS)


RECIPES = tuple(_recipe(key) for key in KEYS)
