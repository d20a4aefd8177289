"""Better targets for networks: luck taken off, and turns of unsure decisions played on side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import spielwerk as sw
from conftest import Run
from spielwerk.games.chances import chances
from spielwerk.games.rules import OVER
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn import runs
from spielwerk.learn.onnx.estimator import OnnxEstimator
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.learn.td.neural.estimator import TorchEstimator
from spielwerk.learn.td.neural.rollouts import NetworkRollout
from spielwerk.learn.td.neural.rolls import one_roll
from spielwerk.learn.td.neural.selfplay import Looked, SelfPlay
from spielwerk.learn.td.neural.siblings import branches, regret, unsure
from spielwerk.learn.td.neural.targets import targets_of
from spielwerk.learn.td.settings import Settings
from spielwerk.names import BadInput
from spielwerk.search.rollout import Rollout
from test_estimators import some_positions
from test_td_neural import BACKGAMMON, DICE, NIM, SMALL, THREE, equal, exported, learner

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched
SIDE_BY_SIDE: dict[str, Any] = {"siblings": 3, "margin": 2.0, "rolls": "all"}


def looked_at(game: str, boards: int = 60) -> tuple[SelfPlay, Looked]:
    """Boards after some turns and a roll, and what a network says of their turns."""
    made = learner(game)
    play = SelfPlay(made.game.batch(boards, seed=5), made.head, made.inputs, "fixed")
    with torch.no_grad():
        for _ in range(4):
            play.turn(made.network, 0.3)
        return play, play.look(made.network, one_roll(play.batch).batch)


# Luck


@pytest.mark.parametrize("game", [DICE, BACKGAMMON])
def test_targets_without_luck_are_the_results_of_rollouts(game: str) -> None:
    made, turns = learner(game), 3
    own = TorchEstimator(made.game, made.network, made.head, made.inputs)
    batch = made.game.batch(40, seed=7)
    play = SelfPlay(batch.copy(), made.head, made.inputs, "fixed", every=True)
    with torch.no_grad():
        ends = [play.turn(made.network, 0.0)]
        begun = made.game.batch(ends[0].states.numpy(), seed=0)
        begun.rngs[...] = play.batch.rngs
        going = ends[0].actors.numpy() != OVER  # new games have drawn their own starts
        ends += [play.turn(made.network, 0.0) for _ in range(turns)]
    found = targets_of(ends, 1.0)[0].numpy()[going]
    known = chances(made.game)
    scores = known.scores(found) if known else found[:, 0]
    wanted = Rollout(own, turns).results(begun.select(np.flatnonzero(going)))[:, 0]
    assert scores == pytest.approx(wanted, abs=1e-5)
    assert any(end.luck.abs().max() > 0.001 for end in ends)


def test_rollouts_by_an_exported_network_are_those_of_its_estimator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.onnx"
    path.write_bytes(exported(BACKGAMMON)[1])
    game = sw.game(BACKGAMMON)
    batch = game.batch([one for one in some_positions(game, 2) if one.chance][:30], seed=3)
    found = NetworkRollout(game, path, "cpu").values(batch.states, batch.rngs, 3)
    wanted = Rollout(OnnxEstimator(game, OnnxModel(path, game), "x"), 3).results(batch)
    assert found == pytest.approx(wanted[:, :2], abs=1e-5)


def test_luck_is_nothing_on_average_and_nothing_without_dice() -> None:
    made = learner(DICE)
    play = SelfPlay(made.game.batch(4000, seed=7), made.head, made.inputs, "random:3", every=True)
    with torch.no_grad():
        luck = torch.cat([play.turn(made.network, 0.2).luck for _ in range(3)])
        assert abs(float(luck.mean())) < 4 * float(luck.std()) / len(luck) ** 0.5
        assert float(luck.std()) > 0.001
        plain = SelfPlay(sw.game(NIM).batch(50), learner(NIM).head, "", "fixed", every=True)
        assert not plain.turn(learner(NIM).network, 0.0).luck.any()


def test_targets_without_luck_vary_less() -> None:
    made, spread = learner(DICE, episodes=3000, hidden="32-32", mean=0.9), {}
    made.learn(3000)
    start = made.game.batch(1, seed=3).states
    for every in (False, True):
        play = SelfPlay(made.game.batch(np.repeat(start, 500, axis=0), seed=1), made.head, "", "fixed", every)
        with torch.no_grad():
            ends = [play.turn(made.mean.network, 0.0) for _ in range(3)]
        spread[every] = float(targets_of([ends[0], *ends], 1.0)[0].std())  # what the start should say
    assert spread[True] < 0.6 * spread[False]


# Siblings


@pytest.mark.parametrize("game", [DICE, BACKGAMMON, THREE])
def test_the_best_turns_of_unsure_decisions_are_found(game: str) -> None:
    most, margin = 3, 0.05
    play, looked = looked_at(game)
    found = unsure(looked, most, margin)
    groups, wanted = iter(found.groups.tolist()), []
    offsets, worths, actors = (np.asarray(part) for part in (looked.after.offsets, looked.worths, looked.actors))
    for board in range(len(play.batch)):
        own = sorted(range(offsets[board], offsets[board + 1]), key=lambda end: -worths[end])
        near = [end for end in own if actors[end] != OVER and worths[end] >= worths[own[0]] - margin][:most]
        if len(near) > 1 and actors[own[0]] != OVER:
            group = next(groups)
            assert found.ends[group].tolist() == near + near[:1] * (most - len(near))
            wanted += [[True] * len(near) + [False] * (most - len(near))]
    assert found.real.tolist() == wanted
    assert len(wanted) > 10
    assert next(groups, None) is None


def test_siblings_are_played_on_with_the_same_dice() -> None:
    play, looked = looked_at(BACKGAMMON)
    made = learner(BACKGAMMON)
    siblings = unsure(looked, 4, 0.1)
    batch, first = branches(play.batch, looked, siblings, made.head)
    assert np.array_equal(batch.states, first.states.numpy())
    owners = np.asarray(looked.after.owners)[siblings.ends.numpy()]
    streams = {owner: set(batch.rngs[owners == owner, 0].tolist()) for owner in owners}
    assert all(len(found) == 1 for found in streams.values())


def test_the_ranking_loss_is_what_a_wrong_choice_costs() -> None:
    head = learner(NIM).head
    real = torch.tensor([[True, True, True], [True, True, False]])
    wanted = torch.tensor([[0.5], [0.1], [0.3], [0.2], [0.4], [0.2]])  # of the next player: the mover wants the least
    actors, players = torch.ones(6, dtype=torch.int64), torch.zeros(6, dtype=torch.int64)

    def lost(*favourites: int) -> float:
        logits = torch.zeros(6, 1)
        logits[list(favourites)] = -2.0
        return float(regret(head, logits, wanted, actors, players, real))

    assert lost(1, 3) == pytest.approx(0.0, abs=1e-4)
    assert lost(0, 3) == pytest.approx(0.4 / 2, abs=1e-4)
    assert lost(1, 4) == pytest.approx(0.2 / 2, abs=1e-4)
    assert lost() == pytest.approx((0.2 + 0.1) / 2, abs=1e-4)  # all alike; the repeated one does not count


@pytest.mark.parametrize("game", [DICE, NIM])
def test_learning_from_siblings_is_the_same_resumed(game: str, tmp_path: Path) -> None:
    whole, half, resumed, plain = (learner(game, **given) for given in (SIDE_BY_SIDE,) * 3 + ({},))
    whole.learn(400)
    half.learn(150)
    checkpoints.write(tmp_path / "one.safetensors", half.arrays(), half.metadata())
    resumed.restore(checkpoints.read(tmp_path / "one.safetensors"))
    resumed.learn(250)
    plain.learn(400)
    assert equal(whole.arrays(), resumed.arrays())
    assert not equal(whole.weights(), plain.weights())


def test_it_learns_to_play_a_small_game_well_from_siblings() -> None:
    made = learner(DICE, episodes=6000, hidden="32-32", mean=0.9, rate_end=0.001, lam=1.0, **SIDE_BY_SIDE)
    made.learn(6000)
    before, after = (sw.grade(DICE, one.agent(), decisions=300).regret for one in (learner(DICE), made))
    assert after < 0.25 * before


# Beginning with other weights


def test_a_run_begins_with_the_weights_of_another(spielwerk: Run) -> None:
    small = [f"{key}={value}" for key, value in SMALL.items()]
    train = ["train", "td", DICE, "approximator=network", "episodes=200", "--games", "10", "--decisions", "20"]
    assert spielwerk(*train, *small, "--name", "one")[0] == 0
    made, kept = learner(DICE, begin="one"), runs.checkpoint("one")
    made.begin()
    for name, found in made.weights().items():
        assert np.array_equal(found, kept[name])
        assert np.array_equal(made.state()[f"online/{name}"], kept[name])
    assert spielwerk(*train, *small, "begin=one", "siblings=2", "margin=1", "--name", "two")[0] == 0
    code, _, error = spielwerk(*train, *small, "begin=three", "--name", "four")
    assert (code, "three" in error) == (2, True)
    code, _, error = spielwerk(*train, "hidden=4", "begin=one", "--name", "four")
    assert (code, "does not fit" in error.replace("\n", " ")) == (2, True)
    assert sorted(run.name for run in sw.runs()) == ["one", "two"]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"siblings": 1}, "siblings cannot be 1; one turn alone has none"),
        ({"margin": 0.2}, "margin has no effect without siblings"),
        ({"ranking": 0.2}, "ranking has no effect without siblings"),
        ({"approximator": "ntuple", "rolls": "all"}, "rolls has no effect without approximator=network"),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        Settings(**{"approximator": "network", **settings})
