"""Training that goes on from a network that was exported, or comes with the package."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

from conftest import Run
from spielwerk.games.registry import game
from spielwerk.learn import runs
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.kind import ONNX
from spielwerk.learn.neural.selfplay_learner import SelfPlayLearner
from spielwerk.learn.onnx.model import metadata_of
from spielwerk.learn.onnx.reading import exported_weights
from spielwerk.learn.registry import learner_kind, learner_of, settings_of
from spielwerk.learn.shipped import ShippedAgent, all_shipped
from spielwerk.names import BadInput
from spielwerk.web.laboratory.bounds import bounded_settings

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched
NIM = "nim:stacks=2-3"
TRAIN = ("train", "alphazero", NIM, "episodes=10", "boards=4", "window=4", "simulations=2", "minibatch=8")
SMALL = ("blocks=1", "filters=8", "--games", "4", "--decisions", "10")
DOCS = Path(__file__).parents[1] / "docs/networks"
PUBLISHED = [one.path for one in all_shipped("alphazero")] + sorted(DOCS.glob("*.onnx"))
NETWORKS = [one for one in all_shipped() if one.path.suffix == ONNX and one.metadata["kind"] != "imitation"]


def learner_for(one: ShippedAgent, **changed: object) -> SelfPlayLearner:
    """A learner with the settings by which an agent was trained, on few boards."""
    settings = json.loads(one.metadata["settings"]) | {"boards": 2, "begin": "shipped"} | changed
    kind = one.metadata["kind"]
    made = learner_of(kind, game(one.metadata["game"]), settings_of(kind, settings), 1)
    assert isinstance(made, SelfPlayLearner)
    return made


def graph(data: bytes) -> bytes:
    """What a file computes, without what it says of itself."""
    return onnx.load_from_string(data).graph.SerializeToString(deterministic=True)


@pytest.mark.parametrize("one", NETWORKS, ids=lambda one: one.path.stem)
def test_a_shipped_network_that_is_read_and_exported_again_is_the_same(one: ShippedAgent, tmp_path: Path) -> None:
    made, half = learner_for(one), b"Cast" in one.path.read_bytes()
    made.begin()
    kept = Checkpoint(one.path, {"metadata": one.metadata, "sums": dict.fromkeys(made.weights(), 0)})
    path = tmp_path / "again.onnx"
    write: Callable[..., None] = learner_kind(made.kind).export(ONNX)
    write(made.game, kept.with_arrays(made.weights()), path, {}, half=half)
    assert graph(path.read_bytes()) == graph(one.path.read_bytes())


@pytest.mark.parametrize(("name", "grade"), [("morris-768", "98.6 %"), ("einstein-768", "63.1 %")])
def test_the_networks_in_the_docs_can_be_trained_on(name: str, grade: str) -> None:
    file = DOCS / f"{name}.onnx"
    metadata = metadata_of(file)
    settings = json.loads(metadata["settings"]) | {"boards": 2, "begin": str(file)}
    made = learner_of("alphazero", game(metadata["game"]), settings_of("alphazero", settings), 1)
    made.begin()
    assert made.weights()["tower.first.weight"].shape[0] == 768
    assert grade in metadata["grade"]


@pytest.mark.parametrize("file", PUBLISHED, ids=lambda file: file.stem)
def test_the_commands_of_a_published_network_lead_to_it_from_random_weights(file: Path) -> None:
    metadata, trained = metadata_of(file), {""}
    for command in metadata["command"].split("; "):
        words = command.split()
        assert words[:4] == ["spielwerk", "train", "alphazero", metadata["game"]]
        settings = settings_of("alphazero", dict(word.split("=", 1) for word in words[4:] if "=" in word))
        assert settings.begin in trained
        trained.update(re.findall(r"--name (\S+)", command))


def test_an_exported_file_begins_as_its_run_does(spielwerk: Run, tmp_path: Path) -> None:
    file = tmp_path / "one.onnx"
    assert spielwerk(*TRAIN, *SMALL, "--name", "one")[0] == 0
    assert spielwerk("runs", "export", "one", str(file))[0] == 0
    for name, begin in (("by-run", "one"), ("by-file", str(file))):
        assert spielwerk(*TRAIN, *SMALL, f"begin={begin}", "--name", name)[0] == 0
    first, second = (runs.checkpoint(name) for name in ("by-run", "by-file"))
    assert all(np.array_equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("nim:stacks=2-3", {"net": "mlp"}),
        ("morris", {"net": "residual", "value": "score"}),
        ("othello:size=4", {"net": "patterns"}),
        ("einstein:board=3", {"net": "residual"}),
        ("backgammon:scoring=full", {"net": "residual", "policy": "afterstates", "value": "chances"}),
    ],
)
def test_a_wider_network_begins_with_what_a_narrower_one_says(name: str, settings: dict[str, str]) -> None:
    narrow, wide = (
        learner_of("alphazero", game(name), settings_of("alphazero", {"boards": 2, "filters": size, **settings}), size)
        for size in (8, 13)
    )
    assert isinstance(narrow, SelfPlayLearner)
    assert isinstance(wide, SelfPlayLearner)
    with torch.no_grad():
        for weights in narrow.mean.network.parameters():
            weights.normal_()
    wide.take_over(narrow.weights())
    rows = torch.rand(9, math.prod(wide.game.input_form(wide.inputs)[0]))
    for playing in (wide.network, wide.mean.network):
        for before, after in zip(narrow.mean.network(rows), playing(rows), strict=True):
            assert before.abs().max() > 1
            torch.testing.assert_close(after, before, rtol=1e-4, atol=1e-2)
    new = [made for name, made in wide.weights().items() if name.startswith("tower.") and ".two" not in name]
    assert all((made[len(made) * 8 // 13 :] != 0).any() for made in new if made.ndim > 1 and len(made) == 13)


def test_an_exported_file_begins_a_wider_network(spielwerk: Run, tmp_path: Path) -> None:
    file = tmp_path / "one.onnx"
    assert spielwerk(*TRAIN, *SMALL, "--name", "one")[0] == 0
    assert spielwerk("runs", "export", "one", str(file))[0] == 0
    for name, begin in (("by-run", "one"), ("by-file", str(file))):
        assert spielwerk(*TRAIN, "blocks=1", "filters=11", "--games", "4", f"begin={begin}", "--name", name)[0] == 0
    first, second = (runs.checkpoint(name) for name in ("by-run", "by-file"))
    assert first["tower.first.weight"].shape[0] == 11
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_networks_that_do_not_fit_are_refused_by_what_differs(spielwerk: Run, tmp_path: Path) -> None:
    file = tmp_path / "one.onnx"
    assert spielwerk(*TRAIN, *SMALL, "--name", "one")[0] == 0
    assert spielwerk("runs", "export", "one", str(file))[0] == 0
    for words, reason in (
        ((*TRAIN, "blocks=1", "filters=7", f"begin={file}"), "of another size: net=mlp blocks=1 filters=8"),
        ((*TRAIN, "blocks=2", "filters=8", f"begin={file}"), "of another size: net=mlp blocks=1 filters=8"),
        (
            (*TRAIN, "blocks=1", "filters=7", "begin=one"),
            "size: net=mlp blocks=1 filters=8; possible here: these sizes",
        ),
        ((*TRAIN, "blocks=2", "filters=8", "begin=one"), "The run one holds a network of another size"),
        ((*TRAIN, "blocks=0", "filters=8", "begin=one"), "The run one holds a network of another size"),
        ((*TRAIN, *SMALL, "policy=afterstates", "begin=one"), "The run one is a network with outputs policy value"),
        ((*TRAIN, *SMALL, "policy=afterstates", f"begin={file}"), "outputs policy value, not score value"),
        (("train", "actor-critic", NIM, f"begin={file}"), "kind alphazero, not actor-critic"),
        (("train", "alphazero", "nim:stacks=2-2", f"begin={file}"), "plays nim:stacks=2-3, not nim:stacks=2-2"),
        ((*TRAIN, *SMALL, "begin=shipped"), f"No alphazero agent for {NIM} comes with the package"),
        ((*TRAIN, *SMALL, f"begin={tmp_path}/none.onnx"), "There is no file"),
    ):
        code, _, error = spielwerk(*words, "--name", "two")
        assert (code, reason in " ".join(error.split())) == (2, True), error
    assert runs.names_of_runs() == ["one"]


def test_a_run_called_shipped_is_that_run(spielwerk: Run) -> None:
    assert spielwerk(*TRAIN, *SMALL, "--name", "shipped")[0] == 0
    assert spielwerk(*TRAIN, *SMALL, "begin=shipped", "--name", "two")[0] == 0


def test_an_array_that_a_file_does_not_hold_is_missed(tmp_path: Path) -> None:
    one = next(one for one in NETWORKS if one.path.stem == "alphazero-einstein-board4")
    made = learner_for(one)
    wanted = {**made.weights(), "temperature": np.zeros(3, np.float32)}
    with pytest.raises(BadInput, match='does not hold "temperature" as it was learned; begin with the run itself'):
        exported_weights(one.path, made.game, made.metadata(), wanted)


def test_the_page_may_begin_with_what_is_shipped_and_with_no_file() -> None:
    settings = settings_of("alphazero", {"begin": "shipped"})
    assert bounded_settings("alphazero", settings) is settings
    for name in ("one.onnx", "/tmp/one.onnx"):
        with pytest.raises(BadInput, match="There is no run"):
            bounded_settings("alphazero", settings_of("alphazero", {"begin": name}))
