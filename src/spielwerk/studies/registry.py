"""From a name to a recipe."""

from __future__ import annotations

import importlib

from spielwerk import names
from spielwerk.studies.recipe import Recipe

STUDIES = (
    "einstein",
    "nim",
    "backgammon",
    "alphazero",
    "morris",
    "nnmm",
)  # each a package here with its RECIPES and SOURCE


def recipes() -> dict[str, Recipe]:
    """All recipes by name, study by study."""
    modules = [importlib.import_module(f"spielwerk.studies.{study}.recipes") for study in STUDIES]
    return {recipe.name: recipe for module in modules for recipe in module.RECIPES}


def recipes_of(name: str) -> list[Recipe]:
    """All recipes of a study, or the recipe of that name."""
    return [one for one in recipes().values() if one.name.startswith(f"{name}/")] if name in STUDIES else [recipe(name)]


def sources() -> list[str]:
    """A sentence about each study's source."""
    return [importlib.import_module(f"spielwerk.studies.{study}.recipes").SOURCE for study in STUDIES]


def recipe(name: str) -> Recipe:
    """The recipe of that name."""
    known = recipes()
    if name in known:
        return known[name]
    near = "" if name in STUDIES else names.nearest(name, known)
    hint = f' Did you mean "{near}"?' if near else ""
    raise names.BadInput(f'There is no recipe "{name}".{hint} To see them all: spielwerk study list')
