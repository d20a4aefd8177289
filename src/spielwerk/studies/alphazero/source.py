"""The source's network as it describes it, trained: its error rate, and whether it knows what is better."""

from __future__ import annotations

from functools import partial

import numpy as np

from spielwerk.studies.alphazero.arms import ACTIONS, AZ, BACKGAMMON, CONVOLVED, POINTS, job_of, learned
from spielwerk.studies.backgammon.errors import JUDGE
from spielwerk.studies.job import Job
from spielwerk.studies.ranks import spearman, spearman_interval
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import VALUE as PLAIN
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.trainings import plots
from spielwerk.studies.trainings.measures import GRADE, POLICY, RAW, VALUE, Measure
from spielwerk.studies.trainings.rows import correlation, last, line, row
from spielwerk.studies.trainings.training import Arm

SECONDS = (420.0, 45.0, 600.0)  # on a GPU, quick, on two cores
DECISIONS = (2000, 100, 1000)
POSITIONS = (1000, 100, 1000)  # whose policy and value are compared with what is known
MORE = (40.0, 10.0, 60.0)  # seconds of measuring


def arm(form: Form) -> Arm:
    """Ten blocks of 64 filters, 1352 actions, one tanh; graded on the way, compared at the end."""
    count, points = POSITIONS[form.scale], POINTS[form.scale]
    along = [Measure(RAW, GRADE, DECISIONS[form.scale])]
    ends = [Measure(POLICY, POLICY, count), Measure(VALUE, VALUE, count)]
    settings = learned(BACKGAMMON, CONVOLVED, form, policy=ACTIONS)
    return Arm(BACKGAMMON, AZ, settings, SECONDS[form.scale], ends, along, points, MORE[form.scale])


def jobs(form: Form) -> list[Job]:
    """One training."""
    return [job_of(arm(form), form)]


def report(form: Form, results: Results) -> Report:
    """The curve, then the rank correlations."""
    result = results[jobs(form)[0]]
    rows = [row(_named(point["seconds"]), point, RAW) for point in result["points"]]
    found = last(result)["measured"]
    rows.append(correlation("π and judged equities", found[POLICY]["orders"], f"within a decision, judge {JUDGE}"))
    rows.append(_agreement("value and exact bear-offs", found[VALUE]["exact"], "at most 6 checkers a side, exact"))
    rows.append(_agreement("value and judged equities", found[VALUE]["judged"], f"of the best play, judge {JUDGE}"))
    notes = [
        f"Error rates in mEMG of the raw policy, without any search. Judge: {JUDGE}.",
        "The source claims that a higher π means a likelier win. Tested by Spearman's rank correlation: of π with the "
        "judged equities of all plays of a decision with three plays or more, averaged over decisions; 1 is the "
        "judge's order, 0 none. The value is compared over positions.",
        "The source gives no figures: its chapter on training is empty.",
    ]
    curve = [line("raw policy", result, RAW)]
    draw = partial(plots.lines, f"The source's network; judge: {JUDGE}", curve, ("seconds", "mEMG"), False)
    return Report(rows, notes, {"curve": draw})


def _named(seconds: float) -> str:
    return f"after {seconds:.0f} s" if seconds else "untrained"


def _agreement(name: str, pair: tuple[list[float], list[float]], note: str) -> Row:
    """The rank correlation of values with what they should be, and how far they are from that."""
    known, said = pair
    agreed = spearman(known, said) or 0.0  # a network that says the same of all has no order
    off = float(np.mean(np.abs(np.array(known) - np.array(said))))
    text = f"{note}; {len(known):,} positions, mean error {off:.3f} points"
    return Row(name, None, agreed, spearman_interval(agreed, len(known)), note=text, unit=PLAIN)


RECIPES = (
    Recipe(
        "alphazero/source",
        f"the source's network, trained: error rates in mEMG (judge: {JUDGE}), and whether π and value know what is "
        "better",
        jobs,
        report,
        f"{SECONDS[1]:.0f} s of training on the CPU instead of {SECONDS[0]:.0f} s on a GPU, "
        f"{CONVOLVED[1]['blocks']} blocks of {CONVOLVED[1]['filters']} filters instead of "
        f"{CONVOLVED[0]['blocks']} of {CONVOLVED[0]['filters']}, {DECISIONS[1]} decisions instead of {DECISIONS[0]:,}",
        without_gpu=f"{SECONDS[2]:.0f} s of training on two cores instead of {SECONDS[0]:.0f} s on a GPU, "
        f"{DECISIONS[2]:,} decisions instead of {DECISIONS[0]:,}",
    ),
)
