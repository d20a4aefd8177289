"""What the source leaves open: replay on EinStein itself, random starts, codings for two players, larger networks."""

from __future__ import annotations

from typing import Any

from spielwerk.studies.einstein.learning.tuning import FOUND
from spielwerk.studies.einstein.left_open.arms import MCTSE, RANDOM, Match, OpenArm
from spielwerk.studies.einstein.left_open.report import OpenQuestion
from spielwerk.studies.einstein.training import AS_PUBLISHED, EPISODES

SMALL, LARGE = "einstein:board=4", "einstein"
SPEED = {SMALL: EPISODES["4x4-2"], LARGE: EPISODES["5x5-2"]}
AS_FOUND: dict[str, Any] = {**AS_PUBLISHED, **FOUND}
STARTS = ("fixed", "shared", "free")
HASHED: dict[str, Any] = {"table": "hashed", "memory": 1.0}  # gigabytes for the largest network


def _both(name: str, seating: str = "teams") -> tuple[Match, ...]:
    """Against the two opponents of the source."""
    return (
        Match("against random", name, RANDOM, seating=seating),
        Match("against mctse", name, MCTSE, (200, 40), seating),
    )


def _replaying(name: str, label: str, **more: Any) -> OpenArm:
    settings = {**AS_FOUND, "lam": 0.0, "coding": "stones", **more}
    speed = 1 / (1 / SPEED[name] + more.get("batch", 0) * (20 if more.get("replay_every") else 1) / 2e6)
    return OpenArm(label, name, settings, _both(name), (100_000, 5_000), speed, graded=name == SMALL)


def _replay_arms(name: str) -> list[OpenArm]:
    found = [_replaying(name, "no replay")]
    for batch in (5, 25, 50):
        given = {"buffer": 5000, "batch": batch}
        found.append(_replaying(name, f"batch {batch} after every transition", replay_every="transition", **given))
        found.append(_replaying(name, f"batch {batch} after every episode", **given))
    middle: dict[str, Any] = {"buffer": 5000, "batch": 25, "replay_every": "transition"}
    small = {"alpha": FOUND["alpha"] / 25, "alpha_end": FOUND["alpha_end"] / 25}
    found.append(_replaying(name, "batch 25, prioritised", **middle, selector="prioritised"))
    found.append(
        _replaying(name, "batch 25, prioritised, no correction", **middle, selector="prioritised", correction=0.0)
    )
    found.append(_replaying(name, "batch 25, step size / 25", **{**middle, **small}))
    return found


def _start_name(name: str, start: str) -> str:
    return name if start == "fixed" else f"{name}{',' if ':' in name else ':'}start={start}"


def _starting(name: str, start: str) -> OpenArm:
    tests = tuple(Match(f"tested with start={other}", _start_name(name, other), RANDOM) for other in STARTS)
    settings, label = {**AS_FOUND, "coding": "stones"}, f"learned with start={start}"
    game = _start_name(name, start)
    episodes = (500_000, 20_000)
    return OpenArm(label, game, settings, tests, episodes, SPEED[name], graded=name == SMALL, group=name)


def _coded(name: str, coding: str) -> OpenArm:
    settings = {**AS_FOUND, "coding": coding}
    return OpenArm(
        f"coding {coding}", name, settings, _both(name), (1_000_000, 50_000), SPEED[name], graded=name == SMALL
    )


def _sized(key: str, name: str, label: str, **more: Any) -> OpenArm:
    teams = Match("whole teams against random", name, RANDOM, (1000, 200))
    settings = {**AS_FOUND, **more}
    return OpenArm(
        label, name, settings, (*_both(name, "mixed"), teams), (5_000_000, 50_000), EPISODES[key], agents=(3, 2)
    )


def _sizes() -> tuple[OpenArm, ...]:
    small, large = ("4x4-4", "einstein:board=4,players=4"), ("6x6-4", "einstein:board=6,players=4")
    return (
        _sized(*small, "coding owner", coding="owner"),
        _sized(*small, "coding stones", coding="stones"),
        _sized(*small, "coding stones, our usual tuples", coding="stones", tuples="usual"),
        _sized(*large, "coding owner", coding="owner"),
        _sized(*large, "coding groups", coding="groups", **HASHED),
        _sized(*large, "coding stones", coding="stones", **HASHED),
    )


QUESTIONS = (
    OpenQuestion(
        "replay-einstein",
        "does replay help TD on EinStein itself, which the source did not get to",
        "section 5.4, left open",
        (*_replay_arms(SMALL), *_replay_arms(LARGE)),
        ("Settings of table 15 with λ = 0, which replay needs; fixed tuples, weights for each player.",),
    ),
    OpenQuestion(
        "random-start",
        "TD that learns with fixed, shared and free random starts, tested with each",
        "section 3.3, left open",
        tuple(_starting(name, start) for name in (SMALL, LARGE) for start in STARTS),
        (
            "GBG's option random starting draws one arrangement for all players (start=shared); start=free draws one "
            "for each. Regret is on decisions of the fixed start.",
        ),
    ),
    OpenQuestion(
        "codings",
        "the three codings of a cell for two players",
        "section 3.3, left open",
        (*(_coded(SMALL, c) for c in ("stones", "owner")), *(_coded(LARGE, c) for c in ("stones", "groups", "owner"))),
        ("With three stones a player, on 4×4, each stone is a group of its own: groups and stones are the same.",),
    ),
    OpenQuestion(
        "network-size",
        "TD with four players and networks of all sizes: was the source's too small",
        "sections 6.5 and 7, left open",
        _sizes(),
        (
            "The source blames TD's failure with four players on too few weights, and calls more of them too costly. "
            "On 6×6 the tables of groups and stones are hashed into a gigabyte.",
        ),
    ),
)
RECIPES = tuple(question.recipe() for question in QUESTIONS)
