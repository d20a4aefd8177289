"""The mean over symmetries: the same for every symmetric position, and nothing but a mean."""

from __future__ import annotations

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.learn.alphazero.networks.form import ACTIONS, AFTERSTATES, MLP
from spielwerk.learn.alphazero.networks.network import network_of
from spielwerk.learn.neural.estimator import NetworkEstimator
from spielwerk.learn.neural.heads import head_of
from spielwerk.names import BadInput
from spielwerk.search.estimator import Estimator, asked, asked_priors
from spielwerk.search.symmetric_estimator import SymmetricEstimator, turned_actions
from variants import random_positions

GAMES = ("morris:rules=six,quiet=20", "othello:size=4", "einstein:board=3")


def network(game: sw.Game, policy: str) -> Estimator:
    """One that knows nothing of symmetries."""
    head = head_of(game, False)
    return NetworkEstimator(game, network_of(game, "", MLP, 1, 8, policy, head), head, "", policy == AFTERSTATES)


def positions(game: sw.Game) -> list[sw.Position]:
    """In which somebody is to move."""
    return [position for position in random_positions(game, 1) if position.mover >= 0][:12]


@pytest.mark.parametrize("policy", [ACTIONS, AFTERSTATES])
@pytest.mark.parametrize("name", GAMES)
def test_symmetric_positions_are_estimated_alike(name: str, policy: str) -> None:
    game = sw.game(name)
    other = network(game, policy)
    mean, batch, places = SymmetricEstimator(other), game.batch(positions(game), threads=1), turned_actions(game)
    legal, here = asked_priors(mean, batch)
    alone = asked(other, batch)
    for k in range(1, len(places)):
        turned = batch.turned(k)
        there_legal, there = asked_priors(mean, turned)
        assert np.allclose(here.values, there.values, atol=1e-6)
        dense = np.zeros((len(batch), places.shape[1]))
        dense[there_legal.owners, there_legal.values] = there.priors
        assert np.allclose(dense[legal.owners, places[k, legal.values]], np.asarray(here.priors), atol=1e-5)
    assert not np.allclose(alone.values, asked(other, batch.turned(1)).values, atol=1e-6)  # unlike the network itself


def test_values_are_the_mean_of_what_the_other_says() -> None:
    game = sw.game("othello:size=4")
    other, batch = network(game, ACTIONS), game.batch(positions(game), threads=1)
    said = [asked(other, batch.turned(k)).values for k in range(game.constants["SYMMETRIES"])]
    assert np.allclose(asked(SymmetricEstimator(other), batch).values, np.mean(said, axis=0), atol=1e-6)


def test_games_without_symmetries_are_refused() -> None:
    with pytest.raises(BadInput, match="backgammon has no symmetries over which to take a mean"):
        sw.agent("alphazero:symmetric=true", "backgammon:scoring=full")


def test_agents_take_the_mean_where_it_is_asked_for() -> None:
    position = sw.game("morris").start()
    for name in ("actor-critic:symmetric=true", "alphazero:symmetric=true,iterations=4"):
        assert sw.agent(name, "morris").choose(position) in {turn.text for turn in position.turns()}
