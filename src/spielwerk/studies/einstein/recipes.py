"""All recipes of the study: tables and figures by their numbers, then what goes beyond them."""

from __future__ import annotations

from spielwerk.studies.einstein import computed, overview, questions
from spielwerk.studies.einstein.learning import curves, random_tuples, settings_found, tuning
from spielwerk.studies.einstein.left_open import more_variants
from spielwerk.studies.einstein.left_open import questions as open_questions
from spielwerk.studies.einstein.replay import figures as replay
from spielwerk.studies.einstein.searches import figure_16, nodes, tables
from spielwerk.studies.recipe import Recipe

SOURCE = (
    'einstein: J. Cöln, "KI-Konzepte für das Erlernen nicht deterministischer Spiele am Beispiel von »EinStein würfelt '
    'nicht!«", TH Köln 2022. Its figures 1 to 11 are drawings, with nothing to measure.'
)

KINDS = ("table", "figure")  # how names begin, in order; all others come after them


def _place(recipe: Recipe) -> tuple[int, int]:
    kind, _, number = recipe.name.removeprefix("einstein/").partition("-")
    return KINDS.index(kind) if kind in KINDS else len(KINDS), int(number) if number.isdecimal() else 0


PARTS = (
    *(computed, tables, figure_16, tuning, settings_found, curves, random_tuples, overview),
    *(replay, questions, nodes, open_questions, more_variants),
)
RECIPES: tuple[Recipe, ...] = tuple(sorted((recipe for part in PARTS for recipe in part.RECIPES), key=_place))
