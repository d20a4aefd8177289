"""Packed weights: what comes back, how little space it takes, and what it costs in value and in games."""

from __future__ import annotations

from math import atanh
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spielwerk as sw
from spielwerk.agents.registry import agent
from spielwerk.arena.matches.match import play_match
from spielwerk.arena.playing.plan import Plan
from spielwerk.learn.checkpoint import read
from spielwerk.learn.export import export
from spielwerk.learn.td import compact
from spielwerk.learn.td.compact import STEP, pack, unpack
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings
from td_reference import Places
from td_runs import keep
from variants import random_positions


@given(
    st.lists(st.tuples(st.integers(0, 5000), st.floats(-15, 15, width=32)), max_size=60),
    st.integers(5001, 20_000),
    st.sampled_from([0.0, atanh(0.5) / 8]),
)
def test_weights_come_back_within_half_a_step_and_untouched_ones_as_they_were(
    moved: list[tuple[int, float]], size: int, first: float
) -> None:
    weights = np.full(size, first, np.float32)
    for index, change in moved:
        weights[index] = first + change
    found = unpack(pack(weights, first), size, first)
    assert found.dtype == np.float32
    assert np.abs(found - weights).max() <= STEP / 2 + 1e-6
    assert np.array_equal(found[weights == np.float32(first)], weights[weights == np.float32(first)])


def test_a_large_weight_is_cut_where_it_decides_alone() -> None:
    weights = np.array([0, 100, -100, 0.5], np.float32)
    assert np.tanh(unpack(pack(weights, 0.0), 4, 0.0)).tolist() == pytest.approx(np.tanh(weights).tolist())


def test_weights_that_nobody_met_take_no_space() -> None:
    weights = np.zeros(10**7, np.float32)
    weights[::1000] = 0.25
    assert sum(array.nbytes for array in pack(weights, 0.0).values()) < 500


@pytest.mark.parametrize("size", [99, 101])
def test_weights_for_a_larger_or_smaller_network_are_refused(size: int) -> None:
    packed = pack(np.ones(100, np.float32), 0.0)
    assert len(unpack(packed, 100, 0.0)) == 100
    with pytest.raises(ValueError, match=f"not {size}"):
        unpack(packed, size, 0.0)


def test_weights_packed_piece_by_piece_are_those_packed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = np.random.default_rng(1).normal(0, 0.001, 1000).astype(np.float32)
    at_once = pack(weights, 0.0)
    monkeypatch.setattr(compact, "PIECE", 7)
    in_pieces = pack(weights, 0.0)
    assert all(np.array_equal(in_pieces[name], array) for name, array in at_once.items())


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TdLearner:
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))
    learner = TdLearner(sw.game("einstein:board=4"), Settings(episodes=40_000, tuples="rectangles"), 1)
    learner.learn(40_000)
    keep("e4", learner)
    return learner


def test_packing_costs_less_than_a_thousandth_of_value_and_no_games(trained: TdLearner, tmp_path: Path) -> None:
    path, game, network = tmp_path / "e4.safetensors", trained.game, trained.network
    export("e4", path)
    kept = read(path)
    packed = unpack(kept, network.size, 0.0)
    places = Places(game, Settings(tuples=network.tuples))
    errors = []
    for position in (one for seed in range(20) for one in random_positions(game, seed) if one.chance):
        indices = places.indices(position, 1 - position.roller)
        errors.append(np.tanh(packed[indices].sum()) - np.tanh(network.weights[indices].sum()))
    assert np.abs(errors).max() <= places.count * STEP / 2
    assert np.sqrt(np.mean(np.square(errors))) < 0.001
    assert path.stat().st_size < network.weights.nbytes / 30
    match = play_match(Plan(game.name, (f"td:{path}", "td:e4"), 4000), agent)
    assert match.summary.rate_interval[0] <= 0.5 <= match.summary.rate_interval[1]
