"""What belongs to single techniques: explosions, calibration, illegal choices, and rewards that were collected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from spielwerk.games.shaping.morris import TERMS
from spielwerk.studies.job import Result
from spielwerk.studies.morris.arms import RANDOM, Settings, named
from spielwerk.studies.morris.rows import AMOUNT, TITLES, Figure, Trained, explosions, of_label, row
from spielwerk.studies.report import Row
from spielwerk.studies.trainings.measures import CALIBRATION, SELFPLAY

PER = 100  # moves of self-play; tens of thousands of boards end no game while they are looked at


def exploded(arms: Sequence[Trained]) -> list[Row]:
    """Of all arms about the length of gradients, and of whichever else has exploded."""
    return [explosions(one) for one in arms if any(one.exploded) or "rate=" in one.name or "max_norm=" in one.name]


def calibrated(found: Mapping[str, Trained]) -> list[Row]:
    """With the learned temperature, without applying it, and where none is learned."""
    base, without = found["base"], found[named({"temperature": False})]
    name = "calibration error"

    return [
        row(f"{name}: base", base, partial(_fact, "ece"), note=_sure(base)),
        row(f"{name}: base, its temperature not applied", base, partial(_fact, "ece_without")),
        row(f"{name}: {without.name}", without, partial(_fact, "ece"), base=base, note=_sure(without)),
    ]


def _sure(arm: Trained) -> str:
    """How sure the policy is on average, how often it is right, and by which temperature it divides."""
    found = [list(arm.values(partial(_fact, key)).values()) for key in ("sure", "right", "temperature")]
    sure, right, temperature = (float(np.mean(values)) if values else np.nan for values in found)
    return f"sure by {100 * sure:.0f} %, right in {100 * right:.0f} %, temperature {temperature:.2f}"


def _fact(key: str, point: Result) -> float:
    return point["measured"][CALIBRATION][key]


def illegal(found: Mapping[str, Trained]) -> list[Row]:
    """Choices that were not legal, in the end."""
    arm = found[named({"masked": False})]
    return [row(f"illegal choices: {arm.name}", arm, lambda point: point["measured"][SELFPLAY]["illegal"])]


def collected(found: Mapping[str, Trained], changes: Sequence[Settings], window: int) -> list[Row]:
    """Each count of the arm that is rewarded for it, beside the base's; and what is won."""
    rows: list[Row] = []
    for changed in changes:
        if "shaped" in changed:
            one, (term, _, weight) = found[named(changed)], changed["shaped"].partition(":")
            gain = _gain(term, window)
            rows.append(row(_gained(term, one), one, gain, AMOUNT, found["base"], _paid(one, gain, weight)))
    rows += [row(_gained(term, found["base"]), found["base"], _gain(term, window), AMOUNT) for term in TERMS]
    return rows


def _gained(term: str, arm: Trained) -> str:
    return f"{term} gained in {PER} moves: {arm.name}"


def _gain(term: str, window: int) -> Figure:
    """Of the moves whose effect was looked at: all but the last one of each window."""

    def found(point: Result) -> float:
        played = point["measured"][SELFPLAY]
        looked_at = played["moves"] * (window - 1) / window
        return played["gains"][term] * max(played["games"], 1) / looked_at * PER

    return found


def _paid(arm: Trained, gain: Figure, weight: str) -> str:
    """What plain rewards would pay for that, where a won game pays 1, and what is won."""
    gained, won = (np.mean(list(arm.values(found).values()) or [np.nan]) for found in (gain, of_label(RANDOM)))
    return f"plain rewards would pay {float(weight) * gained:.2f}, a won game 1; {TITLES[RANDOM]} {100 * won:.1f} %"
