"""Figures 12 to 15, and what the source left open: does experience replay help TD, and if not, why not?

Othello, 100,000 episodes an agent, a buffer of 5,000 transitions. The source's pseudocode learns a batch after every
transition, its code, which made its figures with 10 agents each, one after every episode: both are measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from spielwerk.games.registry import game
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.settings import Settings
from spielwerk.studies import plots
from spielwerk.studies.einstein.replay.arms import (
    AS_PRINTED,
    BATCHES,
    BY_EPISODE,
    BY_TRANSITION,
    EVERY,
    EXPLAINING,
    FULL,
    LESS,
    NONE,
    PRIORITISED,
    PROPOSED,
    QUICK,
    Arm,
    facts,
)
from spielwerk.studies.einstein.replay.verdicts import verdicts
from spielwerk.studies.einstein.replay_work import GAME, OPPONENTS
from spielwerk.studies.einstein.training import curve, final
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import SHARE, VALUE, Report, Row
from spielwerk.studies.results import Results

NO_FIGURES = (
    "The source prints curves without figures, and does not say against whom: its text says that play is best without "
    "replay, almost the same with batch 5, and much worse with 25 and 50."
)


def network_note() -> str:
    """Which network learns: ours, since the source does not say which its was."""
    network = NTupleNetwork(game(GAME), Settings(), seed=0, empty=True)
    places, tables = len(network.shape.places), len(network.shape.tuples)
    return (
        f"The network is our default for {GAME}: {tables} tuples; positions that mirror each other share their weights "
        f"(symmetry=true: the tuples look at {places} places), and so do both players (weights=shared): "
        f"{network.shape.weights:,} weights. The source does not say which tuples its Othello agents had; GBG keeps "
        "weights for each player."
    )


def arms(number: int) -> list[Arm]:
    """What a figure shows."""
    return [NONE] if number == 12 else [NONE, BY_TRANSITION[BATCHES[number]], BY_EPISODE[BATCHES[number]]]


def figure_jobs(number: int, form: Form) -> list[Job]:
    """The agents of a figure."""
    return [job for arm in arms(number) for job in arm.jobs(form)]


def figure_report(number: int, form: Form, results: Results) -> Report:
    """Figures 12 to 15: the curves, and where they end."""
    shown = arms(number)
    rows = [row for arm in shown for row in strength(arm, form, results)]
    return Report(
        rows, [NO_FIGURES, network_note()], {_file(name): draw for name, draw in _curves(shown, form, results).items()}
    )


def strength(arm: Arm, form: Form, results: Results) -> list[Row]:
    """Against each opponent at the end; the source gives no figure."""
    jobs = arm.jobs(form)
    return [Row.of(f"{arm.label}: against {name}", None, final(results, jobs, name)) for name in OPPONENTS]


def _curves(shown: Sequence[Arm], form: Form, results: Results) -> dict[str, Any]:
    points = QUICK if form.quick else FULL
    drawn = {}
    for opponent in OPPONENTS:
        lines = [plots.Curve(arm.label, points, curve(results, arm.jobs(form), opponent)) for arm in shown]
        labels = ("episodes", f"win rate against {opponent}")
        drawn[opponent] = partial(plots.curves, f"TD learns Othello: against {opponent}", lines, labels)
    return drawn


def _file(opponent: str) -> str:
    return opponent.partition(":")[0]


def replay_jobs(form: Form) -> list[Job]:
    """All arms."""
    return [job for arm in EVERY for job in arm.jobs(form)]


def replay_report(form: Form, results: Results) -> Report:
    """Does replay help, and do the source's explanations hold?"""
    rows = [row for arm in EVERY for row in strength(arm, form, results)]
    for arm in (NONE, *BY_TRANSITION.values(), PRIORITISED, AS_PRINTED, *EXPLAINING):
        rows += _explanations(arm, form, results)
    drawn = {
        f"{_file(name)}-batches": draw for name, draw in _curves([NONE, *BY_TRANSITION.values()], form, results).items()
    }
    for what, ways in (("proposals", PROPOSED), ("remedies", EXPLAINING)):
        more = _curves([NONE, BY_TRANSITION[25], *ways], form, results)
        drawn |= {f"{_file(name)}-{what}": draw for name, draw in more.items()}
    return Report(rows, [NO_FIGURES, network_note(), *verdicts(form, results)], drawn)


FACTS = {
    "buffer_error": "mean |δ| in the buffer",
    "picked_error": "mean |δ| of what the selector picks",
    "idle": "share of the buffer with |δ| < 0.02",
    "terminal": "share of the buffer that ends a game",
    "twins": "share of the buffer that is there twice",
}
SHARES = ("idle", "terminal", "twins")


def _explanations(arm: Arm, form: Form, results: Results) -> list[Row]:
    """What was seen inside the learner, as a mean over the second half of training."""
    rows = [Row.of(f"{arm.label}: mean |δ| in new games", None, facts(arm, "fresh_error", form, results), unit=VALUE)]
    for fact, text in FACTS.items() if arm.batch else ():
        if fact == "picked_error" and arm not in (PRIORITISED, AS_PRINTED):
            continue  # a selector without preferences picks what there is
        unit = SHARE if fact in SHARES else VALUE
        rows.append(Row.of(f"{arm.label}: {text}", None, facts(arm, fact, form, results), unit=unit))
    return rows


def _figure(number: int) -> Recipe:
    about = "without replay" if number == 12 else f"with replay, batch {BATCHES[number]}"
    return Recipe(
        f"einstein/figure-{number}",
        f"TD learns Othello {about}",
        partial(figure_jobs, number),
        partial(figure_report, number),
        LESS,
        f"section 5.4, figure {number}",
    )


RECIPES = (
    *(_figure(number) for number in (12, *BATCHES)),
    Recipe(
        "einstein/replay",
        "does replay help TD, and if not, why not",
        replay_jobs,
        replay_report,
        LESS,
        "sections 5.4 and 5.5",
    ),
)
