"""Figure 16: what the number of playouts does to flat Monte Carlo."""

from __future__ import annotations

from functools import partial

import numpy as np

from spielwerk.studies import plots
from spielwerk.studies.einstein import remarks
from spielwerk.studies.einstein.ceilings import ceiling_notes, ceilings
from spielwerk.studies.einstein.grids import Cell
from spielwerk.studies.einstein.matches import rates
from spielwerk.studies.einstein.published import SCORE, published, rate, section
from spielwerk.studies.einstein.searches.agent_grids import MC, PARTS
from spielwerk.studies.einstein.variants import VARIANTS
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

ROLLOUT = 23


def cells(form: Form) -> list[Cell]:
    """All iterations at one rollout depth."""
    return [(iterations, ROLLOUT) for iterations in MC.full[0]]


def jobs(form: Form) -> list[Job]:
    """The settings of the figure."""
    variant = VARIANTS[published("figure-16")["variant"]]
    found = [MC.job(variant, die, cell, form) for die in variant.dice for cell in cells(form)]
    return [*found, *ceilings(variant)]


def report(form: Form, results: Results) -> Report:
    """What the number of playouts does."""
    source = published("figure-16")
    variant, unit = VARIANTS[source["variant"]], source["unit"]
    theirs = {line["iterations"]: line["mean"] for line in source["rows"]}
    rows, lines = [], []
    for die in variant.dice:
        samples = [rates(results, MC.job(variant, die, cell, form)) for cell in cells(form)]
        for (iterations, _), sample in zip(cells(form), samples, strict=True):
            printed = theirs.get(int(iterations))
            known = None if printed is None else rate(printed, unit)
            rows.append(Row.of(f"mc:iterations={iterations},rollout=23", known, sample, printed=printed, die=die))
        values = np.array([sample.values for sample in samples]).T
        lines.append(plots.Curve(f"mc, rollout 23, die={die}", list(MC.full[0]), values))
    notes = [
        *remarks.common(variant, unit == SCORE),
        *ceiling_notes(variant, results, [row.published for row in rows]),
        "The text gives four of the ten points. Twice as many playouts make no difference that these games could show: "
        "the ups and downs of the published curve are noise.",
    ]
    points = [(iterations, rate(mean, unit)) for iterations, mean in theirs.items()]
    labels = ("playouts for each action", "win rate against random")
    draw = partial(plots.curves, f"{source['caption']}: {variant.title}", lines, labels, points)
    return Report(rows, notes, {"curve": draw})


RECIPES = (
    Recipe(
        "einstein/figure-16",
        "flat Monte Carlo: the effect of the iterations: 4×4, two players",
        jobs,
        report,
        f"{PARTS} × {MC.games[1]} games a point instead of {PARTS} × {MC.games[0]}",
        section("figure-16"),
    ),
)
