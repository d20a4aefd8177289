"""All recipes of the study."""

from __future__ import annotations

from spielwerk.studies.morris import graph, learners, parts, smallest
from spielwerk.studies.recipe import Recipe

SOURCE = (
    "morris: an actor-critic for nine men's morris whose source names a dozen techniques and measures none, so that "
    "all figures are ours."
)

PARTS = (parts, graph, smallest, learners)
RECIPES: tuple[Recipe, ...] = tuple(recipe for part in PARTS for recipe in part.RECIPES)
