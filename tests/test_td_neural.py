"""TD with a neural network: what is learned, from which targets, stopped and resumed, exported and played."""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import spielwerk as sw
from conftest import Run
from marks import slow
from spielwerk.arena.by_estimate import ByEstimate
from spielwerk.games.chances import chances
from spielwerk.games.rules import OVER
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.neural.heads import head_of
from spielwerk.learn.neural.schedule import scheduled
from spielwerk.learn.onnx.estimator import OnnxEstimator
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.learn.registry import learner_of, settings_of
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.neural.estimator import TorchEstimator
from spielwerk.learn.td.neural.exporting import model
from spielwerk.learn.td.neural.learner import TdNetworkLearner
from spielwerk.learn.td.neural.selfplay import Ends, SelfPlay
from spielwerk.learn.td.neural.targets import targets_of
from spielwerk.learn.td.settings import Settings
from spielwerk.names import BadInput
from spielwerk.solvers.estimator import with_endings
from spielwerk.solvers.oracle import oracle
from test_estimators import some_positions

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched
NIM, DICE, BACKGAMMON = "nim:stacks=2-3", "einstein:board=3", "backgammon:checkers=3,scoring=full"
THREE = "einstein:board=6,players=3"
SMALL = {"boards": 64, "minibatch": 64, "hidden": "16-8", "window": 3, "lam": 0.6, "rate": 0.01}


def learner(game: str = DICE, seed: int = 1, **settings: Any) -> TdNetworkLearner:
    chosen = Settings(approximator="network", **{"episodes": 600, **SMALL, **settings})
    made = TdLearner.made(sw.game(game), chosen, seed)
    assert isinstance(made, TdNetworkLearner)
    made.use("cpu", 1)
    return made


def equal(one: Mapping[str, np.ndarray], two: Mapping[str, np.ndarray]) -> bool:
    return one.keys() == two.keys() and all(np.array_equal(one[name], two[name]) for name in one)


# Learning


def test_equal_seeds_learn_the_same_in_one_call_or_in_several_and_other_seeds_do_not() -> None:
    one, two, other = learner(), learner(), learner(seed=2)
    one.learn(300)
    for part in (1, 99, 200):
        two.learn(part)
    other.learn(300)
    assert one.episode == two.episode == 300
    assert equal(one.arrays(), two.arrays())
    assert not equal(one.weights(), other.weights())


@pytest.mark.parametrize("game", [DICE, *slow(BACKGAMMON)])
def test_a_resumed_learner_equals_one_that_was_never_stopped(game: str, tmp_path: Path) -> None:
    whole, half, resumed = learner(game), learner(game), learner(game)
    whole.learn(200)
    half.learn(70)
    checkpoints.write(tmp_path / "one.safetensors", half.arrays(), half.metadata())
    half.learn(5)  # what was written does not change with the learner
    resumed.restore(checkpoints.read(tmp_path / "one.safetensors"))
    resumed.learn(130)
    assert equal(whole.arrays(), resumed.arrays())


def test_a_checkpoint_of_another_size_is_refused() -> None:
    with pytest.raises(BadInput, match="does not fit td of einstein:board=3"):
        learner().restore(learner(hidden="16-9").arrays())


def test_it_learns_to_play_a_small_game_well() -> None:
    made = learner(NIM, episodes=5000, epsilon=0.5, epsilon_end=0.3, hidden="32-32", mean=0.9, minibatch=8)
    made.learn(5000)
    knows = sw.solve(NIM) and sw.agent("oracle", NIM)
    for position in some_positions(sw.game(NIM), 3):
        if position.mover >= 0 and (best := knows.analyse(position)).value == 1:
            good = [move.move for move in best.moves if move.value == 1]
            assert made.agent().choose(position) in good


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 20.0])
def test_a_loss_that_explodes_stops_the_training(number: float, monkeypatch: pytest.MonkeyPatch) -> None:
    made = learner()
    made.learn(50)
    monkeypatch.setattr(made.head, "loss", lambda logits, wanted: logits.sum() * 0 + number)
    with pytest.raises(BadInput, match=rf"the loss has grown to {number:g} after .* smaller rate than 0\.01"):
        made.learn(100)


