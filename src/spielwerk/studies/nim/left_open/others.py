"""Evolution beside TD n-tuples, a network that learns by backpropagation, and MCTS, at equal numbers of games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from spielwerk import names
from spielwerk.learn.evolution.settings import Settings
from spielwerk.studies import generation_plots
from spielwerk.studies.job import Job
from spielwerk.studies.nim import equal_games
from spielwerk.studies.nim.equal_games import DECISIONS, EVOLUTION, MCTS, NETWORK, ORACLE, TD
from spielwerk.studies.nim.settings import BOARDS, BY_GRADIENT, BY_WINS, CROWDS, Chosen, written
from spielwerk.studies.nim.training import games as games_of
from spielwerk.studies.plots import Curve
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import VALUE, Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

GAMES = {"nim": "nim 1-3-5-7", "einstein:board=3": "einstein 3×3"}
BUDGETS = (tuple(CROWDS), tuple(CROWDS)[:3])  # games, full and quick
SEEDS = (10, 3)
SEARCHES = 3  # seeds of MCTS
AGAINST_RANDOM = (2000, 500)  # games
MOST = (2 * 10**8, 10**7)  # simulations that are spent on decisions, and on games against random
A_GAME = 5  # decisions of one side, about
SPEED = {  # games a second
    EVOLUTION: {"nim": 50_000, "einstein:board=3": 120_000},
    TD: {"nim": 40_000, "einstein:board=3": 60_000},
    NETWORK: {"nim": 12_000, "einstein:board=3": 15_000},
}
SIMULATIONS = {"nim": 5_000_000, "einstein:board=3": 2_000_000}  # a second
FIGURES = {"regret": "regret a decision", "right": "right decisions", "rate": "win rate against random"}
KEPT_AS = {"regret": "loss"}  # what stored results call otherwise
WAYS = {EVOLUTION: "evolution", TD: "TD", NETWORK: "TD network", MCTS: "MCTS"}  # and what rows call them
NOISE = 1e-12  # of a regret, from tables of perfect play


def evolution_settings(game: str, budget: int) -> Chosen:
    """A small population for few games, and as many generations as they allow."""
    population, opponents = CROWDS[budget]
    chosen = {**BY_WINS[game], "population": population, "opponents": opponents}
    one = games_of(names.settings(Settings, "evolution", dict(chosen)), 1)
    return {**chosen, "generations": max(1, budget // one)}


def settings_of(game: str, way: str, budget: int) -> Chosen:
    """The settings of a learner that may play so many games."""
    if way == EVOLUTION:
        return evolution_settings(game, budget)
    return {**BY_GRADIENT, "boards": BOARDS[budget], "minibatch": 2 * BOARDS[budget]} if way == NETWORK else {}


def jobs_of(game: str, way: str, budget: int, form: Form) -> list[Job]:
    """The agents of one learner that may play so many games; perfect play needs none."""
    if way == ORACLE:
        return [perfect_job(game, form)]
    seeds, matches = form.seeds(SEEDS[form.quick]), AGAINST_RANDOM[form.quick]
    if way == MCTS:
        return _searches(game, budget, form)
    settings = settings_of(game, way, budget)
    seconds = 1 + budget / SPEED[way][game]
    return [equal_games.job(game, way, settings, seed, budget, (DECISIONS, matches), seconds) for seed in seeds]


def _searches(game: str, budget: int, form: Form) -> list[Job]:
    """MCTS plays its games anew for each decision: with many of them it is asked less."""
    most = MOST[form.quick]
    decisions = min(DECISIONS, max(most // budget, 1))
    matches = min(AGAINST_RANDOM[form.quick], max(most // (A_GAME * budget), 20))
    seconds = (decisions + A_GAME * matches) * budget / SIMULATIONS[game]
    seeds = form.seeds(SEARCHES)
    return [equal_games.job(game, MCTS, {}, seed, budget, (decisions, matches), seconds) for seed in seeds]


def perfect_job(game: str, form: Form) -> Job:
    """Perfect play against random."""
    return equal_games.job(game, ORACLE, {}, form.seed, 0, (DECISIONS, 10 * AGAINST_RANDOM[form.quick]), 5.0)


def cells(form: Form) -> Iterator[tuple[str, str, int]]:
    """Each game, way and number of games."""
    for game in GAMES:
        for way in WAYS:
            for budget in BUDGETS[form.quick]:
                yield game, way, budget


def jobs(form: Form) -> list[Job]:
    """All agents."""
    found = [job for game, way, budget in cells(form) for job in jobs_of(game, way, budget, form)]
    return [*found, *(perfect_job(game, form) for game in GAMES)]


def report(form: Form, results: Results) -> Report:
    """Each way with each number of games, and perfect play."""
    rows = []
    for game in GAMES:
        rows += [_row(game, way, budget, form, results) for way in WAYS for budget in BUDGETS[form.quick]]
        rows.append(_row(game, ORACLE, 0, form, results))
    notes = [
        "The figure is regret: what a decision costs. A decision is right if it costs nothing, and in a lost position "
        "of nim delays the end as long as possible. Against random others can win more often than perfect play.",
        "Games are those that an agent may play before it is asked: evolution in its competitions, TD in self-play. "
        "MCTS plays as many simulations for each decision, and starts over at the next one: the others spend their "
        "games once for all decisions.",
        f"All are asked the same questions: {_questions()}. MCTS with many simulations is asked fewer of them, evenly "
        "chosen, and plays fewer games against random.",
        "Evolution: " + "; ".join(f"{n:,} games: population {p}, opponents {o}" for n, (p, o) in CROWDS.items()) + ".",
        "TD: n-tuples with their default settings, which decay over the training.",
        f"TD network: backpropagation, {written(BY_GRADIENT)}; boards "
        + ", ".join(f"{boards} for {n:,} games" for n, boards in BOARDS.items())
        + ". It sees the game's own observation: in nim the matches of each stack, as the source's networks do.",
    ]
    return Report(rows, notes, dict(_plots(form, results)))


def _questions() -> str:
    return f"all decisions of nim 1-3-5-7, up to {DECISIONS:,} different decisions of einstein 3×3"


def sample(game: str, way: str, budget: int, figure: str, form: Form, results: Results) -> Sample:
    """What the agents of one learner came to, by one of FIGURES."""
    found = [float(results[job][KEPT_AS.get(figure, figure)]) for job in jobs_of(game, way, budget, form)]
    return Sample(tuple(_quiet(value) for value in found))


def _quiet(value: float) -> float:
    """A figure without what the last digits of floating point leave of 0."""
    return value if value > NOISE else 0.0


def _row(game: str, way: str, budget: int, form: Form, results: Results) -> Row:
    """The regret, with the other figures beside it."""
    regret, right, rate = (sample(game, way, budget, figure, form, results) for figure in FIGURES)
    low, high = regret.spread_interval
    several = len(regret.values) > 1
    return Row(
        f"{GAMES[game]}, {WAYS.get(way, way)}{f', {budget:,} games' if budget else ''}",
        None,
        regret.mean,
        (max(0.0, low), high) if several else None,
        sd=_quiet(regret.sd) if several else None,
        note=f"right {100 * right.mean:.1f} %, against random {100 * rate.mean:.1f} %",
        unit=VALUE,
        more={"right": _facts(right), "rate": _facts(rate)},
    )


def _facts(sample: Sample) -> dict[str, Any]:
    interval = list(sample.interval) if len(sample.values) > 1 else None
    return {"mean": sample.mean, "interval": interval, "values": list(sample.values)}


def _plots(form: Form, results: Results) -> Iterator[tuple[str, partial[object]]]:
    for game, title in GAMES.items():
        for figure in ("regret", "rate"):
            lines = [_line(game, way, figure, form, results) for way in WAYS]
            labels = ("games (MCTS: for each decision)", FIGURES[figure])
            whole = f"{title}: {FIGURES[figure]}, by games"
            best = sample(game, ORACLE, 0, figure, form, results).mean
            draw = partial(generation_plots.courses, whole, lines, labels, percent=figure != "regret", perfect=best)
            yield f"{figure}-{game.partition(':')[0]}", draw


def _line(game: str, way: str, figure: str, form: Form, results: Results) -> Curve:
    budgets = BUDGETS[form.quick]
    values = [sample(game, way, budget, figure, form, results).values for budget in budgets]
    return Curve(way, budgets, np.array(values).T)


RECIPES = (
    Recipe(
        "nim/other-learners",
        "evolution, TD n-tuples, a TD network and MCTS at equal numbers of games",
        jobs,
        report,
        f"{SEEDS[1]} agents instead of {SEEDS[0]}, up to {BUDGETS[1][-1]:,} games instead of {BUDGETS[0][-1]:,}",
    ),
)
