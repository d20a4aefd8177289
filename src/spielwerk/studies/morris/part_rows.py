"""What belongs to single techniques: explosions, calibration, illegal choices, and rewards that were collected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spielwerk.games.shaping.morris import TERMS
from spielwerk.studies.job import Result
from spielwerk.studies.morris.arms import Settings, named
from spielwerk.studies.morris.rows import Figure, Trained, explosions, row
from spielwerk.studies.report import VALUE as PLAIN
from spielwerk.studies.report import Row
from spielwerk.studies.trainings.measures import CALIBRATION, SELFPLAY


def exploded(arms: Sequence[Trained]) -> list[Row]:
    """Of all arms about the length of gradients, and of whichever else has exploded."""
    return [explosions(one) for one in arms if any(one.exploded) or "rate=" in one.name or "max_norm=" in one.name]


def calibrated(found: Mapping[str, Trained]) -> list[Row]:
    """With the learned temperature, without applying it, and where none is learned."""
    base, without = found["base"], found[named({"temperature": False})]
    name = "calibration error"

    def of(key: str) -> Figure:
        return lambda point: point["measured"][CALIBRATION][key]

    said = _mean_temperature(base)
    return [
        row(f"{name}: base", base, of("ece"), note=said),
        row(f"{name}: base, its temperature not applied", base, of("ece_without")),
        row(f"{name}: {without.name}", without, of("ece"), base=base),
    ]


def _mean_temperature(arm: Trained) -> str:
    found = arm.values(lambda point: point["measured"][CALIBRATION]["temperature"])
    return f"temperatures {', '.join(f'{value:.3f}' for value in found.values())}" if found else ""


def illegal(found: Mapping[str, Trained]) -> list[Row]:
    """Choices that were not legal, in the end."""
    arm = found[named({"masked": False})]
    return [row(f"illegal choices: {arm.name}", arm, lambda point: point["measured"][SELFPLAY]["illegal"])]


def collected(found: Mapping[str, Trained], changes: Sequence[Settings]) -> list[Row]:
    """Each count of the arm that is rewarded for it, beside the base's; and what is won."""
    rows: list[Row] = []
    for changed in changes:
        if "shaped" in changed:
            one, (term, _, weight) = found[named(changed)], changed["shaped"].partition(":")
            paid = _paid(one, term, weight)
            rows.append(row(f"{term} gained a game: {one.name}", one, _gain(term), PLAIN, found["base"], paid))
    rows += [row(f"{term} gained a game: base", found["base"], _gain(term), PLAIN) for term in TERMS]
    return rows


def _gain(term: str) -> Figure:
    def found(point: Result) -> float:
        return point["measured"][SELFPLAY]["gains"][term]

    return found


def _paid(arm: Trained, term: str, weight: str) -> str:
    """What plain rewards would pay for that, beside the reward of a win."""
    values = list(arm.values(_gain(term)).values())
    mean = sum(values) / max(len(values), 1)
    return f"plain rewards would pay {float(weight) * mean:.2f} a game, where a win is 1"
