"""All recipes of the study: the source's network, then what its parts are worth at equal compute."""

from __future__ import annotations

from spielwerk.studies.alphazero import heads, nets, selection, source, td, truth, won
from spielwerk.studies.recipe import Recipe

SOURCE = (
    "alphazero: a dual-head residual network for backgammon, described without its training; the source gives no "
    "figures, so that all are ours."
)

PARTS = (source, heads, selection, nets, td, truth, won)
RECIPES: tuple[Recipe, ...] = tuple(recipe for part in PARTS for recipe in part.RECIPES)
