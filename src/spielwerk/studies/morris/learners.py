"""All learners on nine men's morris, for as long on the same cores; those that can, on a GPU as well."""

from __future__ import annotations

from functools import partial

from spielwerk.learn.kind import CPU, CUDA
from spielwerk.studies.alphazero.arms import AZ, PLAIN, TD, learned, temporal
from spielwerk.studies.device import gpu_here
from spielwerk.studies.job import Job, Result
from spielwerk.studies.morris.arms import AC, DECISIONS, GAMES, MORRIS, RANDOM, Settings, against, graded, varied
from spielwerk.studies.morris.rows import TITLES
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Draw, Report
from spielwerk.studies.results import Results
from spielwerk.studies.trainings import plots
from spielwerk.studies.trainings.measures import RAW
from spielwerk.studies.trainings.rows import line, row
from spielwerk.studies.trainings.training import START, Arm

SECONDS, THREADS = (600.0, 20.0), (2, 1)  # of each training on the CPU, full and quick
ON_GPU = 45.0  # seconds
POINTS = ((0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0), (0.1, 0.25, 0.5, 1.0))  # shares of the time
MEASURING = (1.5, 0.6)  # seconds, once
EVOLUTION: Settings = {"population": 40, "opponents": 4, "longest": 200, "decisions": 100, "hidden": 8}
NTUPLE, NETWORK, EVOLVED = "td, n-tuples", "td, network", "evolution"


def settings(form: Form) -> dict[str, tuple[str, Settings]]:
    """Kind and settings of each learner by name, with the sizes of a form."""
    return {
        AC: (AC, varied({}, form)),
        AZ: (AZ, learned(MORRIS, PLAIN, form)),
        NETWORK: (TD, temporal(MORRIS, form)),
        NTUPLE: (TD, {}),
        EVOLVED: (EVOLVED, EVOLUTION),
    }


def arms(form: Form) -> dict[str, Arm]:
    """On the CPU, in both forms with the sizes of the quick one."""
    points, more = POINTS[form.quick], len(POINTS[form.quick]) * MEASURING[form.quick]
    along, seconds, threads = [graded(form), against(RANDOM, form)], SECONDS[form.quick], THREADS[form.quick]
    return {
        name: Arm(MORRIS, kind, given, seconds, (), along, points, more, threads=threads)
        for name, (kind, given) in settings(Form(quick=True)).items()
    }


def gpu_arms() -> dict[str, Arm]:
    """Those that can learn on a GPU, with the sizes of the full form."""
    points, along = POINTS[0], [graded(Form()), against(RANDOM, Form())]
    more, found = len(points) * MEASURING[0], settings(Form())
    return {
        name: Arm(MORRIS, found[name][0], found[name][1], ON_GPU, (), along, points, more, START)
        for name in (AC, AZ, NETWORK)
    }


def trainings(form: Form) -> dict[str, Job]:
    """A training of each learner by name; on a GPU only in the full form, where there is one."""
    seed = form.seeds(1)[0]
    found = {name: arm.job(CPU, seed) for name, arm in arms(form).items()}
    if form.quick or not gpu_here():
        return found
    return found | {f"{name}, on a GPU": arm.job(CUDA, seed) for name, arm in gpu_arms().items()}


def jobs(form: Form) -> list[Job]:
    """All trainings."""
    return list(trainings(form).values())


def report(form: Form, results: Results) -> Report:
    """Best class and rate against random of every learner, at each point of its time."""
    found = {name: results[job] for name, job in trainings(form).items()}
    rows = [
        row(f"{TITLES[label]}: {name}, {point['seconds']:.0f} s", point, label)
        for label in (RAW, RANDOM)
        for name, result in found.items()
        for point in result["points"]
    ]
    cores = "one core" if THREADS[form.quick] == 1 else f"{THREADS[form.quick]} cores, of which n-tuples use one"
    gpu = "" if form.quick else f", and on a GPU, where there is one, {ON_GPU:.0f} s"
    notes = [
        f"Each learner has {SECONDS[form.quick]:.0f} s of {cores}{gpu}. One training each: "
        f"intervals are those of {DECISIONS[form.quick]:,} decisions and {GAMES[form.quick]} games.",
        "All play raw. Actor-critic and AlphaZero take their likeliest action and look at one position; the others "
        "take the best of all positions after a turn. Of evolution, games are generations.",
    ]
    apart = {"cpu": [name for name in found if "GPU" not in name], "gpu": [name for name in found if "GPU" in name]}
    pictures: dict[str, Draw] = {
        f"{where}-{label}": partial(
            plots.lines,
            f"Learners on {MORRIS}",
            _lines(found, names, label),
            ("seconds", TITLES[label]),
            True,
            logarithmic=True,
        )
        for where, names in apart.items()
        for label in (RAW, RANDOM)
        if names
    }
    return Report(rows, notes, pictures)


def _lines(found: dict[str, Result], names: list[str], label: str) -> list[plots.Line]:
    return [line(name, found[name], label) for name in names]


RECIPES = (
    Recipe(
        "morris/learners",
        "actor-critic, AlphaZero, TD networks, n-tuples and evolution for equal times: best class and rate against "
        "random",
        jobs,
        report,
        f"{SECONDS[1]:.0f} s of one core instead of {SECONDS[0] / 60:.0f} min of two, no curves of a GPU, "
        f"{DECISIONS[1]} decisions instead of {DECISIONS[0]:,}",
    ),
)
