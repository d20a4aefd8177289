"""All learners on nine men's morris, for as long on the same cores; those that can, on a GPU as well."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from spielwerk.learn.kind import CPU, CUDA
from spielwerk.studies.alphazero.arms import AZ, PLAIN, TD, learned, temporal
from spielwerk.studies.job import Job, Result
from spielwerk.studies.morris.arms import AC, DECISIONS, GAMES, MORRIS, RANDOM, Settings, against, graded, varied
from spielwerk.studies.morris.rows import TITLES
from spielwerk.studies.recipe import TWO_CORES, Form, Recipe
from spielwerk.studies.report import Draw, Report
from spielwerk.studies.results import Results
from spielwerk.studies.trainings import plots
from spielwerk.studies.trainings.measures import GRADE, RAW, SEARCHED, Measure
from spielwerk.studies.trainings.rows import line, row
from spielwerk.studies.trainings.training import START, Arm

SECONDS = (600.0, 20.0)  # of each training on the CPU, full and quick
ON_GPU = 45.0  # seconds
POINTS = ((0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0), (0.1, 0.25, 0.5, 1.0))  # shares of the time
MEASURING = (1.5, 0.6)  # seconds, once
SIMULATIONS = 100  # of AlphaZero's searches
LABELS = {RAW: TITLES[RAW], SEARCHED: f"{TITLES[RAW]}, {SIMULATIONS} simulations", RANDOM: TITLES[RANDOM]}
EVOLUTION: Settings = {"population": 40, "opponents": 4, "longest": 200, "decisions": 100, "hidden": 8}
NTUPLE, NETWORK, EVOLVED = "td, n-tuples", "td, network", "evolution"
# For ten minutes actor-critic sees what the networks of the others see, and has sizes and rates for as long.
TEN_MINUTES: Settings = {
    **{"inputs": "tactics", "temperature": False, "hidden": "64-64"},
    **{"boards": 512, "rate": 0.0005, "rate_end": 0.0001},
}


def settings(form: Form) -> dict[str, tuple[str, Settings]]:
    """Kind and settings of each learner by name, with the sizes of a form."""
    return {
        AC: (AC, varied(TEN_MINUTES if form.scale == TWO_CORES else {}, form)),
        AZ: (AZ, learned(MORRIS, PLAIN, form)),
        NETWORK: (TD, temporal(MORRIS, form)),
        NTUPLE: (TD, {}),
        EVOLVED: (EVOLVED, EVOLUTION),
    }


def measures(kind: str, form: Form) -> list[Measure]:
    """What is measured along the way: raw play, and of AlphaZero also the search that it learns by."""
    searched = [Measure(SEARCHED, GRADE, DECISIONS[form.scale], simulations=SIMULATIONS)] if kind == AZ else []
    return [graded(form), *searched, against(RANDOM, form)]


def arms(form: Form) -> dict[str, Arm]:
    """On the CPU."""
    points, more = POINTS[form.quick], len(POINTS[form.quick]) * MEASURING[form.quick]
    cores, seconds = replace(form, device=CPU), SECONDS[form.quick]
    return {
        name: Arm(MORRIS, kind, given, seconds, (), measures(kind, form), points, more, threads=cores.threads)
        for name, (kind, given) in settings(cores).items()
    }


def gpu_arms() -> dict[str, Arm]:
    """Those that can learn on a GPU, with the sizes of the full form."""
    points, more, form = POINTS[0], len(POINTS[0]) * MEASURING[0], Form()
    return {
        name: Arm(MORRIS, kind, given, ON_GPU, (), measures(kind, form), points, more, START)
        for name, (kind, given) in settings(form).items()
        if name in (AC, AZ, NETWORK)
    }


def trainings(form: Form) -> dict[str, Job]:
    """A training of each learner by name; on a GPU only where the form says so."""
    seed = form.seeds(1)[0]
    found = {name: arm.job(CPU, seed) for name, arm in arms(form).items()}
    if form.place == CPU:
        return found
    return found | {f"{name}, on a GPU": arm.job(CUDA, seed) for name, arm in gpu_arms().items()}


def jobs(form: Form) -> list[Job]:
    """All trainings."""
    return list(trainings(form).values())


def report(form: Form, results: Results) -> Report:
    """Best class and rate against random of every learner, at each point of its time."""
    found = {name: results[job] for name, job in trainings(form).items()}
    rows = [
        row(f"{LABELS[label]}: {name}, {point['seconds']:.0f} s", point, label)
        for label in LABELS
        for name, result in found.items()
        for point in result["points"]
        if label in point["measured"]
    ]
    cores = "one core" if form.quick else "two cores, of which n-tuples use one"
    gpu = "" if form.place == CPU else f", and on a GPU {ON_GPU:.0f} s"
    notes = [
        f"Each learner has {SECONDS[form.quick]:.0f} s of {cores}{gpu}. One training each: "
        f"intervals are those of {DECISIONS[form.scale]:,} decisions and {GAMES[form.scale]} games.",
        "Raw, actor-critic and AlphaZero take their likeliest action and look at one position; the others take the "
        f"best of all positions after a turn. AlphaZero is also graded with {SIMULATIONS} simulations a decision. Of "
        "evolution, games are generations.",
    ]
    apart = {"cpu": [name for name in found if "GPU" not in name], "gpu": [name for name in found if "GPU" in name]}
    pictures: dict[str, Draw] = {
        f"{where}-{label}": partial(
            plots.lines,
            f"Learners on {MORRIS}",
            _lines(found, names, label),
            ("seconds", LABELS[label]),
            True,
            logarithmic=True,
        )
        for where, names in apart.items()
        for label in (RAW, RANDOM)
        if names
    }
    return Report(rows, notes, pictures)


def _lines(found: dict[str, Result], names: list[str], label: str) -> list[plots.Line]:
    """One for each learner, and in the plot of raw play one more for AlphaZero's searches."""
    searched = [line(f"{name}, {SIMULATIONS} simulations", found[name], SEARCHED) for name in names if AZ in name]
    return [line(name, found[name], label) for name in names] + (searched if label == RAW else [])


RECIPES = (
    Recipe(
        "morris/learners",
        "actor-critic, AlphaZero, TD networks, n-tuples and evolution for equal times: best class and rate against "
        "random",
        jobs,
        report,
        f"{SECONDS[1]:.0f} s of one core instead of {SECONDS[0] / 60:.0f} min of two, no curves of a GPU, "
        f"{DECISIONS[1]} decisions instead of {DECISIONS[0]:,}",
        without_gpu="no curves of a GPU",
    ),
)
