"""The look one turn ahead: what it adds to an estimator, move by move, and the agents that play with it."""

from __future__ import annotations

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.learn.alphazero.networks.form import ACTIONS, AFTERSTATES
from spielwerk.learn.alphazero.playing import learned, trained_scale
from spielwerk.search.ahead_estimator import KEPT_POLICY, KEPT_VALUE, SHARPNESS, AheadEstimator
from spielwerk.search.estimator import asked, asked_priors
from spielwerk.search.symmetric_estimator import SymmetricEstimator
from test_symmetric_estimator import network
from variants import random_positions

GAMES = ("morris:rules=six,quiet=20", "othello:size=4", "einstein:board=3", "einstein:board=4,players=4")


@pytest.mark.parametrize("policy", [ACTIONS, AFTERSTATES])
@pytest.mark.parametrize("name", GAMES)
def test_policy_and_value_are_moved_towards_turns_that_end_well(name: str, policy: str) -> None:
    game = sw.game(name)
    other = network(game, policy)
    batch = game.batch(random_positions(game, 1), threads=1)
    legal, found = asked_priors(AheadEstimator(other), batch)
    _, alone = asked_priors(other, batch)
    for board, position in enumerate(batch.positions()):
        own = slice(int(legal.offsets[board]), int(legal.offsets[board + 1]))
        if position.mover < 0:
            assert own.start == own.stop
            np.testing.assert_allclose(found.values[board], alone.values[board])
            continue
        turns = position.turns()
        ends = asked(other, game.batch([turn.end for turn in turns], threads=1), priors=False).values
        worths = ends[:, position.mover]
        weights = np.exp(SHARPNESS / game.constants["BEST"] * worths)
        shares = dict.fromkeys(legal.values[own].tolist(), 0.0)
        for turn, weight in zip(turns, weights / weights.sum(), strict=True):
            shares[turn.steps[0][1]] += weight
        wanted = np.array([*shares.values()]) * np.asarray(alone.priors)[own] ** KEPT_POLICY
        np.testing.assert_allclose(np.asarray(found.priors)[own], wanted / wanted.sum(), atol=1e-5)
        best = ends[worths.argmax()]
        value = KEPT_VALUE * np.asarray(alone.values)[board] + (1 - KEPT_VALUE) * best
        np.testing.assert_allclose(np.asarray(found.values)[board], value, atol=1e-5)


def test_turns_that_win_at_once_are_preferred_without_a_search() -> None:
    game = sw.game("einstein:board=3")
    other, seen = network(game, ACTIONS), 0
    for position in (position for seed in range(40) for position in random_positions(game, seed)):
        turns = position.turns() if position.mover >= 0 else ()
        winning = [turn.steps[0][1] for turn in turns if turn.end.over]
        if 0 < len(winning) < len(turns):
            batch = game.batch([position], threads=1)
            shares = [
                np.asarray(found.priors)[np.isin(legal.values, winning)].sum()
                for legal, found in (asked_priors(one, batch) for one in (other, AheadEstimator(other)))
            ]
            assert shares[1] > shares[0]
            seen += 1
    assert seen > 20


def test_agents_look_ahead_alone_with_a_search_and_with_symmetries() -> None:
    start = sw.game("othello:size=6").start()
    for settings in ("iterations=0", "iterations=4", "iterations=4,symmetric=true", "iterations=4,select=puct"):
        assert sw.agent(f"alphazero:ahead=true,{settings}", "othello:size=6").choose(start) in start.moves()
    dice = sw.agent("alphazero:ahead=true,iterations=4", "backgammon:scoring=full")
    position = dice.game.start().roll("3-1")
    assert dice.choose(position) in position.moves()


def test_searches_have_the_scale_of_the_training_that_lies_beneath() -> None:
    game = sw.game("othello:size=6")
    plain = learned(game, "")
    assert trained_scale(AheadEstimator(SymmetricEstimator(plain))) == trained_scale(plain)
    made = sw.agent("alphazero:ahead=true", "backgammon:scoring=full")
    assert getattr(made, "scale", None) == trained_scale(learned(sw.game("backgammon:scoring=full"), ""))
