"""All recipes of the study, in the order of the source."""

from __future__ import annotations

from spielwerk.studies.einstein import computed, curves, overview, questions, replay, search, tuning
from spielwerk.studies.recipe import Recipe

SOURCE = (
    'einstein: J. Cöln, "KI-Konzepte für das Erlernen nicht deterministischer Spiele am Beispiel von »EinStein würfelt '
    'nicht!«", TH Köln 2022. Its figures 1 to 11 are drawings: they hold nothing to measure.'
)

RECIPES: tuple[Recipe, ...] = (
    *computed.RECIPES,
    *replay.RECIPES,
    *search.RECIPES,
    *tuning.RECIPES,
    *curves.RECIPES,
    *overview.RECIPES,
    *questions.RECIPES,
)
