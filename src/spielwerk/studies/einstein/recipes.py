"""All recipes of the study: tables and figures by their numbers, then what goes beyond them."""

from __future__ import annotations

from spielwerk.studies.einstein import computed, curves, overview, questions, replay, search, tuning
from spielwerk.studies.recipe import Recipe

SOURCE = (
    'einstein: J. Cöln, "KI-Konzepte für das Erlernen nicht deterministischer Spiele am Beispiel von »EinStein würfelt '
    'nicht!«", TH Köln 2022. Its figures 1 to 11 are drawings, with nothing to measure.'
)

KINDS = ("table", "figure", "replay", "research")  # how names begin, in order


def _place(recipe: Recipe) -> tuple[int, int]:
    kind, _, number = recipe.name.removeprefix("einstein/").partition("-")
    return KINDS.index(kind), int(number) if number.isdecimal() else 0


PARTS = (computed, replay, search, tuning, curves, overview, questions)
RECIPES: tuple[Recipe, ...] = tuple(sorted((recipe for part in PARTS for recipe in part.RECIPES), key=_place))
