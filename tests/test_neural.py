"""What learners with a neural network share: a small one is trained, stopped, resumed, and trained again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

import spielwerk as sw
from spielwerk.games.rules import OVER
from spielwerk.kernel.random import below
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.learner import Stop, never
from spielwerk.learn.neural.learner import NeuralLearner
from spielwerk.learn.neural.rows import begin_rows, cut_rows
from spielwerk.learn.neural.schedule import random_turns
from spielwerk.names import BadInput

GAME = sw.game("othello:size=4")
BOARDS = 256


@dataclass(frozen=True)
class Settings:
    """The settings of the learner below."""

    episodes: int = 60
    width: int = 512  # wide enough for torch to share the work among threads


class Mobility(NeuralLearner):
    """Learns how many legal moves there are; an episode is one step of the optimiser, on random positions."""

    kind = "mobility"
    loss = 0.0

    def built(self) -> tuple[nn.Module, torch.optim.Optimizer]:
        """Three layers, and Adam."""
        inputs, width = self._seen(1)[0].shape[1], self.settings.width
        network = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.Linear(width, 1))
        return network, torch.optim.Adam(network.parameters(), 0.001)

    def learn(self, episodes: int, stop: Stop = never) -> None:
        """Learns for so many more steps, unless it is asked to stop."""
        end = self.episode + episodes
        while self.episode < end and not stop():
            inputs, counts = self._seen(int(below(self.rng, 2**31)))
            loss = (self.network(inputs)[:, 0] - counts).square().mean()
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            self.loss = loss.item()
            self.episode += 1

    def _seen(self, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
        batch = self.game.batch(BOARDS, seed=seed)
        views = batch.views()
        for _ in range(4):
            batch.random_step(views)
        inputs, counts = batch.observe().reshape(BOARDS, -1), batch.mask().sum(1)
        return torch.from_numpy(inputs.astype(np.float32)), torch.from_numpy(counts.astype(np.float32))

    def agent(self) -> sw.Agent:
        """It does not play."""
        return sw.agent("random", self.game)


def learner(seed: int = 1, threads: int = 2, **settings: int) -> Mobility:
    made = Mobility(GAME, Settings(**settings), seed)
    made.use("cpu", threads)
    return made


def equal(one: Mapping[str, np.ndarray], two: Mapping[str, np.ndarray]) -> bool:
    return one.keys() == two.keys() and all(np.array_equal(one[name], two[name]) for name in one)


@pytest.mark.parametrize("threads", [1, 2])
def test_equal_seeds_and_threads_learn_the_same_and_other_seeds_do_not(threads: int) -> None:
    one, two, other = learner(1, threads), learner(1, threads), learner(2, threads)
    for each in (one, two, other):
        each.learn(60)
    assert equal(one.arrays(), two.arrays())
    assert not any(np.array_equal(array, other.weights()[name]) for name, array in one.weights().items())
    assert torch.get_num_threads() == threads


def test_it_learns() -> None:
    made = learner()
    made.learn(1)
    before = made.loss
    made.learn(99)
    assert made.loss < before / 10


@pytest.mark.parametrize("stopped", [0, 1, 31])
def test_a_resumed_learner_equals_one_that_was_never_stopped(stopped: int, tmp_path: Path) -> None:
    whole, half, resumed = learner(), learner(), learner(seed=1)
    whole.learn(60)
    half.learn(60, stop=lambda: half.episode == stopped)
    checkpoints.write(tmp_path / "one.safetensors", half.arrays(), half.metadata())
    half.learn(5)  # what was written does not change with the learner
    resumed.restore(checkpoints.read(tmp_path / "one.safetensors"))
    assert resumed.episode == stopped
    resumed.learn(60 - stopped)
    assert equal(whole.arrays(), resumed.arrays())


def test_a_checkpoint_of_another_network_is_refused_and_changes_nothing() -> None:
    made, before = learner(), learner().arrays()
    with pytest.raises(BadInput, match=r'does not fit mobility of othello:size=4: "0.weight" is missing or differs'):
        made.restore(learner(width=100).arrays())
    assert equal(made.arrays(), before)


@pytest.mark.parametrize(
    ("starts", "placed"),
    [
        ("fixed", {0}),
        ("random:3", {0, 1, 2, 3}),
        ("random:2-3", {2, 3}),
        ("random:3-3", {3}),
        ("random:1+4-5", {0, 1, 4, 5}),
        ("random:50-60", set(range(12))),  # every game is over by then, and so they begin after fewer turns
    ],
)
@pytest.mark.parametrize("kernel", [begin_rows, cut_rows])
def test_games_begin_after_as_many_random_turns_as_starts_says(starts: str, placed: set[int], kernel: Any) -> None:
    over = GAME.start()
    while not over.over:
        over = over.play(over.actions()[0])
    batch = GAME.batch(np.repeat(over.state[None], 200, axis=0), seed=1)
    turns = np.array(random_turns(starts))
    if kernel is cut_rows:
        batch.run(cut_rows, batch.states, batch.rngs, np.ones(200, np.int64), turns)
    batch.run(begin_rows, batch.states, batch.rngs, turns)
    assert (batch.movers != OVER).all()
    discs = [int(own).bit_count() + int(other).bit_count() for own, other in batch.states[:, 1:3]]
    assert {count - 4 for count in discs} == placed
    if "+" in starts:
        assert 70 < sum(count <= 5 for count in discs) < 130  # both spans are as likely
