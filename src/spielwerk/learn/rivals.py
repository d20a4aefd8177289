"""A match of two states of a learner."""

from __future__ import annotations

from dataclasses import replace

from spielwerk.arena.agent import Agent
from spielwerk.arena.matches.match import play_match, varies
from spielwerk.arena.playing.plan import Plan

OPENING = 4  # random turns at the beginning, so that games differ where there are no dice


def rate_against(new: Agent, old: Agent, games: int, seed: int) -> float:
    """The rate of `new` in at least so many games, in which both have every place equally often."""
    players = {"new": new, "old": old}
    opening = 0 if varies(new.game) else OPENING
    plan = Plan(new.game.name, ("new", "old"), games, seed=seed, opening=opening)
    ways = len(plan.layouts(new.game))
    plan = replace(plan, games=-(-games // ways) * ways)
    return play_match(plan, lambda name, _: players[name]).summary.rate
