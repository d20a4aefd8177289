"""A network over the board's graph against fully connected layers, and what it takes over from six men's morris."""

from __future__ import annotations

from functools import partial

from spielwerk.studies import plots
from spielwerk.studies.job import Job
from spielwerk.studies.morris.arms import (
    AC,
    DECISIONS,
    GAMES,
    MORE,
    MORRIS,
    SIX,
    START,
    Settings,
    graded,
    jobs_of,
    named,
    strength,
    varied,
)
from spielwerk.studies.morris.rows import BEST_CLASS, TITLES, Trained, of_label, row, rows_of
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.trainings.measures import RAW
from spielwerk.studies.trainings.plots import dots
from spielwerk.studies.trainings.training import Arm

SECONDS = (8.0, 8.0, 90.0)  # of each training: on a GPU, quick, without a GPU on one core
BEFORE, FURTHER = (12.0, 12.0, 120.0), (4.0, 4.0, 30.0)  # on six men's morris, and then on nine men's
SEEDS = (3, 2, 3)
POINTS = (0.0, 0.25, 0.5, 1.0)  # shares of the time
TRANSFER = (0.0, 0.5, 1.0)
GRAPHS: tuple[Settings, ...] = (
    {"net": "graph"},
    {"net": "graph", "filters": 16, "blocks": 2},
    {"net": "graph", "filters": 32, "blocks": 3},
)
EQUAL = ("143-143", "11-11", "40-40")  # hidden layers with which a fully connected network has as many weights
USUAL: Settings = {}
TAKEN, SCRATCH = "weights of six men's", "training from scratch"


def nets(form: Form) -> list[Settings]:
    """The graph network, a fully connected one with as many weights, and the base's."""
    return [GRAPHS[form.scale], {"hidden": EQUAL[form.scale]}, USUAL]


def arm(net: Settings, form: Form) -> Arm:
    """A training of one network."""
    seconds, more = SECONDS[form.scale], 2 * MORE[form.scale]
    return Arm(MORRIS, AC, varied(net, form), seconds, strength(form), [graded(form)], POINTS, more, START)


def transfers(form: Form) -> dict[str, Arm]:
    """A short training that goes on from weights of six men's morris, and the same from scratch."""
    settings, seconds, more = varied(GRAPHS[form.scale], form), FURTHER[form.scale], MORE[form.scale]
    before = Arm(SIX, AC, settings, BEFORE[form.scale])
    return {
        name: Arm(MORRIS, AC, settings, seconds, (), [graded(form)], TRANSFER, more, START, before=first)
        for name, first in ((TAKEN, before), (SCRATCH, None))
    }


def jobs(form: Form) -> list[Job]:
    """All arms with all seeds."""
    return jobs_of([*(arm(net, form) for net in nets(form)), *transfers(form).values()], SEEDS[form.scale], form)


def report(form: Form, results: Results) -> Report:
    """Networks at equal time, then the transfer."""
    found = [_trained(named(net), arm(net, form), form, results) for net in nets(form)]
    ordered = [Trained(f"{one.name}, {one.results[0]['weights']:,} weights", one.results) for one in found]
    tables = {label: rows_of(label, ordered, ordered[0]) for label in TITLES}
    moved = {name: _trained(name, one, form, results) for name, one in transfers(form).items()}
    notes = [
        f"Each network has {SEEDS[form.scale]} trainings of {SECONDS[form.scale]:.0f} s; the differences are from the "
        f"graph network. hidden={EQUAL[form.scale]} has about as many weights as that. {DECISIONS[form.scale]:,} "
        f"decisions, {GAMES[form.scale]} games.",
        f"Transfer: {BEFORE[form.scale]:.0f} s of training on {SIX}, whose weights play {MORRIS} at once, and then "
        f"{FURTHER[form.scale]:.0f} s there, against the same further training from scratch. Intervals are Student's "
        "over seeds.",
    ]
    seconds = SECONDS[form.scale], FURTHER[form.scale]
    lines = [one.curve(seconds[0], POINTS) for one in ordered]
    after = [one.curve(seconds[1], TRANSFER) for one in moved.values()]
    labels = ("seconds", BEST_CLASS)
    pictures = {
        "curves": partial(plots.curves, "Graph and fully connected networks", lines, labels),
        "transfer": partial(plots.curves, "Nine men's morris after six men's", after, labels),
        RAW: dots(BEST_CLASS, tables[RAW], BEST_CLASS),
    }
    return Report([*(one for rows in tables.values() for one in rows), *_transfer_rows(moved)], notes, pictures)


def _trained(name: str, given: Arm, form: Form, results: Results) -> Trained:
    return Trained(name, [results[job] for job in jobs_of([given], SEEDS[form.scale], form)])


def _transfer_rows(moved: dict[str, Trained]) -> list[Row]:
    """Both at each point, with what the transfer has more."""
    rows: list[Row] = []
    for i in range(len(TRANSFER)):
        at = {
            name: Trained(name, [{"points": result["points"][: i + 1]} for result in one.results])
            for name, one in moved.items()
        }
        seconds = moved[TAKEN].results[0]["points"][i]["seconds"]
        for name, one in at.items():
            said = f"{BEST_CLASS} after {seconds:.0f} s on {MORRIS}: {name}"
            rows.append(row(said, one, of_label(RAW), base=at[SCRATCH] if name == TAKEN else None))
    return rows


RECIPES = (
    Recipe(
        "morris/graph",
        "a network over the board's graph against a fully connected one, at equal weights and time; from six men's "
        "morris to nine men's",
        jobs,
        report,
        f"{SECONDS[1]:.0f} s of each training on the CPU instead of {SECONDS[0]:.0f} s on a GPU, {SEEDS[1]} seeds "
        f"instead of {SEEDS[0]}, smaller networks, {DECISIONS[1]} decisions instead of {DECISIONS[0]:,}",
        without_gpu=f"{SECONDS[2]:.0f} s of each training on one core instead of {SECONDS[0]:.0f} s on a GPU, "
        f"{BEFORE[2]:.0f} and {FURTHER[2]:.0f} s of the transfer instead of {BEFORE[0]:.0f} and {FURTHER[0]:.0f}, "
        "smaller networks",
    ),
)
