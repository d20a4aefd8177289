"""All recipes of the study: the source's tables and figures, then the questions that it leaves open."""

from __future__ import annotations

from spielwerk.studies.nnmm import data, orders, questions
from spielwerk.studies.recipe import Recipe

SOURCE = (
    "nnmm: Chesani, Galassi, Lippi and Mello, Can Deep Networks Learn to Play by the Rules? (2018): networks "
    "that learn nine men's morris from observed moves alone."
)

RECIPES: tuple[Recipe, ...] = (*data.RECIPES, *orders.RECIPES, *questions.RECIPES)
