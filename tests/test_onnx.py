"""Networks in ONNX files: what is let in, and that it computes what it should, whatever else is in the batch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

import spielwerk as sw
from damage import damaged
from onnx_networks import Network, model_of, write
from spielwerk.agents.values import estimator
from spielwerk.learn.onnx.contents import Contents, Damaged, contents
from spielwerk.learn.onnx.model import LARGEST, MEGABYTE, described
from spielwerk.learn.onnx.session import STEP, Session
from spielwerk.names import BadInput
from spielwerk.search.estimator import asked_priors
from variants import random_positions

NIM = sw.game("nim:stacks=2-3")
THREE = sw.game("einstein:board=6,players=3")
DICE = sw.game("einstein:board=3")
STEADY = settings(deadline=None, max_examples=50, derandomize=True)


def some_positions(game: sw.Game, games: int = 8) -> list[sw.Position]:
    """All positions of random games, with chance nodes and ends among them."""
    return [position for seed in range(games) for position in random_positions(game, seed)]


def usual(game: sw.Game, **more: Any) -> Network:
    return Network(game, {"value": 1, "policy": game.constants["ACTIONS"]}, **more)


# What is in a file


def a_branch(operator: str = "Relu", domain: str = "", tensor: onnx.TensorProto | None = None) -> onnx.ModelProto:
    """A model with an operator and perhaps a constant inside the branch of an If."""
    value = helper.make_tensor_value_info
    inner = [helper.make_node(operator, ["x"], ["y"], domain=domain)]
    if tensor is not None:
        inner.insert(0, helper.make_node("Constant", [], ["c"], value=tensor))
    branch = helper.make_graph(inner, "branch", [], [value("y", TensorProto.FLOAT, ["n", 1])])
    nodes = [
        helper.make_node("Constant", [], ["yes"], value=numpy_helper.from_array(np.array(True))),
        helper.make_node("If", ["yes"], ["out"], then_branch=branch, else_branch=branch),
    ]
    ends = ([value("x", TensorProto.FLOAT, ["n", 1])], [value("out", TensorProto.FLOAT, ["n", 1])])
    return model_of(helper.make_graph(nodes, "outer", *ends))


def an_external(name: str = "w") -> onnx.TensorProto:
    """A tensor whose numbers are said to be in a file that must never be read."""
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[1], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="/dev/zero")
    return tensor


def operators_of(graph: Any) -> set[tuple[str, str]]:
    """All operators of a graph and of the graphs in it, as the package `onnx` reads them."""
    found = {(node.domain, node.op_type) for node in graph.node}
    for node in graph.node:
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                found |= operators_of(inner)
    return found


@pytest.mark.parametrize("model", [a_branch(), a_branch("Magic", "com.acme"), usual(NIM).model()])
def test_a_file_is_read_as_the_package_onnx_reads_it(model: onnx.ModelProto) -> None:
    texts = {"game": "nim", "command": "spielwerk train … ± 3", "empty": "", "long": "x" * 1000}
    for key, text in texts.items():
        model.metadata_props.add(key=key, value=text)
    found = contents(model.SerializeToString())
    assert found.operators == operators_of(model.graph)
    assert found.metadata == texts
    assert not found.external


def with_external(place: str) -> onnx.ModelProto:
    """A model that has an external tensor in one of the places where there may be one."""
    if place == "branch":
        return a_branch(tensor=an_external())
    model = usual(NIM).model()
    if place == "initializer":
        model.graph.initializer.append(an_external())
    elif place == "sparse":
        model.graph.sparse_initializer.add(values=an_external(), dims=[3])
    elif place == "training":
        model.training_info.add().algorithm.initializer.append(an_external())
    elif place == "function":
        attribute = helper.make_attribute("value", an_external())
        node = onnx.NodeProto(op_type="Constant", output=["c"], attribute=[attribute])
        model.functions.append(onnx.FunctionProto(name="F", domain="com.acme", node=[node]))
    else:
        assert place == "list"
        model.graph.node[0].attribute.append(onnx.AttributeProto(name="many", tensors=[an_external()]))
    return model


@pytest.mark.parametrize("place", ["initializer", "sparse", "branch", "training", "function", "list"])
def test_external_data_is_found_wherever_it_may_be(place: str, tmp_path: Path) -> None:
    data = with_external(place).SerializeToString()
    assert contents(data).external
    path = write(onnx.load_model_from_string(data), tmp_path / "x.onnx", described(NIM, "observe", ["value"]))
    with pytest.raises(BadInput, match=r"x.onnx keeps data in other files; a network to play with is one file\.$"):
        estimator(NIM, str(path))


@STEADY
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        assert isinstance(contents(data), Contents)
    except Damaged:
        pass


@STEADY
@given(data=st.data())
def test_a_file_cut_short_or_with_a_changed_byte_is_loaded_or_refused_in_a_sentence(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = usual(NIM).write(tmp_path_factory.mktemp("files") / "x.onnx")
    whole = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        del whole[at:]
    else:
        whole[at] = data.draw(st.integers(0, 255))
    path.write_bytes(whole)
    said = ""
    try:
        estimator(NIM, str(path))
    except BadInput as problem:
        said = str(problem)
    assert "\n" not in said
    assert not said or said.endswith(".")


ABOUT = described(NIM, "observe", ["value", "policy"]) | {"kind": "neural", "command": "train", "grade": "well"}


@STEADY
@given(data=st.data())
def test_whatever_its_metadata_say_a_file_is_loaded_or_refused_in_a_sentence(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    about = dict(ABOUT)
    for key in data.draw(st.lists(st.sampled_from(list(ABOUT)), min_size=1, max_size=3)):
        others = st.sampled_from((*ABOUT.values(), "", "value value", "nim", "evolution", "afterstate", "\x1b[2J"))
        about[key] = data.draw(others | damaged(ABOUT[key].encode()).map(lambda one: one.decode("utf-8", "replace")))
    path = write(usual(NIM).model(), tmp_path_factory.mktemp("files") / "x.onnx", about)
    for kind in ("mcts:iterations=2,value={}", "evolution:{}"):
        said = ""
        try:
            sw.agent(kind.format(path), NIM).ready()
        except BadInput as problem:
            said = str(problem)
        assert said.isprintable()


# What is refused


def changed(change: Callable[[onnx.ModelProto], None]) -> Callable[[Path], Path]:
    """A file of the usual network after a change of the model."""

    def made(path: Path) -> Path:
        model = usual(NIM).model()
        change(model)
        return write(model, path, described(NIM, "observe", ["value", "policy"]))

    return made


def told(**about: str) -> Callable[[Path], Path]:
    """A file of the usual network with other metadata."""
    return lambda path: usual(NIM).write(path, **about)


def valued(outputs: str, **widths: int) -> Callable[[Path], Path]:
    return lambda path: Network(NIM, widths).write(path, outputs=outputs)


def of_bytes(data: bytes) -> Callable[[Path], Path]:
    def made(path: Path) -> Path:
        path.write_bytes(data)
        return path

    return made


def one_input_more(model: onnx.ModelProto) -> None:
    model.graph.input.append(helper.make_tensor_value_info("more", TensorProto.FLOAT, ["n", 1]))


def fixed(model: onnx.ModelProto) -> None:
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 8


def whole_numbers(model: onnx.ModelProto) -> None:
    model.graph.node.insert(0, helper.make_node("Cast", ["board"], ["cast"], to=TensorProto.FLOAT))
    model.graph.node[1].input[0] = "cast"
    model.graph.input[0].type.tensor_type.elem_type = TensorProto.INT64


def custom(model: onnx.ModelProto) -> None:
    model.graph.node[0].domain = "com.microsoft"


def of_trees(model: onnx.ModelProto) -> None:
    model.graph.node[0].domain = "ai.onnx.ml"


def mistyped(model: onnx.ModelProto) -> None:
    model.graph.node[0].op_type = "Flaten"


def folded(model: onnx.ModelProto) -> None:
    """All positions become one row."""
    model.graph.node[0].CopyFrom(helper.make_node("Flatten", ["board"], ["all"]))
    size = numpy_helper.from_array(np.array([1, -1]), "size")
    model.graph.initializer.append(size)
    model.graph.node.insert(1, helper.make_node("Reshape", ["all", "size"], ["flat"]))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (told(game="nim"), "x.onnx plays nim, not nim:stacks=2-3."),
        (told(game=""), 'x.onnx does not say what it is: its metadata lack "game".'),
        (told(version=""), 'x.onnx does not say what it is: its metadata lack "version".'),
        (told(format=""), 'x.onnx does not say what it is: its metadata lack "format".'),
        (told(format="spielwerk network 9"), "is a network of another version of Spielwerk: spielwerk network 9."),
        (told(inputs="tesauro"), 'x.onnx: nim has no inputs "tesauro". Inputs: observe.'),
        (
            told(outputs="value polcy"),
            'has no output "polcy". Did you mean "policy"? Outputs: value, policy, score, chances.',
        ),
        (told(outputs="value value"), 'x.onnx: its metadata name the output "value" more than once.'),
        (told(outputs="value"), "x.onnx has 2 outputs, but its metadata name 1: value."),
        (valued("policy", policy=NIM.constants["ACTIONS"]), 'x.onnx has no output "value"; its outputs: policy.'),
        (valued("value", value=3), 'x.onnx: its output "value" has 3 numbers, not 1 or 2.'),
        (valued("value policy", value=1, policy=5), 'its output "policy" has 5 numbers, not 6.'),
        (valued("direct", direct=2), 'a network that plays has no output "direct".'),
        (
            lambda path: Network(sw.game("nim"), {"value": 1}).write(path, game=NIM.name),
            'x.onnx takes inputs of shape [5]; "observe" of nim:stacks=2-3 has [3].',
        ),
        (changed(one_input_more), "x.onnx has 2 inputs; a network to play with has one."),
        (changed(fixed), "x.onnx: its input has a fixed number of positions; its first dimension must be dynamic."),
        (changed(whole_numbers), "x.onnx: its input is a tensor(int64), not one of float or double."),
        (changed(custom), "x.onnx uses the operator com.microsoft.Flatten; a network to play with has only those of"),
        (changed(of_trees), "x.onnx uses the operator ai.onnx.ml.Flatten; a network to play with has only those of ai"),
        (changed(mistyped), "x.onnx cannot be loaded: "),
        (
            changed(folded),
            'x.onnx: its output "value" has a fixed number of positions; its first dimension must be dynamic.',
        ),
        (lambda path: write(a_branch("Magic", "com.acme"), path, {}), "uses the operator com.acme.Magic"),
        (lambda path: write(a_branch(), path, {}), 'its metadata lack "format"'),
        (of_bytes(b""), "x.onnx is damaged, truncated, or not an ONNX file."),
        (of_bytes(b"PK\x03\x04 something else"), "x.onnx is damaged, truncated, or not an ONNX file."),
        (of_bytes(b"\x1c\x00\x00\x00ORTM" + bytes(64)), "x.onnx is damaged, truncated, or not an ONNX file."),
        (lambda path: path, "There is no file"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(
    make: Callable[[Path], Path], reason: str, tmp_path: Path, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = make(tmp_path / "x.onnx")
    with pytest.raises(BadInput) as refused:
        estimator(NIM, str(path))
    assert reason in str(refused.value)
    assert str(refused.value).count("\n") == 0
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("shape", "taken"), [((3, 3, 11), False), ((11, 9), False), ((99,), True), ((11, 3, 3), True)])
def test_inputs_are_as_the_game_observes_or_flat(shape: tuple[int, ...], taken: bool, tmp_path: Path) -> None:
    network = Network(DICE, {"value": 1})
    assert network.shape == (11, 3, 3)
    network.shape = shape
    path = str(network.write(tmp_path / "x.onnx"))
    if taken:
        assert estimator(DICE, path).estimate(DICE.batch(3)).values.shape == (3, 2)
        return
    with pytest.raises(BadInput) as refused:
        estimator(DICE, path)
    wanted = f'x.onnx takes inputs of shape {list(shape)}; "observe" of einstein:board=3 has [11, 3, 3], or [99].'
    assert str(refused.value).endswith(wanted)


def test_a_file_over_64_megabytes_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "x.onnx"
    with path.open("wb") as file:
        file.truncate(LARGEST * MEGABYTE + 1)
    with pytest.raises(BadInput, match="more than 64 MB, the limit for a network to play with"):
        estimator(NIM, str(path))


def test_a_network_that_gives_no_numbers_is_refused(tmp_path: Path) -> None:
    model = usual(NIM).model()
    model.graph.node[2].op_type = "Log"
    path = write(model, tmp_path / "x.onnx", described(NIM, "observe", ["value", "policy"]))
    with pytest.raises(BadInput, match='its output "value" is not a finite number everywhere'):
        estimator(NIM, str(path)).estimate(NIM.batch(some_positions(NIM)))


# What it computes


@pytest.mark.parametrize("game", [NIM, DICE, THREE], ids=lambda game: game.name)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_one_value_is_that_of_the_player_who_acts_next(game: sw.Game, dtype: Any, tmp_path: Path) -> None:
    network = Network(game, {"value": 1}, dtype=dtype)
    used = estimator(game, str(network.write(tmp_path / "x.onnx")))
    positions = some_positions(game)
    values, priors, _, _ = used.estimate(game.batch(positions))
    assert priors is None
    teams = game.constants["TEAM"]
    for position, row in zip(positions, values, strict=True):
        if position.scores is not None:
            assert tuple(row) == position.scores
            continue
        acting, value = position.roller if position.chance else position.mover, network.plain(position, "value")[0]
        for player in range(game.players):
            wanted = value if teams[player] == teams[acting] else -value / (game.sides - 1)
            assert row[player] == pytest.approx(wanted, abs=1e-6)
    assert not all(position.scores is None for position in positions)


def test_a_value_for_every_player_begins_with_the_one_who_acts_next(tmp_path: Path) -> None:
    network = Network(THREE, {"value": 3}, size=0.5)
    used = estimator(THREE, str(network.write(tmp_path / "x.onnx")))
    positions = [position for position in some_positions(THREE) if not position.over]
    for position, row in zip(positions, used.estimate(THREE.batch(positions)).values, strict=True):
        acting = position.roller if position.chance else position.mover
        wanted = np.roll(network.plain(position, "value"), acting)
        np.testing.assert_allclose(row, wanted, atol=1e-6)


@pytest.mark.parametrize("game", [NIM, DICE], ids=lambda game: game.name)
def test_priors_are_the_softmax_of_the_legal_actions(game: sw.Game, tmp_path: Path) -> None:
    network = usual(game, size=5.0)
    used = estimator(game, str(network.write(tmp_path / "x.onnx")))
    positions = some_positions(game)
    batch = game.batch(positions)
    legal, found = asked_priors(used, batch)
    priors, offsets = np.asarray(found.priors), legal.offsets
    assert used.has_priors
    for i, position in enumerate(positions):
        logits = network.plain(position, "policy")[position.actions()]
        wanted = np.exp(logits) / np.exp(logits).sum()
        np.testing.assert_allclose(priors[offsets[i] : offsets[i + 1]], wanted, atol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_a_network_says_does_not_depend_on_what_else_is_asked(dtype: Any, tmp_path: Path) -> None:
    used = estimator(DICE, str(usual(DICE, dtype=dtype).write(tmp_path / "x.onnx")))
    positions = some_positions(DICE)
    whole = used.estimate(DICE.batch(positions))
    for size in (1, 3, 17):
        parts = [used.estimate(DICE.batch(positions[at : at + size])) for at in range(0, len(positions), size)]
        assert np.array_equal(np.concatenate([part.values for part in parts]), whole.values)
        logits = [part.logits for part in parts if part.logits is not None]
        assert whole.logits is not None
        assert np.array_equal(np.concatenate(logits), whole.logits)
    assert len(used.estimate(DICE.batch([])).values) == 0


def test_few_rows_are_filled_up_where_they_alone_would_give_other_numbers() -> None:
    value, kind = helper.make_tensor_value_info, TensorProto.FLOAT
    nodes = [helper.make_node("ReduceMean", ["x"], ["mean"], axes=[0]), helper.make_node("Sub", ["x", "mean"], ["y"])]
    model = model_of(helper.make_graph(nodes, "mixes rows", [value("x", kind, ["n", 3])], [value("y", kind, ["n", 3])]))
    session = Session(model.SerializeToString())
    session.try_few((3,), np.float32)
    assert [session.size(rows) for rows in (1, 5, 17)] == [STEP, STEP, 2 * STEP]
    rows = np.ones((1, 3), np.float32)
    np.testing.assert_allclose(session.run(rows)[0][:1], rows * (STEP - 1) / STEP)


def test_values_stay_within_the_scores_of_the_game(tmp_path: Path) -> None:
    network = Network(NIM, {"value": 1})
    model = network.model()
    model.graph.node[-1].op_type = "Exp"
    path = write(model, tmp_path / "x.onnx", described(NIM, "observe", ["value"]))
    values = estimator(NIM, str(path)).estimate(NIM.batch(some_positions(NIM))).values
    assert np.abs(values).max() == 1.0


def test_threads_may_ask_at_the_same_time(tmp_path: Path) -> None:
    used = estimator(NIM, str(usual(NIM).write(tmp_path / "x.onnx")))
    batches = [NIM.batch(some_positions(NIM, games)) for games in range(1, 30)]
    alone = [used.estimate(batch).values for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            together = pool.map(lambda batch: used.estimate(batch).values, batches)
            assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))


def test_playing_needs_neither_torch_nor_onnx_and_onnx_runtime_only_for_onnx_files(tmp_path: Path) -> None:
    path = usual(NIM).write(tmp_path / "x.onnx")
    code = (
        "import sys; sys.modules['onnx'] = sys.modules['torch'] = None\n"
        "import spielwerk as sw\n"
        f"agent = sw.agent('expectimax', '{NIM.name}', depth=1)\n"
        "agent.choose(agent.game.start()); assert 'onnxruntime' not in sys.modules\n"
        f"agent = sw.agent('expectimax', '{NIM.name}', depth=1, value={str(path)!r})\n"
        "print(agent.choose(agent.game.start())); assert 'onnxruntime' in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
