"""Tables 1 and 2: what can be computed without playing."""

from __future__ import annotations

from math import floor, log10, prod

from spielwerk.games.cells import layout
from spielwerk.games.registry import game
from spielwerk.studies.einstein.published import published, section
from spielwerk.studies.einstein.variants import DICE, VARIANTS, Variant
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import NUMBER, Report, Row
from spielwerk.studies.results import Results


def positions(form: Form, results: Results) -> Report:
    """Table 1: the upper bound, and the same figure by its formula."""
    rows = []
    for line in published("table-1")["rows"]:
        variant = VARIANTS[line["variant"]]
        ours = float(game(variant.game(DICE[0])).states)
        same = line["value"] == (_rounded(ours, line["rounded"]) if "rounded" in line else ours)
        rows.append(Row(variant.title, line["value"], ours, unit=NUMBER, note="" if same else "differs"))
    note = (
        "The formula counts the ways to put the first k stones of all on the cells, for every k. It is called an upper "
        "bound, but counts neither which stones are gone nor whose turn it is; reachable on 4×4 with two players are "
        "1,538,814 positions before the roll."
    )
    return Report(rows, [note])


def weights(form: Form, results: Results) -> Report:
    """Table 2: tuples × values of a cell ^ length, from the tuples that TD uses here."""
    rows = []
    for line in published("table-2")["rows"]:
        variant = VARIANTS[line["variant"]]
        tuples = layout(game(variant.game(DICE[0])), variant.coding).tuples["published"]
        ours = float(sum(variant.values ** len(cells) for cells in tuples))
        network = f"{line['tuples']} tuples of {line['length']} cells, {line['values']} values a cell"
        rows.append(Row(variant.title, line["value"], ours, unit=NUMBER, note=f"{network}; {_needed(variant)}"))
    notes = [
        "These are the weights of one player; GBG keeps a set for each of them.",
        "With three stones a cell can only take 7 values (two players), not the 13 for which the source has room.",
    ]
    return Report(rows, notes)


def _needed(variant: Variant) -> str:
    """How many weights can ever be met in the coding named."""
    seen = layout(game(variant.game(DICE[0])), variant.coding)
    met = sum(prod(seen.values[cell] for cell in cells) for cells in seen.tuples["published"])
    return f"{met:,} of them can be met ({variant.coding}: {seen.values[0]} values)"


def _rounded(value: float, digits: int) -> float:
    """With so many digits that count."""
    return round(value, digits - 1 - floor(log10(value)))


RECIPES = (
    Recipe(
        "einstein/table-1", "positions of each variant, computed", lambda form: (), positions, "", section("table-1")
    ),
    Recipe(
        "einstein/table-2",
        "weights of the n-tuple networks, computed",
        lambda form: (),
        weights,
        "",
        section("table-2"),
    ),
)