def test_the_weights_that_play_are_a_running_mean() -> None:
    made, plain = learner(mean=0.9), learner(mean=0)
    for each in (made, plain):
        each.learn(100)
    online = {name.removeprefix("online/"): array for name, array in made.state().items() if "online/" in name}
    assert online.keys() == made.weights().keys()
    assert not equal(online, made.weights())
    assert all(np.array_equal(plain.state()[f"online/{name}"], array) for name, array in plain.weights().items())


def test_rates_go_from_begin_to_end_and_stay_there() -> None:
    rates = [scheduled(0.01, 0.0001, "geometric", share) for share in (0, 0.5, 1, 5)]
    assert rates == pytest.approx([0.01, 0.001, 0.0001, 0.0001])
    assert scheduled(0.4, 0.2, "linear", 0.5) == pytest.approx(0.3)


# Targets


def test_targets_mix_what_follows_by_lambda_up_to_the_end_of_a_game() -> None:
    rng, lam, turns, boards = np.random.default_rng(1), 0.7, 6, 40
    over, random = rng.random((turns, boards)) < 0.2, rng.random((turns, boards)) < 0.2
    kept, best, luck = rng.random((3, turns, boards))
    ends = [
        Ends(
            torch.zeros(boards, 1, dtype=torch.int64),
            torch.from_numpy(np.where(over[t], OVER, 0)),
            torch.from_numpy(kept[t][:, None]),
            torch.from_numpy(best[t][:, None]),
            torch.from_numpy(random[t]),
            torch.from_numpy(luck[t][:, None]),
        )
        for t in range(turns)
    ]
    found = torch.stack(targets_of(ends, lam)).numpy()[:, :, 0]

    def wanted(turn: int, board: int) -> float:
        """What the end of this turn should say, by what follows."""
        following = turn + 1
        if random[following, board]:
            said = best[following, board]
        elif over[following, board] or following == turns - 1:
            said = kept[following, board]
        else:
            said = (1 - lam) * kept[following, board] + lam * wanted(following, board)
        return said - luck[following, board]

    assert found == pytest.approx(np.array([[wanted(t, b) for b in range(boards)] for t in range(turns - 1)]))


@pytest.mark.parametrize("game", [NIM, BACKGAMMON, *slow(THREE)])
def test_what_is_kept_by_seat_is_seen_again_by_whoever_acts(game: str) -> None:
    head, players = head_of(sw.game(game)), sw.game(game).players
    outputs, actors = torch.rand(50, head.size), torch.arange(50) % players
    kept = head.by_seat(outputs, actors)
    assert torch.allclose(head.seen(kept, actors), outputs)
    zero = torch.zeros(50, dtype=torch.int64)
    for player in range(players):  # a player expects the same, however it was said
        asked = torch.full((50,), player)
        assert torch.allclose(head.worths(outputs, actors, asked), head.worths(kept, zero, asked), atol=1e-6)


@pytest.mark.parametrize("scoring", ["win", "gammon", "full"])
def test_the_chances_that_came_true_are_worth_the_score(scoring: str) -> None:
    game = sw.game(f"backgammon:checkers=3,scoring={scoring}")
    known = chances(game)
    assert known
    over = game.batch([position for position in some_positions(game, 60) if position.over])
    found = known.results(over)
    assert known.scores(found) == pytest.approx(over.scores()[:, 0])
    assert known.scores(known.turned(found)) == pytest.approx(over.scores()[:, 1])
    assert found[:, 1].any()  # somebody won a gammon


