"""How many nodes a tree needs: the claim of section 6.3 that they are a decisive factor, far beyond its grid."""

from __future__ import annotations

from functools import partial

import numpy as np

from spielwerk.studies import plots
from spielwerk.studies.einstein import remarks
from spielwerk.studies.einstein.matches import match_job, rates
from spielwerk.studies.einstein.searches.agent_grids import MCTSE, MCTSE_TIME, PARTS
from spielwerk.studies.einstein.variants import VARIANTS, Variant
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

LIMITS = (10, 25, 50, 100, 200, 450, 550, 1000, 2000)
SEARCH = "mctse:iterations=2000,tree=22,rollout=150"
PROVING = f"{SEARCH},nodes=1000000"


def searcher(nodes: int) -> str:
    """The source's search with so many nodes."""
    return f"{SEARCH},nodes={nodes},count=actions,proof=false"


def job(variant: Variant, agent: str, form: Form) -> Job:
    """A search against the random mover, seated as in the source, with our rule of the die."""
    game, seconds = variant.game(variant.dice[0]), MCTSE_TIME[variant.key] / 1000
    return match_job(game, variant.seating, (agent, "random"), form, PARTS, MCTSE.games[form.quick], seconds)


def jobs(form: Form) -> list[Job]:
    """Every limit in every variant, and the search that proves values without a limit."""
    every = [*map(searcher, LIMITS), PROVING]
    return [job(variant, agent, form) for variant in VARIANTS.values() for agent in every]


def report(form: Form, results: Results) -> Report:
    """The rate by the most nodes, and how much more some limits win than others."""
    rows, notes, lines = [], [], []
    for variant in VARIANTS.values():
        found = {nodes: rates(results, job(variant, searcher(nodes), form)) for nodes in LIMITS}
        proving = rates(results, job(variant, PROVING, form))
        rows += [Row.of(f"{variant.title}: {nodes:,} nodes", None, sample) for nodes, sample in found.items()]
        rows.append(Row.of(f"{variant.title}: no limit, proving values", None, proving))
        pairs = ((550, 450), (450, 10), (2000, 450), (2000, 10))
        gains = "; ".join(f"{a:,} instead of {b:,}: {_worded(found[a], found[b])}" for a, b in pairs)
        notes.append(f"{variant.title}: {gains}; proving values without a limit: {_worded(proving, found[2000])}.")
        values = np.array([sample.values for sample in found.values()]).T
        lines.append(plots.Curve(variant.title, LIMITS, values))
    labels = ("most nodes, as the source counts them", "win rate against random")
    draw = partial(plots.curves, "MCTS-Expectimax with 2,000 simulations: how many nodes", lines, labels)
    return Report(rows, [*notes, "All play with the same seeds.", remarks.SEATING], {"curve": draw})


def _worded(one: Sample, other: Sample) -> str:
    """How much more one wins than the other, measurement by measurement."""
    gain = Sample(tuple(a - b for a, b in zip(one.values, other.values, strict=True)))
    low, high = gain.spread_interval
    verdict = "better" if low > 0 else "worse" if high < 0 else "no clear difference"
    return f"{100 * gain.mean:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f}: {verdict})"


RECIPES = (
    Recipe(
        "einstein/nodes",
        "MCTS-Expectimax against random with 10 to 2,000 nodes",
        jobs,
        report,
        f"{PARTS} × {MCTSE.games[1]} games each instead of {PARTS} × {MCTSE.games[0]}",
        "section 6.3, its claim",
    ),
)
