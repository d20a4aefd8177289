"""Figures 12 to 15, and what the source left open: does experience replay help TD, and if not, why not?

Othello, 10 agents of 100,000 episodes each, a buffer of 5,000 transitions. The source's pseudocode learns a batch after
every transition, its code one after every episode: both are measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from spielwerk.studies import plots
from spielwerk.studies.einstein.replay_work import OPPONENTS
from spielwerk.studies.einstein.training import agents, curve, final
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import VALUE, Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

AGENTS = (10, 3)
FULL, QUICK = tuple(range(10_000, 100_001, 10_000)), (500, 1000, 2000, 3500, 5000)
GAMES = 200  # against each opponent at each point
PUBLISHED = {"alpha": 0.2, "alpha_end": 0.1, "epsilon": 0.1, "epsilon_end": 0.1, "gamma": 1.0, "lam": 0.0}
BUFFER = 5000
BATCHES = {13: 5, 14: 25, 15: 50}  # by figure
FREEZE = (5000, 500)  # episodes between two matches, full and quick
SPEED, UPDATES = 2800.0, 2.7e6  # episodes a second without replay, and transitions learned from batches, on one core
TURNS = 60  # of a game
LESS = f"{AGENTS[1]} agents instead of {AGENTS[0]}, {QUICK[-1]:,} episodes instead of {FULL[-1]:,}"


@dataclass(frozen=True)
class Arm:
    """One way to learn that is compared with the others."""

    label: str
    batch: int = 0
    every: str = "transition"
    more: Mapping[str, Any] = field(default_factory=dict)
    freezes: bool = False

    def jobs(self, form: Form) -> list[Job]:
        """Its agents."""
        points = QUICK if form.quick else FULL
        settings: dict[str, Any] = {**PUBLISHED, "episodes": points[-1]}
        if self.batch:
            settings |= {"buffer": BUFFER, "batch": self.batch, "replay_every": self.every, **self.more}
        if self.freezes:
            settings["freeze"] = FREEZE[form.quick]
        given = {"settings": settings, "points": list(points), "games": GAMES}
        updates = self.batch * (TURNS if self.every == "transition" else 1)
        seconds = points[-1] * (1 / SPEED + updates / UPDATES) + len(points) * 2.5
        seeds = agents(form, *AGENTS)
        return [Job("einstein.replay_work:train", {**given, "seed": seed}, seconds) for seed in seeds]


NONE = Arm("no replay")
BY_TRANSITION = {batch: Arm(f"batch {batch} after every transition", batch) for batch in BATCHES.values()}
BY_EPISODE = {batch: Arm(f"batch {batch} after every episode", batch, "episode") for batch in BATCHES.values()}
PRIORITISED = Arm("batch 25, prioritised", 25, more={"selector": "prioritised"})
FROZEN = Arm("batch 25, freezing", 25, freezes=True)
BOTH = Arm("batch 25, prioritised, freezing", 25, more={"selector": "prioritised"}, freezes=True)
FROZEN_ALONE = Arm("no replay, freezing", freezes=True)
SMALL = Arm("batch 25, step size / 25", 25, more={"alpha": 0.2 / 25, "alpha_end": 0.1 / 25})
LARGE_BUFFER = Arm("batch 25, buffer 100,000", 25, more={"buffer": 100_000})
PROPOSED = (PRIORITISED, FROZEN, BOTH, FROZEN_ALONE)
EXPLAINING = (SMALL, LARGE_BUFFER)
EVERY = (NONE, *BY_TRANSITION.values(), *BY_EPISODE.values(), *PROPOSED, *EXPLAINING)

NO_FIGURES = (
    "The source prints curves without figures, and does not say against whom: its text says that play is best without "
    "replay, almost the same with batch 5, and much worse with 25 and 50."
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
    return Report(rows, [NO_FIGURES], {_file(name): draw for name, draw in _curves(shown, form, results).items()})


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
    for arm in EVERY:
        rows += _explanations(arm, form, results)
    drawn = {
        f"{_file(name)}-batches": draw for name, draw in _curves([NONE, *BY_TRANSITION.values()], form, results).items()
    }
    more = _curves([NONE, BY_TRANSITION[25], *PROPOSED, *EXPLAINING], form, results)
    drawn |= {f"{_file(name)}-proposals": draw for name, draw in more.items()}
    return Report(rows, [NO_FIGURES, *verdicts(form, results)], drawn)


FACTS = {
    "fresh_error": "mean |δ| in new games",
    "buffer_error": "mean |δ| in the buffer",
    "picked_error": "mean |δ| of what the selector picks",
    "idle": "share of the buffer with |δ| < 0.02",
    "terminal": "share of the buffer that ends a game",
    "twins": "share of the buffer that is there twice",
}


def _explanations(arm: Arm, form: Form, results: Results) -> list[Row]:
    """What was seen inside the learner, as a mean over the second half of training."""
    rows = []
    for fact, text in FACTS.items():
        found = facts(arm, fact, form, results)
        if found is not None:
            share = fact in ("idle", "terminal", "twins")
            rows.append(Row.of(f"{arm.label}: {text}", None, found, unit="share" if share else VALUE))
    return rows


def facts(arm: Arm, fact: str, form: Form, results: Results) -> Sample | None:
    """A fact of each agent, over the second half of its training; None where there is no buffer."""
    series = [results[job]["facts"].get(fact) for job in arm.jobs(form)]
    if any(values is None for values in series):
        return None
    return Sample(tuple(sum(values[len(values) // 2 :]) / len(values[len(values) // 2 :]) for values in series))


def verdicts(form: Form, results: Results) -> list[str]:
    """The answers, from the figures."""
    return [_helps(form, results), _overfits(form, results), _little_use(form, results), _proposals(form, results)]


def difference(one: Arm, other: Arm, opponent: str, form: Form, results: Results) -> Sample:
    """How much more an arm wins than another; agents of the same seed are pairs."""
    mine, theirs = (final(results, arm.jobs(form), opponent).values for arm in (one, other))
    return Sample(tuple(a - b for a, b in zip(mine, theirs, strict=True)))


def worded(found: Sample) -> str:
    """A difference in words."""
    low, high = found.spread_interval
    verdict = "better" if low > 0 else "worse" if high < 0 else "no clear difference"
    return f"{100 * found.mean:+.1f} % ({100 * low:+.1f} to {100 * high:+.1f}: {verdict})"


HARD = "mcts:iterations=100"  # the opponent by which arms are compared: a random mover is beaten by all


def _helps(form: Form, results: Results) -> str:
    parts = [f"{arm.label} {worded(difference(arm, NONE, HARD, form, results))}" for arm in EVERY[1:7]]
    return f"Does replay help? Against {HARD}, compared with no replay: {'; '.join(parts)}."


def _overfits(form: Form, results: Results) -> str:
    parts = []
    for arm in (*BY_TRANSITION.values(), LARGE_BUFFER, SMALL):
        fresh, stored = (facts(arm, fact, form, results) for fact in ("fresh_error", "buffer_error"))
        assert fresh
        assert stored
        parts.append(f"{arm.label} {stored.mean:.3f} and {fresh.mean:.3f}")
    return (
        "Overfitting? Then what is in the buffer would be known much better than new games. Mean |δ| in the buffer and "
        f"in new games: {'; '.join(parts)}."
    )


def _little_use(form: Form, results: Results) -> str:
    found = {fact: facts(BY_TRANSITION[25], fact, form, results) for fact in FACTS}
    picked = facts(PRIORITISED, "picked_error", form, results)
    stored = facts(PRIORITISED, "buffer_error", form, results)
    assert picked
    assert stored
    shares = {fact: f"{100 * sample.mean:.1f} %" for fact, sample in found.items() if sample}
    return (
        f"Random selection that yields little? Of the buffer (batch 25) {shares['idle']} have |δ| < 0.02, "
        f"{shares['terminal']} end a game, {shares['twins']} are there twice. Picking by priority raises the mean |δ| "
        f"of a batch from {stored.mean:.3f} to {picked.mean:.3f}; see the next line for whether that helps."
    )


def _proposals(form: Form, results: Results) -> str:
    pairs = [(PRIORITISED, BY_TRANSITION[25]), (FROZEN, BY_TRANSITION[25]), (BOTH, BY_TRANSITION[25])]
    pairs += [(FROZEN_ALONE, NONE), (SMALL, BY_TRANSITION[25]), (LARGE_BUFFER, BY_TRANSITION[25])]
    parts = [
        f"{one.label} instead of {two.label}: {worded(difference(one, two, HARD, form, results))}" for one, two in pairs
    ]
    return f"The source's proposals, and two of ours, against {HARD}: {'; '.join(parts)}."


def _figure(number: int) -> Recipe:
    about = "without replay" if number == 12 else f"with replay, batch {BATCHES[number]}"
    return Recipe(
        f"einstein/figure-{number}",
        f"TD learns Othello {about}",
        partial(figure_jobs, number),
        partial(figure_report, number),
        LESS,
    )


RECIPES = (
    *(_figure(number) for number in (12, *BATCHES)),
    Recipe("einstein/replay", "does replay help TD, and if not, why not", replay_jobs, replay_report, LESS),
)
