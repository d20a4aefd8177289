"""The n-tuple network: which weights a position meets, what it is worth by them, and how large the tables become."""

from __future__ import annotations

from math import tanh
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.settings import Settings
from spielwerk.learn.td.value import locate, value_at
from td_reference import Places
from variants import random_positions

GAMES = ["nim:stacks=2-3-2", "einstein:board=3", "einstein:board=4,players=4", "einstein:board=6,players=3"]
FINEST = "einstein:board=6,players=4"


def network(name: str, **settings: Any) -> NTupleNetwork:
    """A network whose weights are all different."""
    made = NTupleNetwork(sw.game(name, target="python"), Settings(**settings), seed=1)
    made.weights[:] = np.random.default_rng(1).normal(0, 0.2, made.size)
    return made


def met(net: NTupleNetwork, position: sw.Position, player: int) -> list[int]:
    """The indices of a position."""
    indices = np.zeros(len(net.shape.places), np.int64)
    net.game.kernel(locate, **net.bindings)(position.state, player, indices, net.view())
    return indices.tolist()


def value(net: NTupleNetwork, position: sw.Position, player: int) -> float:
    """What the position is worth to a player."""
    indices = np.array(met(net, position, player))
    return net.game.kernel(value_at, **net.bindings)(indices, net.view())


@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize("weights", ["shared", "each"])
@pytest.mark.parametrize("name", GAMES)
def test_a_position_meets_the_weights_that_plain_counting_finds(name: str, weights: str, symmetry: bool) -> None:
    net = network(name, weights=weights, symmetry=symmetry, coding="" if name.startswith("nim") else "owner")
    places = Places(net.game, net.settings)
    assert net.size == places.weights
    for position in random_positions(net.game, 3)[::3]:
        for player in range(net.game.players):
            indices = places.indices(position, player)
            assert sorted(met(net, position, player)) == sorted(indices)
            by_hand = tanh(sum(float(net.weights[index]) for index in indices))
            assert value(net, position, player) == pytest.approx(by_hand)


@pytest.mark.parametrize("name", ["nim:stacks=2-3-2", "nim:stacks=2-2-2", "einstein:board=3"])
def test_positions_that_mirror_each_other_are_worth_the_same_only_with_symmetry(name: str) -> None:
    mirrored, plain = (network(name, symmetry=symmetry) for symmetry in (True, False))
    assert mirrored.size < plain.size or len(mirrored.shape.places) > len(plain.shape.places)
    differences = []
    for position in random_positions(mirrored.game, 4):
        for k in range(mirrored.game.constants["SYMMETRIES"]):
            turned, player = position.turned(k), 0
            assert value(mirrored, turned, player) == pytest.approx(value(mirrored, position, player))
            differences.append(abs(value(plain, turned, player) - value(plain, position, player)))
    assert max(differences) > 0.01


def test_the_flip_of_four_players_gives_the_ally_the_value_of_the_player() -> None:
    net = network("einstein:board=4,players=4", coding="owner")
    for position in random_positions(net.game, 5)[::4]:
        for player in range(4):
            ally = (player + 2) % 4
            assert value(net, position.turned(1), ally) == pytest.approx(value(net, position, player))


def test_tuples_that_a_mirror_maps_onto_each_other_share_one_table() -> None:
    one = network("einstein:board=3", tuples="a3-b3")
    both = network("einstein:board=3", tuples="a3-b3 a3-a2 a2-a3")
    assert one.shape == both.shape
    assert len(one.shape.places) == 2
    assert one.size == 7**2
    apart = network("einstein:board=3", tuples="a3-b3 a3-a2", symmetry=False)
    assert apart.size == 2 * 7**2


def test_each_player_has_its_own_weights_or_shares_those_of_players_who_see_the_game_alike() -> None:
    for name, alike in [("einstein:board=3", [{0, 1}]), ("einstein:board=4,players=4", [{0, 2}, {1, 3}])]:
        shared, each = (network(name, weights=weights, coding="owner") for weights in ("shared", "each"))
        players = range(shared.game.players)
        start = shared.game.start()
        sets = {player: met(shared, start, player)[0] // sum(shared.shape.sizes) for player in players}
        assert [{p for p in players if sets[p] == number} for number in sorted(set(sets.values()))] == alike
        size = sum(each.shape.sizes)
        for player in players:
            assert {index // size for index in met(each, start, player)} == {player}


@pytest.mark.parametrize("optimism", [0.0, 0.4, -0.9])
def test_before_training_every_position_is_worth_what_optimism_says(optimism: float) -> None:
    game = sw.game("einstein:board=3", target="python")
    net = NTupleNetwork(game, Settings(optimism=optimism), seed=1)
    for position in random_positions(game, 6):
        assert value(net, position, 0) == pytest.approx(optimism, abs=1e-6)


@pytest.mark.parametrize(("coherence", "each"), [("none", 4), ("linear", 12)])
def test_hashed_tables_stay_within_the_memory_and_learn(coherence: str, each: int) -> None:
    game, memory = sw.game("einstein:board=4,players=4", target="python"), 0.0005
    learner = TdLearner(game, Settings(memory=memory, coherence=coherence, lam=0.5))
    net = learner.network
    assert net.hashed
    assert net.shape.weights * each > memory * 1e9  # they would not fit
    assert 0.99 * memory * 1e9 < net.size * each <= memory * 1e9
    learner.learn(3)
    assert np.isfinite(net.weights).all()
    assert np.count_nonzero(net.weights) > 100


def test_hashing_meets_the_same_weights_as_the_remainder_of_the_plain_numbers() -> None:
    dense, hashed = (network("einstein:board=3", coding="owner", table=table) for table in ("dense", "hashed"))
    assert hashed.size < dense.size
    for position in random_positions(dense.game, 7):
        assert met(hashed, position, 1) == [index % hashed.size for index in met(dense, position, 1)]


def test_a_dense_table_that_cannot_fit_says_its_size() -> None:
    game = sw.game(FINEST, target="python")
    with pytest.raises(sw.BadInput, match=r"^td: the tables need [0-9.]+ GB \([0-9,]+ weights\), more than the 4 GB"):
        NTupleNetwork(game, Settings(table="dense", coding="stones"), seed=1)


def test_tuples_with_more_cases_than_whole_numbers_hold_are_hashed() -> None:
    settings = Settings(tuples="points", length=20, count=2, memory=0.001)
    learner = TdLearner(sw.game("einstein", target="python"), settings)
    learner.learn(1)
    assert learner.network.shape.weights > 2**63
    assert np.isfinite(learner.network.weights).all()


def test_six_by_six_with_four_players_and_the_finest_coding_trains_within_the_usual_memory() -> None:
    learner = TdLearner(sw.game(FINEST, target="python"), Settings(coding="stones", tuples="published"))
    assert learner.network.shape.weights == 40 * 25**6 * 2  # far too many, so that they are hashed
    assert 3.99e9 < learner.network.weights.nbytes <= 4e9
    learner.learn(2)
    assert learner.figures()["error"] > 0
