"""One-hot output on stacks 1–8: settings that evolve to perfect play, and a network that was thought impossible."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from spielwerk.games.registry import game
from spielwerk.learn.evolution.exams.exam import exam
from spielwerk.learn.evolution.exams.grader import Grader
from spielwerk.learn.evolution.exams.grading import RIGHT
from spielwerk.learn.evolution.genome.activations import ELU
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.genome import Genome
from spielwerk.learn.evolution.genome.wiring import wired
from spielwerk.learn.evolution.settings import ONEHOT, Settings
from spielwerk.studies import generation_plots
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.nim.arms import Arm, Runs
from spielwerk.studies.nim.published import published
from spielwerk.studies.nim.rows import BEST_COURSE, LESS, MEDIANS, NUMBERED, anew, perfect_row, share_row, size_row
from spielwerk.studies.nim.settings import ONE_HOT, ONE_HOT_GENERATIONS
from spielwerk.studies.nim.source.experiments import ANY, ARMS
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

SOURCE_KEY = "stacks-1-8-1"
QUICK = 300  # generations
USUAL = 0.2  # of the generations are needed as a rule
STACK, UNIT = 8, 40  # matches at most; what makes all weights small


def solution() -> Genome:
    """Perfect play without a hidden node: k matches score (k · stack - k - k² / 2) / 40, most at k = stack - 1."""
    amounts = np.arange(1, STACK + 1)
    outputs = 1 + STACK  # one for the only stack, one for each amount
    layers = [0, *[1] * outputs]
    nodes = np.array([(number, layer, ELU) for number, layer in enumerate(layers)], np.int64)
    biases = np.array([0.0, 0.0, *(-(amounts + amounts**2 / 2) / UNIT)])
    edges = np.array([(1 + outputs + k, 0, 1 + k, 1) for k in range(outputs)], np.int64)
    return Genome(1, outputs, nodes, biases, edges, np.array([0.0, *(amounts / UNIT)]))


def solution_job() -> Job:
    """The grade of that network."""
    return Job("nim.one_hot:grade", {"game": ANY}, 0.5)


def grade(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """The share of all positions in which the network without hidden nodes is right."""
    blueprint = Blueprint(game(given["game"]), Settings(output=ONEHOT))
    asked, genome = exam(blueprint.game, blueprint.settings.decisions), solution()
    assert asked is not None
    blueprint.check(genome)
    grader = Grader(blueprint, asked)
    means = grader.means(grader.marks(wired(genome), blueprint.scratch(1), 1))
    return {"positions": float(means[0, RIGHT]), "hidden": genome.hidden}


def arms(form: Form) -> list[Arm]:
    """The settings that were found."""
    length = QUICK if form.quick else ONE_HOT_GENERATIONS
    return [Arm(label, ANY, settings, length, usual=USUAL) for label, settings in ONE_HOT.items()]


def jobs(form: Form) -> list[Job]:
    """The settings found, the source's own, and the network made by hand."""
    found = [job for arm in arms(form) for job in arm.jobs(form)]
    return [*found, *ARMS[SOURCE_KEY].jobs(form), solution_job()]


def report(form: Form, results: Results) -> Report:
    """Who gets there."""
    theirs, found = ARMS[SOURCE_KEY].runs(form, results), [arm.runs(form, results) for arm in arms(form)]
    source, made = published(SOURCE_KEY), results[solution_job()]
    rows = [
        Row("made by hand, no hidden nodes: right decisions", None, made["positions"]),
        share_row(theirs, source["reached"] / source["runs"], name="the source's settings"),
        Row.of("the source's settings: right decisions of the best champion", source["grade"], theirs.figure("top")),
        *(row for runs in found for row in _rows(runs)),
    ]
    notes = [
        "The source calls perfect play impossible with one-hot output unless there are many hidden nodes. It takes "
        "none: what fails is the search.",
        *(
            f"{label}: {', '.join(f'{name}={value}' for name, value in made.items())}."
            for label, made in ONE_HOT.items()
        ),
        "The best champion is that of the best generation; the published figure is where the curve stalls.",
        *(anew(patience) for patience in {settings["patience"] for settings in ONE_HOT.values()}),
        *(NUMBERED, MEDIANS),
    ]
    lines = [theirs.best_course("the source's settings"), *(runs.best_course() for runs in found)]
    draw = partial(generation_plots.courses, "Stacks 1–8 with one-hot output", lines, BEST_COURSE)
    return Report(rows, notes, {"course": draw})


def _rows(runs: Runs) -> list[Row]:
    top = Row.of(f"{runs.arm.label}: right decisions of the best champion", None, runs.figure("top"))
    return [share_row(runs), perfect_row(runs), top, size_row(runs)]


RECIPES = (
    Recipe(
        "nim/one-hot",
        "stacks 1–8 with one-hot output to perfect play",
        jobs,
        report,
        f"{LESS}, {QUICK} generations instead of {ONE_HOT_GENERATIONS:,}",
    ),
)