def test_boards_take_the_turns_that_the_network_values_most() -> None:
    made = learner(BACKGAMMON)
    game, estimator = made.game, TorchEstimator(made.game, made.network, made.head, made.inputs)
    batch = game.batch(100, seed=5)
    play = SelfPlay(batch, made.head, made.inputs, "fixed")
    player = ByEstimate(game, None, estimator)
    for _ in range(30):
        batch.roll()
        wanted = batch.copy()
        while (wanted.movers >= 0).any():
            wanted.play(player.choose_many(wanted, wanted.rngs))
        with torch.no_grad():
            ends = play.turn(made.network, 0.0)
        assert np.array_equal(ends.states.numpy(), wanted.states)
        assert not ends.random.any()
        assert (batch.movers != OVER).all()  # new games have begun


def test_a_random_turn_is_valued_by_the_best_one() -> None:
    made = learner(DICE)
    play = SelfPlay(made.game.batch(500, seed=5), made.head, made.inputs, "random:3")
    with torch.no_grad():
        ends = play.turn(made.network, 0.5)
    assert 50 < int(ends.random.sum()) < 250
    assert torch.equal(ends.best[~ends.random], ends.kept[~ends.random])
    assert not torch.equal(ends.best[ends.random], ends.kept[ends.random])


# Playing


@functools.cache
def exported(game: str) -> tuple[TdNetworkLearner, bytes]:
    made = learner(game)
    made.learn(60)
    path = Path("learned.safetensors")
    checkpoints.write(path, made.weights(), made.metadata())
    return made, model(made.game, checkpoints.read(path), {"command": "none"})


@pytest.mark.parametrize("game", [DICE, BACKGAMMON, *slow(THREE, "morris")])
def test_an_exported_network_values_as_the_one_that_learned(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made, data = exported(game)
    own = TorchEstimator(made.game, made.mean.network, made.head, made.inputs)
    file = OnnxEstimator(made.game, OnnxModel(Path("x.onnx"), made.game, data), "x")
    batch = made.game.batch(some_positions(made.game, 3))
    assert file.estimate(batch).values == pytest.approx(own.estimate(batch).values, abs=1e-5)


def test_a_run_is_trained_played_exported_and_resumed(spielwerk: Run, tmp_path: Path) -> None:
    small = [f"{key}={value}" for key, value in SMALL.items()]
    options = ["--games", "10", "--decisions", "20", "--name", "one"]
    assert spielwerk("train", "td", DICE, "approximator=network", "episodes=200", *small, *options)[0] == 0
    assert spielwerk("runs", "export", "one", str(tmp_path / "x.onnx"))[0] == 0
    assert spielwerk("runs", "resume", "one", "--episodes", "300")[0] == 0
    for name in ("td:one", f"td:{tmp_path / 'x.onnx'}", "td:one,depth=2,candidates=2", "mcts:iterations=20,value=one"):
        position = sw.game(DICE).start().roll("1") if sw.game(DICE).start().chance else sw.game(DICE).start()
        assert sw.agent(name, DICE).choose(position) in [turn.text for turn in position.turns()]
    code, _, error = spielwerk("runs", "export", "one", str(tmp_path / "x.safetensors"))
    assert (code, "it holds a neural network" in error) == (2, True)


def test_all_candidates_are_the_whole_search_and_few_are_its_best() -> None:
    game = sw.game(BACKGAMMON)
    estimator = TorchEstimator(game, learner(BACKGAMMON).network, head_of(game), "expert")
    whole, same, few = (ByEstimate(game, None, estimator, 2, candidates=most) for most in (0, 1000, 2))
    for position in [one for one in some_positions(game, 1) if one.mover >= 0][:6]:
        found = {move.move: move.value or 0.0 for move in whole.analyse(position).moves}
        assert {move.move: move.value for move in same.analyse(position).moves} == pytest.approx(found)
        first = few.analyse(position).moves[0]
        shallow = [move.move for move in ByEstimate(game, None, estimator).analyse(position).moves[:2]]
        assert first.move in shallow
        assert first.value == pytest.approx(max(found[move] for move in shallow))


@pytest.mark.parametrize("scoring", ["win", "gammon", "full"])
def test_one_network_plays_every_scoring_of_backgammon(scoring: str) -> None:
    game = sw.game(f"backgammon:scoring={scoring}")
    found = sw.analyse(game, "td", roll="3-1")
    assert found.moves[0].move == "8/5 6/5"
    chosen, known = found.moves[0].chances, chances(game)
    assert chosen
    assert known
    assert found.value == pytest.approx(float(known.scores(np.array([list(chosen.values())]))[0]))
    assert 0.5 < chosen["win"] < 0.6
    assert "chances" in found.facts()


# Bad input


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"approximator": "network", "tuples": "walk"}, "tuples has no effect without approximator=ntuple"),
        ({"approximator": "network", "alpha": 0.2}, "alpha has no effect without approximator=ntuple"),
        ({"hidden": "80"}, "hidden has no effect without approximator=network"),
        ({"approximator": "network", "hidden": "80-x"}, 'hidden cannot be "80-x"; write sizes of layers'),
        ({"approximator": "network", "hidden": "0"}, 'hidden cannot be "0"'),
        ({"approximator": "network", "starts": "random"}, 'starts cannot be "random"; possible: fixed, random:N'),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput) as refused:
        Settings(**settings)
    assert reason in str(refused.value)


