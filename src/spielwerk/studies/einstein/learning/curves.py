"""Figures 20 to 27: how TD's play develops, against the random mover and against MCTS-Expectimax."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from spielwerk.studies import plots
from spielwerk.studies.einstein import remarks
from spielwerk.studies.einstein.ceilings import ceiling_notes, ceilings
from spielwerk.studies.einstein.learning.tuning import FOUND
from spielwerk.studies.einstein.published import SCORE, contradictions, published, rate, section
from spielwerk.studies.einstein.spreads import known_row
from spielwerk.studies.einstein.training import (
    AGAINST_MCTSE,
    AS_PUBLISHED,
    EPISODES,
    agents,
    curve,
    train_job,
)
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
FULL = tuple(range(250_000, 5_000_001, 250_000))
QUICK = (*EARLY, 150_000, 200_000)
GAMES = {RANDOM: (1000, 1000), MCTSE: (40, 400)}  # at a point, and at the last one
QUICK_GAMES = {RANDOM: (1000, 1000), MCTSE: (20, 100)}
LESS = f"{AGENTS[1]} agents instead of {AGENTS[0]}, {QUICK[-1]:,} episodes instead of {FULL[-1]:,}"
FIGURES = tuple(f"figure-{number}" for number in range(20, 28))
CITED = "Chu et al. 2017 (cited)"


def points_of(variant: Variant, form: Form) -> tuple[int, ...]:
    """When the agents of a variant are measured: evenly, and wherever the source gives a figure."""
    named = (published(name) for name in FIGURES)
    listed = {point["episodes"] for source in named if source["variant"] == variant.key for point in source["points"]}
    return QUICK if form.quick else tuple(sorted({*EARLY, *FULL, *listed}))


def long_jobs(variant: Variant, die: str, form: Form, coding: str = "") -> list[Job]:
    """The agents of a variant with the settings found, in the coding published or in another."""
    points, games = points_of(variant, form), QUICK_GAMES if form.quick else GAMES
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
    points = points_of(variant, form)
    rows: list[Row] = []
    lines: list[plots.Curve] = []
    for label, jobs, die in series(variant, form):
        rows += _rows(source, label, points, curve(results, jobs, opponent), die)
        rows += _cited(source, label, points, curve(results, jobs, opponent), die)
        name_of_line = f"{label}{f', die={die}' if len(variant.dice) > 1 else ''}"
        lines.append(plots.Curve(name_of_line, points, curve(results, jobs, opponent)))
    labels = ("episodes", f"win rate against {opponent}")
    theirs = [(at["episodes"], rate(at["mean"], unit)) for at in source["points"] if at["episodes"] <= points[-1]]
    draw = partial(plots.curves, f"{source['caption']}: {variant.title}", lines, labels, theirs, _levels(source, form))
    notes = [*_notes(variant, unit, results, rows, opponent), *contradictions(name)]
    return Report(rows, notes, {"curve": draw})


def _rows(source: dict[str, Any], label: str, points: Sequence[int], values: np.ndarray, die: str) -> list[Row]:
    """The end, then what the text says of points in between; `values` [agents, points]."""
    end = {"episodes": points[-1], "mean": source["final"]}
    between = [point for point in source["points"] if point["episodes"] < points[-1]]
    doubtful = source.get("doubtful", False)
    return [
        known_row(
            f"TD, {label}, {_when(point['episodes'], points)}",
            point,
            source["unit"],
            Sample(tuple(values[:, _nearest(point["episodes"], points)].tolist())),
            die=die,
            doubtful=doubtful,
        )
        for point in (end, *between)
    ]


def _nearest(episodes: int, points: Sequence[int]) -> int:
    return min(range(len(points)), key=lambda i: abs(points[i] - episodes))


def _when(episodes: int, points: Sequence[int]) -> str:
    return f"{'after' if episodes in points else 'near'} {episodes:,} episodes"


def _cited(source: dict[str, Any], label: str, points: Sequence[int], values: np.ndarray, die: str) -> list[Row]:
    """What the source cites of others who have taught n-tuples the same variant, beside our agents."""
    cited, kind = published("chu-2017"), "mcts" if source["against"] == "mctse" else source["against"]
    lines = [line for line in cited["rows"] if line["against"] == kind]
    rows = []
    for line in lines if source["variant"] == cited["variant"] else ():
        episodes = line.get("episodes", points[-1])
        sample = Sample(tuple(values[:, _nearest(episodes, points)].tolist()))
        name = f"{CITED} against {kind}; ours: {label}, {_when(episodes, points)}"
        rows.append(known_row(name, line, cited["unit"], sample, die=die))
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


def _notes(variant: Variant, unit: str, results: Results, rows: Sequence[Row], opponent: str) -> list[str]:
    notes = [
        *remarks.common(variant, unit == SCORE),
        *ceiling_notes(variant, results, [row.published for row in rows]),
        "Settings of table 15, fixed tuples, weights for each player, as in the source. In the quick form, points in "
        "between are compared with ours nearest to them.",
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


def _figure(number: int) -> Recipe:
    name = f"figure-{number}"
    source = published(name)
    about = f"{source['caption']}: {VARIANTS[source['variant']].title}"
    jobs, report = partial(figure_jobs, name), partial(figure_report, name)
    return Recipe(f"einstein/{name}", about, jobs, report, LESS, section(name))


RECIPES = tuple(_figure(number) for number in range(20, 28))
