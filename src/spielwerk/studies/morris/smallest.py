"""The smallest network that plays reasonably: best class against the number of weights."""

from __future__ import annotations

from functools import partial

from spielwerk.studies.job import Job
from spielwerk.studies.morris.arms import (
    AC,
    DECISIONS,
    GAMES,
    MORE,
    MORRIS,
    RANDOM,
    START,
    against,
    graded,
    jobs_of,
    varied,
)
from spielwerk.studies.morris.rows import BEST_CLASS, TITLES, Trained, of_label, rows_of
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample
from spielwerk.studies.trainings import plots
from spielwerk.studies.trainings.measures import RAW
from spielwerk.studies.trainings.training import Arm

SECONDS = (8.0, 5.0, 40.0)  # of each training: on a GPU, quick, without a GPU on one core
SEEDS = (2, 2, 2)
NONE = "none"
WIDTHS = ("4", "8", "16", "32", "64", "128", "256", "512")
ALL = (NONE, *WIDTHS, "16-16", "64-64", "256-256", "16-16-16", "64-64-64", "256-256-256")
NETS = (ALL, (NONE, *WIDTHS, "16-16", "64-64", "64-64-64"), ALL)
REASONABLE = 0.9  # of points against random play
DEPTHS = ("no hidden layer", "one hidden layer", "two hidden layers", "three hidden layers")


def depth(net: str) -> int:
    """How many hidden layers a network has."""
    return 0 if net == NONE else net.count("-") + 1


def arm(net: str, form: Form) -> Arm:
    """A training of one network."""
    last, seconds = [graded(form), against(RANDOM, form)], SECONDS[form.scale]
    return Arm(MORRIS, AC, varied({"hidden": net}, form), seconds, last, more=MORE[form.scale], start=START)


def jobs(form: Form) -> list[Job]:
    """All networks with all seeds."""
    return jobs_of([arm(net, form) for net in NETS[form.scale]], SEEDS[form.scale], form)


def report(form: Form, results: Results) -> Report:
    """What each network has learned, the fewest weights first."""
    seeds = SEEDS[form.scale]
    found = {
        net: Trained(f"hidden={net}", [results[job] for job in jobs_of([arm(net, form)], seeds, form)])
        for net in NETS[form.scale]
    }
    sizes = {net: int(one.results[0]["weights"]) for net, one in found.items()}
    order = sorted(found, key=lambda net: sizes[net])
    ordered = [Trained(f"{found[net].name}, {sizes[net]:,} weights", found[net].results) for net in order]
    tables = {label: rows_of(label, ordered, None) for label in (RAW, RANDOM)}
    reasonable = [
        net for net in order if Sample(tuple(found[net].values(of_label(RANDOM)).values())).mean >= REASONABLE
    ]
    least = (
        f"hidden={reasonable[0]} with {sizes[reasonable[0]]:,} weights is the smallest network that does"
        if reasonable
        else "none of these networks does"
    )
    notes = [
        f"Each network has {seeds} trainings of {SECONDS[form.scale]:.0f} s; {DECISIONS[form.scale]:,} decisions, "
        f"{GAMES[form.scale]} games. Without hidden layers, every input has a weight for each of the 600 actions.",
        f"To play reasonably is to have {100 * REASONABLE:.0f} % of the points against random play: {least}.",
    ]
    draw = partial(
        plots.lines,
        "Best class by the number of weights",
        _lines(dict(zip(order, tables[RAW], strict=True)), sizes),
        ("weights", BEST_CLASS),
        True,
        logarithmic=True,
    )
    picture = plots.dots(TITLES[RANDOM], tables[RANDOM], TITLES[RANDOM])
    return Report([*tables[RAW], *tables[RANDOM]], notes, {"weights": draw, RANDOM: picture})


def _lines(rows: dict[str, Row], sizes: dict[str, int]) -> list[plots.Line]:
    """A line for each number of layers."""
    lines: list[plots.Line] = []
    for number, name in enumerate(DEPTHS):
        those = [net for net in rows if depth(net) == number]
        figures = [(rows[net].ours or 0.0, rows[net].interval or (0.0, 1.0)) for net in those]
        if those:
            values, intervals = zip(*figures, strict=True)
            lines.append(plots.Line(name, [sizes[net] for net in those], values, intervals))
    return lines


RECIPES = (
    Recipe(
        "morris/smallest",
        "the smallest network that plays reasonably: best class against the number of weights",
        jobs,
        report,
        f"{SECONDS[1]:.0f} s of each training on the CPU instead of {SECONDS[0]:.0f} s on a GPU, {len(NETS[1])} "
        f"networks instead of {len(NETS[0])}, {DECISIONS[1]} decisions instead of {DECISIONS[0]:,}",
        without_gpu=f"{SECONDS[2]:.0f} s of each training on one core instead of {SECONDS[0]:.0f} s on a GPU",
    ),
)
