"""The source's table of related work, with our figures where they compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from spielwerk.agents.registry import agent
from spielwerk.arena.playing.plan import Plan
from spielwerk.learn.evaluation import LEARNER, play_learner
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.nim.arms import Arm, Runs
from spielwerk.studies.nim.left_open import multi
from spielwerk.studies.nim.one_hot import arms as one_hot_arms
from spielwerk.studies.nim.published import published
from spielwerk.studies.nim.rows import LESS, MEDIANS
from spielwerk.studies.nim.settings import BACKGAMMON, BACKGAMMON_GENERATIONS
from spielwerk.studies.nim.source.experiments import ARMS
from spielwerk.studies.nim.training import learn, made
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import NUMBER, Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

PLAYERS = (4, 2)  # evolved backgammon players, full and quick
QUICK = 20  # generations of backgammon
AGAINST = (2000, 400)  # games against pubeval
GENERATION = 1.0  # seconds, on one core
WHY = {
    "neat": "another task: poles, not games; nim below",
    "dama": "dama is not played here",
    "go": "go is not played here",
    "capture": "no result is published; not played here",
}


def backgammon_jobs(form: Form) -> list[Job]:
    """Evolved players that meet pubeval."""
    generations = QUICK if form.quick else BACKGAMMON_GENERATIONS
    given = {"game": "backgammon", "settings": BACKGAMMON | {"generations": generations}}
    given |= {"against": "pubeval", "games": AGAINST[form.quick]}
    seconds = 10 + GENERATION * generations
    return [
        Job("nim.related:evolve_and_play", given | {"seed": seed}, seconds) for seed in form.seeds(PLAYERS[form.quick])
    ]


def evolve_and_play(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """The rate of the champion against an opponent, and how well it is graded."""
    learner = made(given)
    learn(learner, callback)
    plan = Plan(learner.game.name, (LEARNER, given["against"]), given["games"], given["seed"])
    rate = play_learner(plan, learner.agent(), agent, lambda: callback(1.0)).rate
    return {"rate": rate, "figures": learner.figures()}


def arms(form: Form) -> list[tuple[str, Arm]]:
    """What of ours has evaluations to count."""
    single = [(f"nim, stack 8, {ARMS[key].label}", ARMS[key]) for key in ("stack-8-1", "stack-8-3")]
    several = [(f"nim {arm.label}, several stacks", arm) for arm in multi.arms(form)]
    direct, one_hot = ARMS["stacks-1-8-2"], one_hot_arms(form)[0]
    return [*single, ("nim, stacks 1–8, direct", direct), ("nim, stacks 1–8, one-hot", one_hot), *several]


def jobs(form: Form) -> list[Job]:
    """Those of the other recipes, and backgammon."""
    return [*(job for _, arm in arms(form) for job in arm.jobs(form)), *backgammon_jobs(form)]


def report(form: Form, results: Results) -> Report:
    """Theirs, then ours."""
    rows = [row for line in published("related")["rows"] for row in _published(line, form, results)]
    for name, arm in arms(form):
        runs = arm.runs(form, results)
        rows += [_evaluations(name, runs), Row(f"{name}: solved", None, runs.share(), runs.share_interval())]
    notes = [
        "An evaluation is one genome that is given its fitness. What is solved differs from line to line: only the "
        "order of magnitude can be compared. With fitness=wins a genome is measured by its games against the others, "
        "with fitness=grade by its decisions.",
        f"Backgammon here: {', '.join(f'{name}={value}' for name, value in BACKGAMMON.items())}; graded by decisions "
        "that GNU Backgammon has judged, not by games.",
        MEDIANS,
    ]
    return Report(rows, notes)


def _published(line: dict[str, Any], form: Form, results: Results) -> Iterator[Row]:
    name, why = line["name"], "; ".join(filter(None, (_quoted(line), WHY.get(line["key"], ""))))
    if "evaluations" in line:
        yield Row(f"{name}: evaluations", line["evaluations"], None, note=why, unit=NUMBER)
    if "generations" in line:
        ours = BACKGAMMON_GENERATIONS if line["key"] == "backgammon" and not form.quick else None
        size = f"population {line['population']}, ours {BACKGAMMON['population']}" if "population" in line else ""
        note = "; ".join(filter(None, (f"published: {line['about']}" if "about" in line else "", size, why)))
        yield Row(f"{name}: generations", line["generations"], ours, note=note, unit=NUMBER)
    if line["key"] == "backgammon":
        sample = Sample(tuple(results[job]["rate"] for job in backgammon_jobs(form)))
        yield Row.of(f"{name}: {line['kind']}", line["rate"], sample, note=why)
    elif "rate" in line:
        more = "published: more than that; " if line.get("least") else ""
        yield Row(f"{name}: {line['kind']}", line["rate"], None, note=f"{more}{why}")


def _quoted(line: dict[str, Any]) -> str:
    """What the source prints, in its own words."""
    return "in the source's words " + ", ".join(f"“{words}”" for words in line["words"])


def _evaluations(name: str, runs: Runs) -> Row:
    """Genomes until the champion was perfect."""
    median, interval = runs.median(), runs.median_interval()
    size = runs.population
    ours = None if median is None else size * (median + 1)
    ends = None if interval is None else (size * (interval[0] + 1), size * (interval[1] + 1))
    note = f"half need more than {size * runs.arm.generations:,}" if median is None else ""
    return Row(f"{name}: evaluations until perfect", None, ours, ends, note=note, unit=NUMBER)


RECIPES = (
    Recipe(
        "nim/related-work",
        "the source's related work, with our figures where they compare",
        jobs,
        report,
        f"{LESS}; backgammon: {PLAYERS[1]} players instead of {PLAYERS[0]}, {QUICK} generations instead of "
        f"{BACKGAMMON_GENERATIONS}",
    ),
)
