"""The source's policy over action numbers and one over afterstates, trained for as long."""

from __future__ import annotations

from spielwerk.studies.alphazero.arms import (
    ACTIONS,
    AFTERSTATES,
    BACKGAMMON,
    COMPARED,
    DECISIONS,
    SECONDS,
    SIMULATIONS,
    head_arm,
    job_of,
)
from spielwerk.studies.backgammon.errors import JUDGE
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report
from spielwerk.studies.results import Results
from spielwerk.studies.trainings.measures import RAW, SEARCHED
from spielwerk.studies.trainings.plots import dots
from spielwerk.studies.trainings.rows import MEMG, apart, last, row

HEADS = (ACTIONS, AFTERSTATES)
WITH = {RAW: "raw", SEARCHED: f"{SIMULATIONS[BACKGAMMON]} simulations"}


def jobs(form: Form) -> list[Job]:
    """A training of each head."""
    return [job_of(head_arm(head, form), form) for head in HEADS]


def report(form: Form, results: Results) -> Report:
    """Error rates of both heads, raw and with a search."""
    ends = {head: last(results[job]) for head, job in zip(HEADS, jobs(form), strict=True)}
    rows = [row(f"{head}, {WITH[label]}", end, label) for label in WITH for head, end in ends.items()]
    more = [f"{WITH[label]} {apart(*(end['measured'][label] for end in ends.values()))} mEMG" for label in WITH]
    notes = [
        f"Error rates in mEMG after {SECONDS[BACKGAMMON][form.scale]:.0f} s of training each; judge: {JUDGE}.",
        f"Both are asked the same decisions. What afterstates lose more than actions: {'; '.join(more)}.",
        "A policy over afterstates looks at the end of every turn, so it plays fewer games in the same time.",
    ]
    return Report(rows, notes, {"heads": dots(f"Policy heads, judge {JUDGE}", rows, MEMG)})


RECIPES = (
    Recipe(
        "alphazero/heads",
        f"a policy over actions and one over afterstates at equal compute: error rates in mEMG (judge: {JUDGE})",
        jobs,
        report,
        f"{SECONDS[BACKGAMMON][1]:.0f} s of training on the CPU instead of {SECONDS[BACKGAMMON][0]:.0f} s on a GPU, a "
        f"smaller network, {DECISIONS[BACKGAMMON][1]} decisions instead of {DECISIONS[BACKGAMMON][0]:,}",
        without_gpu=f"{SECONDS[BACKGAMMON][2]:.0f} s of training on two cores instead of {SECONDS[BACKGAMMON][0]:.0f} "
        f"s on a GPU, {COMPARED[2]['blocks']} blocks of {COMPARED[2]['filters']} units instead of "
        f"{COMPARED[0]['blocks']} of {COMPARED[0]['filters']}, "
        f"{DECISIONS[BACKGAMMON][2]} decisions instead of {DECISIONS[BACKGAMMON][0]:,}",
    ),
)
