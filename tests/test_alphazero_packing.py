"""Runs of AlphaZero that are packed without their replay buffer: it fills anew before learning goes on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from conftest import Run
from spielwerk.learn.alphazero.learner import AlphaZeroLearner
from spielwerk.learn.packing import pack, unpack
from spielwerk.names import BadInput
from test_alphazero import DICE, SMALL, learner
from test_td_neural import equal

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched
REPLAY = 3


def without_replay(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: found for name, found in arrays.items() if not name.startswith("replay/")}


@pytest.fixture
def emptied() -> AlphaZeroLearner:
    """A learner that has lost its lessons."""
    before, made = learner(replay=REPLAY), learner(replay=REPLAY)
    before.learn(40)
    assert before.notice == ""
    made.restore(without_replay(before.arrays()))
    return made


def test_the_buffer_is_full_before_learning_goes_on_and_nothing_is_counted_twice(emptied: AlphaZeroLearner) -> None:
    assert emptied.notice.startswith(f"the run has no replay buffer; {REPLAY} windows of 4 moves are played")
    weights, games, steps = emptied.weights(), emptied.games, emptied.mean.steps
    for windows in range(1, REPLAY + 1):
        emptied.learn_window()
        assert (len(emptied.replay.kept), emptied.games, emptied.mean.steps) == (windows, games, steps)
    assert equal(emptied.weights(), weights)
    assert emptied.notice == ""
    emptied.learn_window()
    assert emptied.mean.steps > steps
    assert not equal(emptied.weights(), weights)


def test_who_is_stopped_while_the_buffer_fills_goes_on_filling_it(emptied: AlphaZeroLearner) -> None:
    emptied.learn_window()
    resumed = learner(replay=REPLAY)
    resumed.restore(emptied.arrays())
    assert "2 windows" in resumed.notice
    for made in (emptied, resumed):
        made.learn(30)
    assert equal(emptied.arrays(), resumed.arrays())


@pytest.fixture
def trained(home: Path) -> None:
    """A run with two seeds."""
    options: dict[str, Any] = {"episodes": 40, "replay": REPLAY, **SMALL}
    sw.train("alphazero", DICE, name="one", seeds=2, evaluation={"games": 4, "grade": "no"}, **options)


@pytest.mark.usefixtures("trained")
def test_a_run_without_its_buffer_is_smaller_and_says_what_it_does_when_resumed(tmp_path: Path) -> None:
    whole, less = tmp_path / "whole.zip", tmp_path / "less.zip"
    assert pack("one", less, replay=False) < pack("one", whole)
    for path, name in ((whole, "whole"), (less, "less")):
        unpack(path, name)
    said = dict[str, list[str]]()
    for name in ("whole", "less"):
        said[name] = []
        sw.resume(name, episodes=60, say=said[name].append)
    assert said["whole"] == []
    begun = sorted(sentence.partition(";")[0] for sentence in said["less"])
    assert begun == [f"Seed {seed}: the run has no replay buffer" for seed in (1, 2)]


@pytest.mark.usefixtures("trained")
def test_the_command_says_so_above_its_progress(spielwerk: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "one.zip")
    assert spielwerk("runs", "pack", "one", file, "--without-replay")[0] == 0
    assert spielwerk("runs", "unpack", file, "--name", "two")[0] == 0
    code, _, error = spielwerk("runs", "resume", "two", "--episodes", "60")
    assert code == 0
    assert len(re.findall(r"Seed \d: the run has no replay buffer; .* before learning goes on\.", error)) == 2


def test_a_learner_without_a_buffer_is_refused(tmp_path: Path) -> None:
    sw.train("td", "nim:stacks=2-3", name="tables", episodes=10, evaluation={"games": 2, "grade": "no"})
    with pytest.raises(BadInput, match=r"^A run of td has no replay buffer that it could do without\.$"):
        pack("tables", tmp_path / "one.zip", replay=False)
    assert not (tmp_path / "one.zip").exists()
