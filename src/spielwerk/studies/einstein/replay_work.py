"""The work of the replay study: TD learns Othello, and is looked into while it does."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from spielwerk.agents.registry import agent
from spielwerk.arena.playing.plan import Plan
from spielwerk.games.registry import game
from spielwerk.learn.evaluation import LEARNER, play_learner
from spielwerk.learn.td import replay
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import REPLAY, Settings
from spielwerk.names import settings as read_settings
from spielwerk.studies.einstein.training import learn
from spielwerk.studies.job import JobProgress, Result

GAME = "othello"
OPPONENTS = {"random": 0, "mcts:iterations=100": 0, "alphabeta:depth=2": 6}  # and the random turns to begin with
NEW_GAMES, KEPT = 100, 5000  # games that nothing is learned from, and what is kept of them
IDLE = 0.02  # an error from which next to nothing is learned


def train(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """One agent: its rates against all opponents, and facts about its buffer, at each point."""
    learner = TdLearner(game(GAME), read_settings(Settings, "td", dict(given["settings"])), given["seed"])
    rates, facts = defaultdict(list), defaultdict(list)
    for point in given["points"]:
        learn(learner, point, callback)
        share = point / given["points"][-1]
        for opponent, opening in OPPONENTS.items():
            plan = Plan(GAME, (LEARNER, opponent), given["games"], given["seed"], opening=opening)
            pulse = functools.partial(callback, share)
            rates[opponent].append(play_learner(plan, learner.agent(), agent, pulse).rate)
        for fact, value in looked_into(learner).items():
            facts[fact].append(value)
    return {"points": given["points"], "rates": rates, "facts": facts}


def looked_into(learner: TdLearner) -> dict[str, float]:
    """How wrong the network is in games it has not seen, and, with replay, in its buffer."""
    found = {"fresh_error": float(np.abs(errors(observer(learner), learner)).mean())}
    if not learner.buffer:
        return found
    stored = np.abs(errors(learner, learner))
    picked = np.ones(len(stored))
    if learner.settings.selector == "prioritised":
        picked = (stored + replay.LEAST) ** learner.settings.priority
    numbers, facts, before = (learner.buffer[name] for name in ("numbers", "facts", "before"))
    count = int(numbers[replay.STORED])
    return found | {
        "buffer_error": float(stored.mean()),
        "picked_error": float((stored * picked).sum() / picked.sum()),
        "idle": float((stored < IDLE).mean()),
        "terminal": float((facts[:count, replay.FOLLOWED] == 0).mean()),
        "twins": 1 - len(np.unique(before[:count], axis=0)) / count,
    }


def observer(learner: TdLearner) -> TdLearner:
    """A learner with the same network that plays as it does, notes what happens, and learns nothing."""
    usual = {name: getattr(Settings(), name) for name in REPLAY}
    noting = {**usual, "buffer": KEPT, "batch": 1}
    still = replace(learner.settings, episodes=NEW_GAMES, alpha=0.0, alpha_end=0.0, freeze=0, **noting)
    seen = TdLearner(learner.game, still, learner.seed + learner.episode)
    seen.network.take(learner.network)
    seen.learn(NEW_GAMES)
    return seen


def errors(seen: TdLearner, judge: TdLearner) -> np.ndarray:
    """δ of every transition in the buffer of `seen`, by the network of `judge`."""
    count = int(seen.buffer["numbers"][replay.STORED])
    before, after, facts = (seen.buffer[name][:count] for name in ("before", "after", "facts"))
    weights = judge.network.weights
    ahead = judge.settings.gamma * np.tanh(weights[after].sum(axis=1, dtype=float))
    target = np.where(facts[:, replay.FOLLOWED] != 0, ahead, facts[:, replay.SCORE])
    return target - np.tanh(weights[before].sum(axis=1, dtype=float))
