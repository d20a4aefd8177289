"""What each technique is worth: on and off, one at a time, from a common base, trained for as long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from spielwerk.learn.registry import settings_of
from spielwerk.studies import plots
from spielwerk.studies.job import Job
from spielwerk.studies.morris.arms import (
    AC,
    DECISIONS,
    GAMES,
    MORE,
    MORRIS,
    OPENING,
    OPPONENTS,
    SIZES,
    START,
    Settings,
    against,
    graded,
    jobs_of,
    named,
    varied,
)
from spielwerk.studies.morris.part_rows import calibrated, collected, exploded, illegal
from spielwerk.studies.morris.rows import BEST_CLASS, TITLES, Trained, difference, of_label, rows_of
from spielwerk.studies.recipe import ON_GPU, Form, Recipe
from spielwerk.studies.report import Draw, Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.trainings.measures import CALIBRATION, RAW, SELFPLAY, VALUE, Measure
from spielwerk.studies.trainings.plots import dots
from spielwerk.studies.trainings.training import Arm

SECONDS = (22.0, 3.0, 30.0)  # of each training: on a GPU that several share, quick, without a GPU on one core
LANES = 5  # trainings that share a GPU
SEEDS = (5, 2, 5)
WINDOWS = ((4, 64), (8, 128), (8, 128))  # moves before an update; the base has a number between them
MOVES = (65_536, 4096, 16_384)  # of self-play that is looked at, at least; whole windows of all boards
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the time
POINTS = (QUARTERS, (0.0, 0.5, 1.0), QUARTERS)
SHOWN = 5  # arms that a plot shows beside the base
REWARDS = {"mills": 0.2, "openings": 0.1, "blocks": 0.1, "places": 0.05}
FASTER = 10  # times the base's rate: whether clipped gradients prevent explosions shows where there are some


def changes(form: Form) -> list[Settings]:
    """In which settings each arm differs from the base; first of all the base itself."""
    fast = {"rate": FASTER * SIZES[form.scale]["rate"]}
    shaped = [{"shaped": f"{name}:{weight}"} for name, weight in REWARDS.items()]
    return [
        {},
        {"entropy": 0.0},
        {"max_norm": 0.0},
        fast,
        {**fast, "max_norm": 0.0},
        {"lam": 0.0},
        {"lam": 0.8},
        {"lam": 1.0},
        {"temperature": False},
        {"epsilon": 0.1},
        {"epsilon": 0.1, "greedy": True},
        {"masked": False},
        *shaped,
        *({**one, "shaping": "potential"} for one in shaped),
        {"blind": "phases"},
        {"blind": "removal"},
        {"removals": "own"},
        *({"window": window} for window in WINDOWS[form.scale]),
        {"symmetry": False},
        {"pool": 10},
        {"epochs": 3},
        {"clip": 0.0},
        {"starts": "fixed"},
    ]


def arm(changed: Settings, form: Form) -> Arm:
    """A training with some settings changed."""
    matches = [against(label, form) for label in OPPONENTS]
    # On a GPU it is measured aside, and matches along the way take no time of the training; on one core they would.
    along = [graded(form), *(matches if form.scale == ON_GPU else [])]
    last = [
        *([] if form.scale == ON_GPU else matches),
        Measure(VALUE, VALUE, DECISIONS[form.scale]),
        Measure(CALIBRATION, CALIBRATION, DECISIONS[form.scale]),
        Measure(SELFPLAY, SELFPLAY, MOVES[form.scale]),
    ]
    return Arm(
        MORRIS,
        AC,
        varied(changed, form),
        SECONDS[form.scale],
        last,
        along,
        POINTS[form.scale],
        MORE[form.scale],
        START,
        may_explode=True,
        lanes=LANES,
    )


def jobs(form: Form) -> list[Job]:
    """All arms with a seed, then with the next one, so that the seeds of an arm are trained at different times."""
    each = [jobs_of([arm(changed, form)], SEEDS[form.scale], form) for changed in changes(form)]
    return [job for jobs in zip(*each, strict=True) for job in jobs]


def trained(form: Form, results: Results) -> dict[str, Trained]:
    """What came out of each arm, by its name."""
    seeds = SEEDS[form.scale]
    found = {}
    for changed in changes(form):
        name = named(changed)
        found[name] = Trained(name, [results[job] for job in jobs_of([arm(changed, form)], seeds, form)])
    return found


def report(form: Form, results: Results) -> Report:
    """Every measure of every arm, then what belongs to single techniques."""
    found = trained(form, results)
    base, arms = found["base"], list(found.values())
    tables = {label: rows_of(label, arms, base) for label in TITLES}
    window = settings_of(AC, varied({}, form)).window
    special = [*exploded(arms), *calibrated(found), *illegal(found), *collected(found, changes(form), window)]
    seconds, points = SECONDS[form.scale], POINTS[form.scale]
    notes = [
        f"Each arm differs from the base in the settings that it names, and has {SEEDS[form.scale]} trainings of "
        f"{seconds:.0f} s with the same seeds. Intervals are Student's over seeds; differences are those of equal "
        "seeds. Of two seeds an interval says little: it may be wide or narrow by luck.",
        f"{BEST_CLASS}: the share of {DECISIONS[form.scale]:,} public decisions in which win, draw or loss is kept, by "
        f"exact values. Matches have {GAMES[form.scale]} games after {OPENING} random turns. {TITLES[VALUE]}: "
        "Spearman's rank correlation of the value with the exact result of the decision.",
        "A training has exploded where its loss is NaN or has grown beyond all measure; it has no other figures. "
        f"rate={named_rate(form)} is {FASTER} times the base's.",
        "Calibration: the expected error of how sure the policy is of its likeliest turn, which is right where it "
        "keeps the best class. The temperature changes how sure it is, never the turn.",
        "Gained: by how much movers have raised a count in moves of the agent against itself, whether it was "
        "rewarded or not. More of it than the base, and no better in the matches: rewards were collected, not won.",
    ]
    shown = [base, *_farthest(arms, base)]
    title, whole = "The base, and the arms that end farthest from it", [one for one in shown if one.whole]
    curves: dict[str, Draw] = {
        f"curves-{label}": partial(
            plots.curves, title, [one.curve(seconds, points, label) for one in whole], ("seconds", TITLES[label])
        )
        for label in (RAW, *OPPONENTS)
        if all(one.followed(label) for one in whole)
    }
    pictures = {label: dots(TITLES[label], _drawn(tables[label]), TITLES[label]) for label in TITLES if label != VALUE}
    rows = [one for label in TITLES for one in tables[label]]
    return Report([*rows, *special], notes, {**curves, **pictures})


def named_rate(form: Form) -> str:
    """The raised step size."""
    return f"{FASTER * SIZES[form.scale]['rate']:g}"


def _drawn(rows: Sequence[Row]) -> list[Row]:
    """Rows that have a figure, by the names of their arms."""
    return [replace(one, name=one.more["arm"]) for one in rows if one.ours is not None]


def _farthest(arms: Sequence[Trained], base: Trained) -> list[Trained]:
    """The arms whose best class differs most from the base's in the end."""
    apart = {one.name: difference(one, base, of_label(RAW)) for one in arms if one is not base}
    known = {name: abs(sample.mean) for name, sample in apart.items() if sample is not None}
    names = sorted(known, key=lambda name: -known[name])[:SHOWN]
    return [one for one in arms if one.name in names]


SHARED = f"{SECONDS[0]:.0f} s on a GPU that {LANES} share"
RECIPES = (
    Recipe(
        "morris/parts",
        "what each technique of the actor-critic is worth, one at a time: best class, matches, and value against truth",
        jobs,
        report,
        f"{SECONDS[1]:.0f} s of each training on the CPU instead of {SHARED}, {SEEDS[1]} seeds instead of {SEEDS[0]}, "
        f"a smaller network, {DECISIONS[1]} decisions instead of {DECISIONS[0]:,}",
        without_gpu=f"{SECONDS[2]:.0f} s of each training on one core instead of {SHARED}, a "
        f"smaller network, windows of {WINDOWS[2][0]} and {WINDOWS[2][1]} moves instead of "
        f"{WINDOWS[0][0]} and {WINDOWS[0][1]}",
    ),
)
