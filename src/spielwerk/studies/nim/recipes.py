"""All recipes of the study: the source's experiments in their order, then what it leaves open."""

from __future__ import annotations

from spielwerk.studies.nim import complexification, effects, experiments, multi, one_hot, others, related
from spielwerk.studies.recipe import Recipe

SOURCE = (
    'nim: L. Kissling, "How can you develop Evolutionary Neural Networks which learn to play Board Games?", thesis, '
    "2025. Its sections on nim with several stacks and on complexification are empty."
)

PARTS = (experiments, multi, effects, complexification, one_hot, others, related)
RECIPES: tuple[Recipe, ...] = tuple(recipe for part in PARTS for recipe in part.RECIPES)
