"""What each setting does: one at a time, from the source's last experiment on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from spielwerk.learn.evolution.settings import AFTERSTATE, BITS, CHAMPIONS, GRADE, KEPT, OFF, ONEHOT, SAFE
from spielwerk.studies import generation_plots
from spielwerk.studies.job import Job
from spielwerk.studies.nim.arms import Arm, Runs
from spielwerk.studies.nim.rows import LESS, MEDIANS, NUMBERED
from spielwerk.studies.nim.settings import DIRECTLY, PUBLISHED_MUTATIONS, SHARES, Chosen
from spielwerk.studies.nim.source.experiments import ANY
from spielwerk.studies.ranks import mann_whitney
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import NUMBER, Report, Row
from spielwerk.studies.results import Results

LIMIT = 300  # generations
USUAL = 0.2  # of them that are needed as a rule
LEVEL = 0.05
BASE = Arm("as in the source", ANY, DIRECTLY, LIMIT, usual=USUAL, group="base")


def each(name: str, *values: Any) -> list[Chosen]:
    """One change for each value of a setting."""
    return [{name: value} for value in values]


# What is changed, by topic: one setting, or several that cannot be changed alone.
TOPICS: dict[str, list[Chosen]] = {
    "selection": [
        *({"population": 50, "opponents": 25}, *each("population", 200, 400)),
        *(*each("opponents", 10, 25), *each("hall", 10), {"fitness": GRADE, "opponents": 0}),
        *each("exponent", 0.0, 1.0, 4.0, 8.0),
        *(change for share in SHARES for change in each(share, 0.0, 0.3)),
        *(dict.fromkeys(SHARES, 0.0), *each("best_from", CHAMPIONS)),
        *(*each("crossover", 0.5), *each("species", 0.5, 1.0)),
    ],
    "mutations": [
        *(*each("mutations_min", 1), *each("mutations_max", 2, 4), *each("shift", 0.5, 2.0)),
        *(change for name in PUBLISHED_MUTATIONS for change in each(name, 0.0, 3.0)),
        *(change for name in ("remove_edge", "remove_node", "switch_edge") for change in each(name, 1.0)),
        {"add_edge": 0.0, "add_node": 0.0},
        *(*each("split", OFF), *each("split_weights", KEPT)),
    ],
    "networks": [
        *(*each("illegal", SAFE), *each("inputs", BITS, ONEHOT), *each("output", ONEHOT, AFTERSTATE)),
        *(*each("hidden", 4), *each("activations", "tanh", "relu")),
        {"activations": "elu sin gauss abs", "set_activation": 1.0},
    ],
}


def arms() -> Iterator[Arm]:
    """The base, then everything that differs from it by one thing."""
    yield BASE
    for changes in TOPICS.values():
        yield from map(changed, changes)


def changed(changes: Chosen) -> Arm:
    """The base with a change."""
    values = {name: f"{value:g}" if isinstance(value, float) else value for name, value in changes.items()}
    label = ", ".join(f"{name}={value}" for name, value in values.items())
    return Arm(label, ANY, DIRECTLY | changes, LIMIT, usual=USUAL, group=next(iter(changes)))


def jobs(form: Form) -> list[Job]:
    """The populations of all of them."""
    return [job for arm in arms() for job in arm.jobs(form)]


@dataclass(frozen=True)
class Effect:
    """What a change came to beside the base; the chance that equal settings differ so much, and which was quicker."""

    runs: Runs
    chance: float
    verdict: str

    def clear(self, comparisons: int) -> bool:
        """Whether luck is ruled out, for so many comparisons together."""
        return self.chance < LEVEL / comparisons


def compared(form: Form, results: Results) -> tuple[Runs, list[Effect]]:
    """The base, and everything that differs from it."""
    base = BASE.runs(form, results)
    others = [arm.runs(form, results) for arm in arms() if arm is not BASE]
    return base, [Effect(runs, mann_whitney(runs.needed(), base.needed()), _verdict(runs, base)) for runs in others]


def report(form: Form, results: Results) -> Report:
    """Each setting beside the base."""
    base, found = compared(form, results)
    clear = sorted((effect.chance, effect.runs.arm.label) for effect in found if effect.clear(len(found)))
    notes = [
        "Stacks 1–8 with direct output; populations stop as soon as their champion is right in every position, or "
        f"after {LIMIT} generations.",
        "p: how often equal settings would differ so much (Mann–Whitney, two-sided). "
        f"Of {len(found)} comparisons about {LEVEL * len(found):.0f} come out below {LEVEL} by luck alone; below "
        f"{LEVEL / len(found):.4f}, where luck is ruled out for all of them together, are: "
        f"{', '.join(label for _, label in clear) or 'none'}.",
        *(NUMBERED, MEDIANS),
    ]
    rows = [_row(base, None), *(_row(effect.runs, effect) for effect in found)]
    return Report(rows, notes, {topic: partial(_boxes, topic, form, results) for topic in TOPICS})


def _boxes(topic: str, form: Form, results: Results) -> Any:
    found = [arm.runs(form, results) for arm in (BASE, *map(changed, TOPICS[topic]))]
    shown = [generation_plots.Needed(runs.arm.label, runs.needed(), LIMIT, runs.arm.group) for runs in found]
    title = f"Stacks 1–8, direct output: what changes in {topic} do"
    return generation_plots.needed_boxes(title, shown, "generations until perfect", found[0].median())


def _row(runs: Runs, effect: Effect | None) -> Row:
    never = "half never; " if runs.median() is None else ""
    note = f"{never}quartiles {runs.quartiles()}; perfect in {runs.count()}"
    if effect is not None:
        note = f"p = {effect.chance:.2g}{f' ({effect.verdict})' if effect.chance < LEVEL else ''}; {note}"
    return Row(runs.arm.label, None, runs.median(), runs.median_interval(), note=note, unit=NUMBER)


def _verdict(runs: Runs, base: Runs) -> str:
    """Whether more of these populations are slower than those of the base, or quicker."""
    pairs = [(mine, other) for mine in runs.needed() for other in base.needed()]
    return "slower" if sum(a > b for a, b in pairs) > sum(a < b for a, b in pairs) else "quicker"


RECIPES = (
    Recipe("nim/settings", "the effect of each setting, one at a time: stacks 1–8, direct output", jobs, report, LESS),
)
