"""Figures 28 and 29: TD with random tuples."""

from __future__ import annotations

from functools import partial

from spielwerk.studies import plots
from spielwerk.studies.einstein import remarks
from spielwerk.studies.einstein.learning.curves import RANDOM
from spielwerk.studies.einstein.learning.tuning import FOUND
from spielwerk.studies.einstein.published import SCORE, contradictions, published, rate, section
from spielwerk.studies.einstein.training import AS_PUBLISHED, EPISODES, agents, curve, final, train_job
from spielwerk.studies.einstein.variants import VARIANTS
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

WALK_AGENTS, WALK_POINTS = (10, 3), tuple(range(25_000, 250_001, 25_000))
WALKS = {28: ("walk", "random walk"), 29: ("points", "random points")}


def walk_jobs(number: int, form: Form) -> list[Job]:
    """Agents with random tuples."""
    return [job for die in VARIANTS["5x5-2"].dice for job in _walkers(number, die, form)]


def _walkers(number: int, die: str, form: Form) -> list[Job]:
    variant = VARIANTS["5x5-2"]
    settings = {**AS_PUBLISHED, **FOUND, "coding": variant.coding, "tuples": WALKS[number][0], "count": 25, "length": 4}
    seconds = WALK_POINTS[-1] / EPISODES[variant.key] + 1
    games = {RANDOM: (1000, 1000)}
    game, seeds = variant.game(die), agents(form, *WALK_AGENTS)
    return [train_job(game, variant.seating, settings, seed, WALK_POINTS, games, seconds) for seed in seeds]


def walk_report(number: int, form: Form, results: Results) -> Report:
    """Figures 28 and 29, under both readings of what is printed."""
    source, variant = published(f"figure-{number}"), VARIANTS["5x5-2"]
    rows, lines = [], []
    for die in variant.dice:
        jobs = _walkers(number, die, form)
        sample = final(results, jobs, RANDOM)
        printed, name = source["final"], WALKS[number][1]
        rows.append(Row.of(f"{name}, printed figure as a win rate", printed, sample, die=die))
        known = rate(printed, SCORE)
        rows.append(Row.of(f"{name}, printed figure as a mean score", known, sample, printed=printed, die=die))
        lines.append(plots.Curve(f"{name}, die={die}", WALK_POINTS, curve(results, jobs, RANDOM)))
    notes = [
        "25 tuples of 4 cells, drawn again for each agent; 250,000 episodes; settings of table 15.",
        "The source takes the figure for a win rate and concludes that the agents are no better than random ones. Its "
        "other two-player figures against random are mean scores; read so, they win clearly. Compare both with ours.",
        remarks.BOTH_DICE,
        *contradictions(f"figure-{number}"),
    ]
    levels = {"published, as a win rate": source["final"], "published, as a mean score": rate(source["final"], SCORE)}
    labels = ("episodes", "win rate against random")
    draw = partial(plots.curves, f"{source['caption']}: {variant.title}", lines, labels, (), levels)
    return Report(rows, notes, {"curve": draw})


def _walk(number: int) -> Recipe:
    name = f"figure-{number}"
    about = f"{published(name)['caption']}: {VARIANTS['5x5-2'].title}"
    less = f"{WALK_AGENTS[1]} agents instead of {WALK_AGENTS[0]}"
    jobs, report = partial(walk_jobs, number), partial(walk_report, number)
    return Recipe(f"einstein/{name}", about, jobs, report, less, section(name))


RECIPES = tuple(_walk(number) for number in WALKS)
