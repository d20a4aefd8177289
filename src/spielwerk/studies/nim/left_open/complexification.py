"""Complexification: does it help to begin small and grow?"""

from __future__ import annotations

from functools import partial

from spielwerk.studies import generation_plots
from spielwerk.studies.job import Job
from spielwerk.studies.nim.arms import Arm, Runs
from spielwerk.studies.nim.rows import LESS, MEDIANS, NUMBERED, perfect_row, share_row, size_row
from spielwerk.studies.nim.settings import DIRECTLY, MULTI, MULTI_GENERATIONS, ONE_HOT, Chosen
from spielwerk.studies.nim.source.experiments import ANY
from spielwerk.studies.ranks import mann_whitney
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

STILL: Chosen = {"add_edge": 0.0, "add_node": 0.0, "remove_edge": 0.0, "remove_node": 0.0}
WAYS: dict[str, Chosen] = {
    "small, grows": {"hidden": 0},
    "small, stays": STILL | {"hidden": 0},
    "4 hidden, stays": STILL | {"hidden": 4},
    "8 hidden, stays": STILL | {"hidden": 8},
    "8 hidden, shrinks": STILL | {"hidden": 8, "remove_edge": 1.0, "remove_node": 1.0},
}
TASKS: dict[str, tuple[str, Chosen, int, int]] = {  # game, settings, generations of the full and of the quick form
    "stacks 1–8, direct": (ANY, DIRECTLY, 300, 300),
    "stacks 1–8, one-hot": (ANY, ONE_HOT["topology too"], 2000, 150),
    "3-4-5, afterstates": ("nim:stacks=3-4-5", MULTI["3-4-5"], MULTI_GENERATIONS["3-4-5"], 100),
}
USUAL = {"stacks 1–8, direct": 0.2}


def arms(task: str, form: Form) -> list[Arm]:
    """All ways with one task."""
    name, settings, *lengths = TASKS[task]
    length = lengths[form.quick]
    return [
        Arm(f"{task}: {way}", name, settings | changes, length, usual=USUAL.get(task, 1.0), group=way)
        for way, changes in WAYS.items()
    ]


def jobs(form: Form) -> list[Job]:
    """The populations of all of them."""
    return [job for task in TASKS for arm in arms(task, form) for job in arm.jobs(form)]


def report(form: Form, results: Results) -> Report:
    """Each way with each task: when it is perfect, how many get there, what the champion is like in the end."""
    found = {task: [arm.runs(form, results) for arm in arms(task, form)] for task in TASKS}
    rows = [row for several in found.values() for runs in several for row in _rows(runs)]
    notes = [
        *(_verdict(task, several) for task, several in found.items()),
        "Small: inputs connected to outputs, nothing else. Grows: nodes and edges are added by mutations. Stays: only "
        "weights, biases and, where there are several, activations mutate.",
        *(NUMBERED, MEDIANS),
    ]
    return Report(rows, notes, {f"boxes-{i + 1}": _boxes(task, found[task]) for i, task in enumerate(TASKS)})


def _rows(runs: Runs) -> list[Row]:
    last = Row.of(f"{runs.arm.label}: right decisions of the best champion", None, runs.figure("top"))
    return [perfect_row(runs), share_row(runs), last, size_row(runs)]


def _verdict(task: str, several: list[Runs]) -> str:
    """Growing beside every other way, in the order in which populations come to perfect play."""
    grows, *others = several
    said = [
        f"{other.arm.group} {_when(other)} (p = {mann_whitney(grows.needed(), other.needed()):.2g})" for other in others
    ]
    return f"{task}: {grows.arm.group} {_when(grows)}; {'; '.join(said)}."


def _when(runs: Runs) -> str:
    median = runs.median()
    half = f"more than {runs.arm.generations:,}" if median is None else f"{median:,.0f}"
    return f"{half} generations, {runs.count()}"


def _boxes(task: str, several: list[Runs]) -> partial[object]:
    shown = [generation_plots.Needed(runs.arm.group, runs.needed(), runs.arm.generations) for runs in several]
    title = f"Complexification on {task}: generations until the champion is perfect"
    return partial(generation_plots.needed_boxes, title, shown, "generations until perfect", several[0].median())


RECIPES = (
    Recipe(
        "nim/complexification",
        "small networks that grow, compared with fixed ones and with large ones that shrink",
        jobs,
        report,
        f"{LESS}, fewer generations",
    ),
)
