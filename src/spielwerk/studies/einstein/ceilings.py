"""What can be known exactly about play against the random mover, where the game is solved."""

from __future__ import annotations

from collections.abc import Sequence

from spielwerk.studies.einstein.matches import ceiling_job
from spielwerk.studies.einstein.variants import Variant
from spielwerk.studies.job import Job
from spielwerk.studies.results import Results

SOLVED = "4x4-2"  # the variant whose truth is known


def ceilings(variant: Variant) -> list[Job]:
    """The exact bounds, where they are known."""
    return [ceiling_job(variant.game(variant.dice[0]))] if variant.key == SOLVED else []


def ceiling_notes(variant: Variant, results: Results, figures: Sequence[float | None]) -> list[str]:
    """What is possible at all, and which published figures lie above it."""
    for job in ceilings(variant):
        exact = results[job]
        above = sorted({figure for figure in figures if figure is not None and figure > exact["ceiling"]})
        text = (
            f"Exact on {variant.title}: perfect play wins {100 * exact['perfect']:.2f} % against the random mover, and "
            f"no strategy wins more than {100 * exact['ceiling']:.2f} %."
        )
        if above:
            shown = ", ".join(f"{100 * figure:.1f} %" for figure in above)
            text += f" Published above that, which only few games can show: {shown}."
        return [text]
    return []
