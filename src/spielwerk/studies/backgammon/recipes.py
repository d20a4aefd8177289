"""All recipes of the study: error rates by another's judgement and by our own, games, and what parts are worth."""

from __future__ import annotations

from spielwerk.studies.backgammon import errors, fresh, parts, points
from spielwerk.studies.recipe import Recipe

SOURCE = (
    "backgammon: the classic ladder of players, random to GNU Backgammon; figures known elsewhere are of other "
    "positions and games."
)

PARTS = (errors, fresh, points, parts)
RECIPES: tuple[Recipe, ...] = tuple(recipe for part in PARTS for recipe in part.RECIPES)
