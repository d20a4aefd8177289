"""All recipes of the study: the source's experiments in their order, then what it leaves open."""

from __future__ import annotations

from dataclasses import replace

from spielwerk.studies.nim import one_hot, questions, related
from spielwerk.studies.nim.left_open import complexification, effects, multi, others
from spielwerk.studies.nim.published import section
from spielwerk.studies.nim.source import experiments, pairing, parameters, several_stacks, simple
from spielwerk.studies.recipe import Recipe

SOURCE = (
    'nim: L. Kissling, "How can you develop Evolutionary Neural Networks which learn to play Board Games?", thesis, '
    "2025. Its sections on nim with several stacks and on complexification are empty."
)

PARTS = (
    *(experiments, parameters, pairing, simple, several_stacks, multi),
    *(effects, complexification, one_hot, others, related, questions),
)


RECIPES: tuple[Recipe, ...] = tuple(
    replace(recipe, section=f"section {section(recipe.name)}") for part in PARTS for recipe in part.RECIPES
)