def test_inputs_that_a_game_does_not_have_are_refused() -> None:
    with pytest.raises(BadInput, match=r'nim has no inputs "tesauro"\. Inputs: observe'):
        learner(NIM, inputs="tesauro")


def test_a_gpu_that_is_not_there_is_said_with_what_to_do(spielwerk: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    code, _, error = spielwerk("train", "td", NIM, "approximator=network", "--device", "cuda", "--name", "x")
    assert code == 2
    assert "There is no GPU here" in error
    assert "without --device cuda it learns on the CPU" in error.replace("\n", " ")
    code, _, error = spielwerk("train", "td", NIM, "--device", "cuda", "--name", "x")
    assert (code, "approximator=network" in error) == (2, True)
    assert not sw.runs()


@pytest.mark.parametrize(("kind", "settings"), [("td", {"approximator": "network"}), ("alphazero", {})])
def test_without_torch_the_extra_is_named(kind: str, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    game, chosen = sw.game(NIM), settings_of(kind, settings)
    learner = {"td": "td.neural", "alphazero": "alphazero"}[kind]
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, f"spielwerk.learn.{learner}.learner", raising=False)
    with pytest.raises(BadInput, match=r"torch, which is not installed: pip install 'spielwerk\[train\]'"):
        learner_of(kind, game, chosen, 1)


def test_a_network_of_another_game_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.onnx"
    path.write_bytes(exported(DICE)[1])
    with pytest.raises(BadInput, match="plays einstein:board=3, not einstein:board=4"):
        sw.agent(f"td:{path}", "einstein:board=4")
    path.write_bytes(exported(BACKGAMMON)[1])
    assert sw.agent(f"td:{path}", "backgammon:checkers=3")  # only scored otherwise
    with pytest.raises(BadInput, match="plays backgammon:scoring=full,checkers=3, not backgammon"):
        sw.agent(f"td:{path}", "backgammon")


def test_bear_offs_are_exact_whatever_the_network_says() -> None:
    game = sw.game(BACKGAMMON)
    made = learner(BACKGAMMON)
    own = TorchEstimator(game, made.network, made.head, made.inputs)
    exact, knows = with_endings(own), oracle(game)
    positions = [one for one in some_positions(game, 40) if not one.over]
    found, plain = exact.estimate(game.batch(positions)), own.estimate(game.batch(positions))
    known = 0
    for row, position in enumerate(positions):
        truth = knows.truth(position) if position.chance else None
        if truth is None:
            assert np.array_equal(found.values[row], plain.values[row])
            continue
        known += 1
        assert found.values[row, position.roller] == pytest.approx(truth.value)
        assert found.values[row].sum() == pytest.approx(0)
    assert known > 20
    assert with_endings(other := TorchEstimator(sw.game(NIM), made.network, made.head, "")) is other
