"""Figures 20 to 29: how TD's play develops, against the random mover and against MCTS-Expectimax."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from spielwerk.studies import plots
from spielwerk.studies.einstein import remarks
from spielwerk.studies.einstein.published import SCORE, doubt, published, rate
from spielwerk.studies.einstein.search import ceiling_notes, ceilings
from spielwerk.studies.einstein.training import (
    AGAINST_MCTSE,
    AS_PUBLISHED,
    EPISODES,
    agents,
    curve,
    final,
    train_job,
)
from spielwerk.studies.einstein.tuning import FOUND
from spielwerk.studies.einstein.variants import VARIANTS, Variant
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

RANDOM, MCTSE, TEAMS = "random", "mctse:iterations=2000", "random teams"
OPPONENTS = {"random": RANDOM, "mctse": MCTSE}
AGENTS = (5, 3)  # of each variant, full and quick
EARLY = (5_000, 10_000, 25_000, 50_000, 100_000)
FULL = (*EARLY, *range(250_000, 5_000_001, 250_000))
QUICK = (*EARLY, 150_000, 200_000)
GAMES = {RANDOM: (1000, 1000), MCTSE: (40, 400)}  # at a point, and at the last one
QUICK_GAMES = {RANDOM: (1000, 1000), MCTSE: (20, 100)}
LESS = f"{AGENTS[1]} agents instead of {AGENTS[0]}, {QUICK[-1]:,} episodes instead of {FULL[-1]:,}"

WALK_AGENTS, WALK_POINTS = (10, 3), tuple(range(25_000, 250_001, 25_000))
WALKS = {28: ("walk", "random walk"), 29: ("points", "random points")}


def long_jobs(variant: Variant, die: str, form: Form, coding: str = "") -> list[Job]:
    """The agents of a variant with the settings found, in the coding published or in another."""
    points, games = (QUICK, QUICK_GAMES) if form.quick else (FULL, GAMES)
    games = games | ({TEAMS: (200, 1000)} if variant.seating == "mixed" else {})
    settings = {**AS_PUBLISHED, **FOUND, "coding": coding or variant.coding}
    matches = (len(points) - 1) * games[MCTSE][0] + games[MCTSE][1]
    seconds = points[-1] / EPISODES[variant.key] + matches * AGAINST_MCTSE[variant.key]
    game, seating = variant.game(die), variant.seating
    return [train_job(game, seating, settings, seed, points, games, seconds) for seed in agents(form, *AGENTS)]


def all_long_jobs(variant: Variant, form: Form) -> list[Job]:
    """The published coding under every rule of the die, a finer one under the first."""
    jobs = [job for die in variant.dice for job in long_jobs(variant, die, form)]
    return [*jobs, *(long_jobs(variant, variant.dice[0], form, variant.finer) if variant.finer else [])]


def figure_jobs(name: str, form: Form) -> list[Job]:
    """What one figure needs; the two figures of a variant share it."""
    variant = VARIANTS[published(name)["variant"]]
    return [*all_long_jobs(variant, form), *ceilings(variant)]


def figure_report(name: str, form: Form, results: Results) -> Report:
    """The end of the curve, and the published points with ours at the nearest point."""
    source = published(name)
    variant, opponent, unit = VARIANTS[source["variant"]], OPPONENTS[source["against"]], source["unit"]
    points = QUICK if form.quick else FULL
    rows: list[Row] = []
    lines: list[plots.Curve] = []
    for label, jobs, die in series(variant, form):
        rows += _rows(source, label, points, curve(results, jobs, opponent), die)
        name_of_line = f"{label}{f', die={die}' if len(variant.dice) > 1 else ''}"
        lines.append(plots.Curve(name_of_line, points, curve(results, jobs, opponent)))
    labels = ("episodes", f"win rate against {opponent}")
    theirs = [(episodes, rate(value, unit)) for episodes, value in source["points"] if episodes <= points[-1]]
    draw = partial(plots.curves, f"{source['caption']}: {variant.title}", lines, labels, theirs, _levels(source, form))
    return Report(rows, _notes(variant, unit, form, results, rows, opponent), {"curve": draw})


def _rows(source: dict[str, Any], label: str, points: Sequence[int], values: np.ndarray, die: str) -> list[Row]:
    """The end, then what the text says of points in between; `values` [agents, points]."""
    unit = source["unit"]
    named = [(f"after {points[-1]:,} episodes", len(points) - 1, source["final"])]
    for episodes, value in source["points"]:
        if episodes < min(FULL[-1], points[-1]):
            near = min(range(len(points)), key=lambda i: abs(points[i] - episodes))
            named.append((f"near {episodes:,}", near, value))
    rows = []
    for name, place, value in named:
        sample = Sample(tuple(values[:, place].tolist()))
        more = {"printed": value if unit == SCORE else None, "note": doubt(value) if source.get("doubtful") else ""}
        rows.append(Row.of(f"TD, {label}, {name}", rate(value, unit), sample, die=die, **more))
    return rows


def series(variant: Variant, form: Form) -> list[tuple[str, list[Job], str]]:
    """The agents that are compared: what they are called, their jobs, their die."""
    listed = [(f"{variant.coding}", long_jobs(variant, die, form), die) for die in variant.dice]
    if variant.finer:
        listed.append((f"{variant.finer}", long_jobs(variant, variant.dice[0], form, variant.finer), variant.dice[0]))
    return [(f"coding {label}", jobs, die) for label, jobs, die in listed]


def _levels(source: dict[str, Any], form: Form) -> dict[str, float]:
    """Where the published curve ends, as a line where it ends later than ours."""
    return {"published, after 5,000,000 episodes": rate(source["final"], source["unit"])} if form.quick else {}


def _notes(variant: Variant, unit: str, form: Form, results: Results, rows: Sequence[Row], opponent: str) -> list[str]:
    notes = [
        *remarks.common(variant, unit == SCORE),
        *ceiling_notes(variant, results, [row.published for row in rows]),
        "Settings of table 15, fixed tuples, weights for each player, as in the source; points in between are compared "
        "with ours nearest to them.",
    ]
    if opponent == MCTSE:
        notes.append(
            "The source plays 20 games at each point, so its curve moves by chance alone by ±22 % for one agent "
            "and ±10 % for the mean of five. It does not give the settings of its MCTSE; ours is mctse:iterations=2000."
        )
    if variant.finer:
        notes.append(
            f"The source blames TD's failure with four players on too few weights. Coding {variant.coding} is the same "
            f"network as the source's; {variant.finer} has more weights."
        )
    return notes


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
        "25 tuples of 4 cells, drawn again for each agent; 250,000 episodes (the list of figures says 2,500,000); "
        "settings of table 15.",
        "The source takes the figure for a win rate and concludes that the agents are no better than random ones. Its "
        "other two-player figures against random are mean scores; read so, they win clearly. Compare both with ours.",
        remarks.BOTH_DICE,
    ]
    levels = {"published, as a win rate": source["final"], "published, as a mean score": rate(source["final"], SCORE)}
    labels = ("episodes", "win rate against random")
    draw = partial(plots.curves, f"{source['caption']}: {variant.title}", lines, labels, (), levels)
    return Report(rows, notes, {"curve": draw})


def _figure(number: int) -> Recipe:
    name = f"figure-{number}"
    source = published(name)
    about = f"{source['caption']}: {VARIANTS[source['variant']].title}"
    return Recipe(f"einstein/{name}", about, partial(figure_jobs, name), partial(figure_report, name), LESS)


def _walk(number: int) -> Recipe:
    about = f"{published(f'figure-{number}')['caption']}: {VARIANTS['5x5-2'].title}"
    less = f"{WALK_AGENTS[1]} agents instead of {WALK_AGENTS[0]}"
    return Recipe(f"einstein/figure-{number}", about, partial(walk_jobs, number), partial(walk_report, number), less)


RECIPES = (*(_figure(number) for number in range(20, 28)), *(_walk(number) for number in WALKS))
