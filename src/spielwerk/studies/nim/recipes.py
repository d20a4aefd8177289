"""All recipes of the study: the source's experiments in their order, then what it leaves open."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from spielwerk.studies.nim import one_hot, questions, related
from spielwerk.studies.nim.left_open import complexification, effects, multi, others
from spielwerk.studies.nim.published import section
from spielwerk.studies.nim.source import experiments, pairing, parameters, several_stacks, simple
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report
from spielwerk.studies.results import Results

SOURCE = (
    'nim: L. Kissling, "How can you develop Evolutionary Neural Networks which learn to play Board Games?", thesis, '
    "2025. Its sections on nim with several stacks and on complexification are empty."
)

PARTS = (
    *(experiments, parameters, pairing, simple, several_stacks, multi),
    *(effects, complexification, one_hot, others, related, questions),
)


def _report(recipe: Recipe, form: Form, results: Results) -> Report:
    """The report of a recipe, with the section of the source that it follows."""
    made = recipe.report(form, results)
    return replace(made, notes=[f"Source: section {section(recipe.name)}.", *made.notes])


RECIPES: tuple[Recipe, ...] = tuple(
    replace(recipe, report=partial(_report, recipe)) for part in PARTS for recipe in part.RECIPES
)
