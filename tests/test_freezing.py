"""Freezing: a network that wins its match is adopted, another one dropped, and a resume changes nothing of that."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.learn.td.freezing import Frozen
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.settings import Settings
from td_reference import Places
from test_td import TWO, assert_same, chosen, copied, trained

STACKS = (3, 4, 5)


@pytest.fixture
def game() -> sw.Game:
    return sw.game(f"nim:stacks={'-'.join(map(str, STACKS))},misere=false", target="python")


def bouton(game: sw.Game, network: NTupleNetwork) -> np.ndarray:
    """Perfect weights: whoever leaves stacks whose binary sum without carry is 0 wins."""
    weights, places = np.zeros_like(network.weights), Places(game, network.settings)
    for stacks in product(*(range(stack + 1) for stack in STACKS)):
        position = game.parse(f"{'-'.join(map(str, stacks))} A")
        weights[places.indices(position, 1)] = 1 if np.bitwise_xor.reduce(stacks) == 0 else -1
    return weights


def test_a_better_network_is_adopted_and_a_worse_one_dropped(game: sw.Game) -> None:
    network = NTupleNetwork(game, Settings(coherence="linear"), seed=1)
    good = bouton(game, network)
    network.weights[:] = -good
    frozen = Frozen(game, network)
    network.weights[:], network.coherence[:] = good, 3.0
    frozen.decide(20, 1, 100)
    assert (frozen.adopted, frozen.dropped) == (1, 0)
    assert np.array_equal(frozen.copy.weights, good)
    assert (frozen.copy.coherence == 3).all()
    network.weights[:], network.coherence[:] = -good, 5.0
    frozen.decide(20, 1, 200)
    assert (frozen.adopted, frozen.dropped) == (1, 1)
    assert np.array_equal(network.weights, good)
    assert (network.coherence == 3).all()


def test_a_network_that_is_only_as_good_is_dropped(game: sw.Game) -> None:
    network = NTupleNetwork(game, Settings(), seed=1)
    network.weights[:] = bouton(game, network)
    frozen = Frozen(game, network)
    network.weights[:] *= 0.5  # plays the same
    frozen.decide(20, 1, 100)
    assert (frozen.adopted, frozen.dropped) == (0, 1)
    assert set(network.weights.tolist()) == {-1.0, 1.0}


def test_an_agent_plays_on_by_what_is_left_after_a_match(game: sw.Game) -> None:
    learner = TdLearner(game, Settings(freeze=10, freeze_games=20), seed=1)
    assert learner.frozen is not None
    good, player, position = bouton(game, learner.network), learner.agent(), game.parse("1-4-4 A")
    learner.network.weights[:] = good
    learner.frozen.copy.take(learner.network)
    assert player.choose(position) == "1:1"
    learner.network.weights[:] = -good
    assert player.choose(position) != "1:1"
    learner.frozen.decide(20, 1, 10)
    assert player.choose(position) == "1:1"


def test_what_is_adopted_is_what_was_learned_and_what_is_dropped_leaves_the_weights_before() -> None:
    learner, seen = TdLearner(sw.game(TWO, target="python"), chosen(TWO, 60, freeze=6, freeze_games=20)), set()
    assert learner.frozen is not None
    plain = TdLearner(learner.game, chosen(TWO, 60))
    for _ in range(10):
        before, adopted = copied(learner), learner.frozen.adopted
        plain.restore(before)
        plain.learn(6)
        learner.learn(6)
        won = learner.frozen.adopted > adopted
        expected = plain.network.weights if won else before["weights"]
        assert np.array_equal(learner.network.weights, expected)
        assert np.array_equal(learner.frozen.copy.weights, expected)
        assert learner.rng == plain.rng  # a match draws from a stream of its own
        seen.add(won)
    assert seen == {True, False}
    assert learner.frozen.adopted + learner.frozen.dropped == 10


@pytest.mark.parametrize("more", [{}, {"coherence": "linear"}, {"buffer": 20, "batch": 5, "selector": "prioritised"}])
def test_a_resume_after_adoptions_and_drops_is_exact(more: dict[str, object]) -> None:
    how = {"freeze": 4, "freeze_games": 20, **more}
    whole = trained(TWO, 40, **how)
    parts = TdLearner(whole.game, whole.settings)
    parts.learn(22)  # between two matches
    assert parts.frozen is not None
    counts = parts.frozen.adopted, parts.frozen.dropped
    assert min(counts) > 0
    assert sum(counts) == 5
    saved = copied(parts)
    parts.learn(18)
    assert_same(whole, parts)
    restored = TdLearner(whole.game, whole.settings)
    restored.learn(9)  # has been elsewhere
    restored.restore(saved)
    assert restored.frozen is not None
    assert (restored.frozen.adopted, restored.frozen.dropped) == counts
    restored.learn(18)
    assert_same(whole, restored)
