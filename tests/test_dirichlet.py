"""Dirichlet noise at the roots of a forest."""

from __future__ import annotations

import math

import numpy as np
import pytest

import spielwerk as sw
from estimators import HashEstimator
from spielwerk.kernel.random import stream, streams
from spielwerk.search.forest import Forest
from spielwerk.search.trees import tree, variates
from test_forest import grown, steering

GAME = "nim:stacks=1-2-3"


def root_priors(forest: Forest) -> np.ndarray:
    """The priors of each root's children, of roots with equally many: [trees, children]."""
    first, count = forest.trees.links[0, 0, [tree.FIRST, tree.COUNT]]
    return forest.trees.priors[:, first : first + count]


@pytest.mark.parametrize("shape", [0.03, 0.3, 1.0, 4.5])
def test_gamma_variates_have_the_mean_and_variance_of_their_shape(shape: float) -> None:
    draw, rng, n = sw.game(GAME).kernel(variates.gamma_variate), stream(1, "test"), 100_000
    found = np.array([draw(shape, rng) for _ in range(n)])
    assert (found >= 0).all()
    assert found.mean() == pytest.approx(shape, abs=5 * math.sqrt(shape / n))
    fourth = 3 * shape**2 + 6 * shape
    assert found.var() == pytest.approx(shape, abs=5 * math.sqrt((fourth - shape**2) / n))


@pytest.mark.parametrize("alpha", [0.3, 2.0])
def test_noise_has_the_means_and_variances_of_the_dirichlet_distribution(alpha: float) -> None:
    game, n = sw.game(GAME), 20_000
    forest = Forest(game, HashEstimator(game, True), steering(), 20, "puct")
    forest.plant(game.batch([game.start()] * n), streams(3, "test", n))
    before = root_priors(forest).copy()
    forest.add_noise(alpha, 0.25)
    after = root_priors(forest)
    assert after.sum(1) == pytest.approx(np.ones(n), abs=1e-5)
    noise, actions = (after - 0.75 * before) / 0.25, after.shape[1]
    assert noise.min() > -1e-6
    variance = (actions - 1) / actions**2 / (actions * alpha + 1)
    assert noise.mean(0) == pytest.approx(np.full(actions, 1 / actions), abs=5 * math.sqrt(variance / n))
    assert noise.var(0) == pytest.approx(np.full(actions, variance), rel=0.1)


def test_equal_streams_give_equal_noise_and_none_gives_the_same_tree() -> None:
    game = sw.game(GAME)
    searches = []
    for share in (0.25, 0.25, 0.0):
        forest = grown([game.start()] * 2, HashEstimator(game, True), 0, steering(), "puct")
        forest.add_noise(0.3, share)
        forest.grow(20)
        searches.append(forest.trees.links[:, :30].tolist())
    assert searches[0] == searches[1]
    assert searches[0][0] != searches[0][1]
    plain = grown([game.start()] * 2, HashEstimator(game, True), 20, steering(), "puct")
    assert searches[2] == plain.trees.links[:, :30].tolist()


def test_noise_that_makes_no_sense_is_refused() -> None:
    game = sw.game(GAME)
    forest = grown([game.start()], HashEstimator(game, True), 0, steering(), "puct")
    for alpha, share in ((0.0, 0.25), (math.nan, 0.25), (0.3, 1.5)):
        with pytest.raises(sw.BadInput, match="alpha above 0"):
            forest.add_noise(alpha, share)
    with pytest.raises(sw.BadInput, match="select=uct"):
        grown([game.start()], HashEstimator(game, False), 0, steering(), "uct").add_noise(0.3, 0.25)
