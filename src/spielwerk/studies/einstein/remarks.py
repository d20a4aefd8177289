"""Why a published figure and ours may differ: the sentences that several reports share."""

from __future__ import annotations

from spielwerk.studies.einstein.published import published
from spielwerk.studies.einstein.variants import Variant

SCORES = (
    "The source prints GBG's mean score x in [-1, 1] as a win rate here; it is compared as the win rate (1 + x) / 2 "
    "that it means."
)
SEATING = (
    "Four players sit as in the source: the agent has one seat, and all others, its ally's included, are the "
    "opponent. The ally limits what can be reached; whole teams reach more."
)
DOUBT = (
    "All four-player figures are compared as the win rates that the source calls them. Those against random may be "
    "mean scores too: GBG's public code returns the mean score over all seats in every variant, and the steps of "
    "the figures fit scores of 100 games in each of four seats as well as rates of 200. The last column gives that "
    f"reading. Against MCTSE there is no such doubt: for two players {100 * published('figure-21')['final']:g} % of "
    "100 games can only be a rate, since mean scores of 100 games go by steps of 2 %."
)
SAME_DIE = "With three stones the next stone up or down is always the nearest: both rules of the die are one."
BOTH_DICE = (
    "If the stone rolled is gone, the rule lets the next one up or down move (die=either). GBG's code, which made the "
    "published figures, lets only the nearer one move (die=nearest)."
)
DEVIATION = "Deviations are those of measurements of {games} games, as in the source."
LUCK = (
    "The published figure is the best of {settings} settings at {games:,} games each. Equal settings would look as "
    "different as the published deviation says, and the best of them that much better than they are: see the row "
    '"best of … equal ones, by luck".'
)


def common(variant: Variant, scores: bool) -> list[str]:
    """What is to be said of every measurement in a variant."""
    notes = [SCORES] if scores else []
    notes += [SEATING, DOUBT] if variant.seating == "mixed" else []
    return [*notes, SAME_DIE if len(variant.dice) == 1 else BOTH_DICE]
