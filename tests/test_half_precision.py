"""Networks exported with weights in half precision: half the size, all but the same play; and what has none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import spielwerk as sw
from conftest import Run
from spielwerk.arena.agent import first_decision
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.alphazero.exporting import model
from spielwerk.learn.alphazero.networks.form import ACTIONS, MLP, PATTERNS, RESIDUAL
from spielwerk.learn.onnx.estimator import OnnxEstimator
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.learn.td.neural.exporting import model as td_model
from spielwerk.learn.td.neural.reading import read_network
from spielwerk.names import BadInput
from test_alphazero_networks import NIM, OTHELLO, kept, some, used
from test_td_neural import learner

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


@pytest.mark.parametrize(("name", "net"), [("morris", MLP), (OTHELLO, RESIDUAL), (OTHELLO, PATTERNS)])
def test_half_precision_halves_a_file_and_says_all_but_the_same(name: str, net: str, tmp_path: Path) -> None:
    of = used(name, net, ACTIONS, "score")
    assert isinstance(of.network, torch.nn.Module)
    for weights in of.network.parameters():
        torch.nn.init.normal_(weights, std=0.1)
    source = kept(of, net, "score", tmp_path / "x.safetensors")
    whole, half = (model(of.game, source, {}, half=half) for half in (False, True))
    assert len(half) < 0.6 * len(whole)
    batch = of.game.batch(some(of.game, 3))
    one, other = (
        OnnxEstimator(of.game, OnnxModel(tmp_path / "x.onnx", of.game, data), "x").estimate(batch)
        for data in (whole, half)
    )
    np.testing.assert_allclose(other.values, one.values, atol=3e-3)
    assert one.logits is not None
    assert other.logits is not None
    np.testing.assert_allclose(other.logits, one.logits, atol=3e-3)
    assert not np.array_equal(other.logits, one.logits)


def test_weights_that_half_precision_cannot_hold_are_refused(tmp_path: Path) -> None:
    of = used(NIM, MLP, ACTIONS, "score")
    assert isinstance(of.network, torch.nn.Module)
    torch.nn.init.constant_(next(of.network.parameters()), 1e5)
    source = kept(of, MLP, "score", tmp_path / "x.safetensors")
    with pytest.raises(BadInput, match=r"^Half precision cannot hold weights beyond 65504\.$"):
        model(of.game, source, {}, half=True)


def test_a_network_of_td_in_half_precision_plays_and_is_read_back_into_torch(tmp_path: Path) -> None:
    made = learner("einstein:board=3")
    checkpoints.write(tmp_path / "x.safetensors", made.weights(), made.metadata())
    (tmp_path / "x.onnx").write_bytes(td_model(made.game, checkpoints.read(tmp_path / "x.safetensors"), {}, half=True))
    network, _ = read_network(made.game, tmp_path / "x.onnx")
    for name, weights in network.state_dict().items():
        assert np.array_equal(weights.numpy(), made.weights()[name].astype(np.float16))
    assert sw.agent(f"td:{tmp_path / 'x.onnx'}", made.game).choose(first_decision(made.game))


@pytest.mark.parametrize(
    ("words", "file", "reason"),
    [
        (("td", NIM, "episodes=10"), "x.safetensors", "x.safetensors: half precision is for networks, in files that"),
        (("td", NIM, "episodes=10"), "x.onnx", "does not hold a neural network"),
        (
            ("evolution", "nim", "generations=1"),
            "x.onnx",
            "evolution cannot be exported in half precision.",
        ),
    ],
)
def test_what_has_no_half_precision_is_refused(
    words: tuple[str, ...], file: str, reason: str, spielwerk: Run, tmp_path: Path
) -> None:
    assert spielwerk("train", *words, "--games", "2", "--grade", "no", "--name", "one")[0] == 0
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    code, _, error = spielwerk("runs", "export", "one", str(folder / file), "--half")
    assert (code, reason in error, list(folder.iterdir())) == (2, True, []), error
