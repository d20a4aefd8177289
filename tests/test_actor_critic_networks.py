"""The networks of the actor-critic: sizes, what the board's symmetries say, files that equal torch, refusals."""

from __future__ import annotations

import dataclasses
import json
import math
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

import spielwerk as sw
from spielwerk.games.graphs import Graph
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.actor_critic.exporting import export, model, outputs_of
from spielwerk.learn.actor_critic.networks.network import ActorCriticNetwork, network_of
from spielwerk.learn.actor_critic.networks.places import own_order, places_of
from spielwerk.learn.actor_critic.networks.shape import GRAPH, MLP, OWN, SHARED, Shape, form_of, usual_inputs
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.neural.forms import Form
from spielwerk.learn.neural.heads import Head, ScoresHead, head_of
from spielwerk.learn.neural.tensors import seen
from spielwerk.learn.onnx.estimator import OnnxEstimator
from spielwerk.learn.onnx.model import OnnxModel, metadata_of
from spielwerk.names import BadInput
from variants import random_positions

NINE, SIX, THREE = "morris", "morris:rules=six,quiet=20", "einstein:board=6,players=3"
MORRIS = [NINE, SIX]
OTHERS = ["einstein:board=3", "othello:size=4", "backgammon:checkers=3,scoring=full", "nim:stacks=2-3", THREE]
HIDDEN, FILTERS, BLOCKS = "16-8", 6, 2
ALL = (
    *((name, Shape(*given)) for name in MORRIS for given in product((MLP, GRAPH), [HIDDEN], [FILTERS], [BLOCKS])),
    *((name, Shape(MLP, HIDDEN)) for name in OTHERS),
    *((name, Shape(GRAPH, "", FILTERS, BLOCKS)) for name in OTHERS if not name.startswith("nim")),
)


def some(game: sw.Game, games: int = 2) -> list[sw.Position]:
    """Positions of random games, with chance nodes and ends among them."""
    return [position for seed in range(games) for position in random_positions(game, seed)]


def rows_of(game: sw.Game, inputs: str, games: int = 2) -> Tensor:
    return seen(game.batch([position for position in some(game, games) if position.mover >= 0]), inputs)


def made(game: sw.Game, shape: Shape, inputs: str | None = None, head: Head | None = None) -> ActorCriticNetwork:
    """A network whose weights are all drawn, also those that begin with 0."""
    torch.manual_seed(1)
    given = usual_inputs(game, shape.net) if inputs is None else inputs
    network = network_of(game, given, shape, head or head_of(game))
    for weights in network.parameters():
        torch.nn.init.normal_(weights, std=0.3)
    return network


def size(network: torch.nn.Module) -> int:
    return sum(weights.numel() for weights in network.parameters())


def kept(game: sw.Game, shape: Shape, network: ActorCriticNetwork, path: Path, **other: str) -> Checkpoint:
    """A checkpoint as a learner writes it."""
    arrays = {name: weights.detach().numpy() for name, weights in network.state_dict().items()}
    about = {"inputs": usual_inputs(game, shape.net) or "observe", "outputs": outputs_of(head_of(game).output)}
    checkpoints.write(path, arrays, {**about, "settings": json.dumps(dataclasses.asdict(shape)), **other})
    return checkpoints.read(path)


# Sizes


def test_the_network_of_the_source_has_two_input_layers_two_hidden_ones_and_two_heads() -> None:
    game = sw.game(NINE)
    shape = Shape()
    network = network_of(game, usual_inputs(game, MLP), shape, head_of(game))
    inputs = (72 + 1) * 256 + (11 + 1) * 32
    hidden = (256 + 32 + 1) * 256 + (256 + 1) * 256
    heads = (256 + 1) * 600 + (256 + 1) * 128 + (128 + 1)
    assert size(network) == inputs + hidden + heads == 346_073
    policy, value = network(torch.rand(3, 83))
    assert (policy.shape, value.shape) == ((3, 600), (3, 1))
    assert size(network_of(game, "", Shape(temperature=True), head_of(game))) == 346_073 + 1
    assert size(network_of(game, "", Shape(removals=OWN), head_of(game))) == 346_073 + 24 * 257


@pytest.mark.parametrize(
    ("hidden", "parameters"),
    [
        ("", 84 * 600 + 84 * 128 + 129),  # the policy is a linear map
        ("4", 73 * 4 + 12 * 1 + 6 * 4 + 5 * 600 + 5 * 128 + 129),
        ("16", 73 * 16 + 12 * 2 + 19 * 16 + 17 * 600 + 17 * 128 + 129),
        ("16-8", 73 * 16 + 12 * 2 + 19 * 16 + 17 * 8 + 9 * 600 + 9 * 128 + 129),
    ],
)
def test_input_layers_are_as_wide_as_the_first_hidden_layer_and_an_eighth_of_it(hidden: str, parameters: int) -> None:
    game = sw.game(NINE)
    network = network_of(game, "", Shape(hidden=hidden), head_of(game))
    assert size(network) == parameters
    assert network(torch.rand(3, 83))[0].shape == (3, 600)


def test_inputs_without_a_board_of_their_own_have_one_input_layer() -> None:
    game = sw.game(NINE)
    numbers = math.prod(game.input_form("tactics")[0])
    for hidden, wide in (("256-256", 256), ("4", 4)):
        network = network_of(game, "tactics", Shape(hidden=hidden), head_of(game))
        assert network.state_dict()["body.first.inputs.weight"].shape == (wide, numbers)


def test_a_linear_policy_is_one() -> None:
    game = sw.game(NINE)
    network = made(game, Shape(hidden=""))
    one, other = torch.rand(2, 5, 83)
    nothing = network(torch.zeros(5, 83))[0]
    torch.testing.assert_close(network(one + other)[0] + nothing, network(one)[0] + network(other)[0])


@pytest.mark.parametrize(("name", "shape"), ALL)
def test_policies_and_values_have_the_sizes_of_the_game(name: str, shape: Shape) -> None:
    game = sw.game(name)
    rows = rows_of(game, usual_inputs(game, shape.net), 1)
    policy, value = made(game, shape)(rows)
    assert policy.shape == (len(rows), game.constants["ACTIONS"])
    assert value.shape == (len(rows), head_of(game).size)
    assert (value.std() > 0, policy.std() > 0) == (True, True)


def test_weights_over_the_graph_of_nine_mens_morris_are_counted_by_hand() -> None:
    game = sw.game(NINE)
    planes, kinds, filters = 11, 4, 8  # a point itself, ring, spoke, mill
    network = network_of(game, "points", Shape(GRAPH, filters=filters, blocks=1), head_of(game))
    tower = (planes * kinds + 1) * filters + 2 * (filters * kinds + 1) * filters
    policy = 2 * (filters + 1) * filters + (filters + 1)
    value = (2 * filters + 1) * 128 + 129
    assert size(network) == tower + policy + value


# Boards and symmetries


@pytest.mark.parametrize("removals", [SHARED, OWN])
def test_the_same_weights_play_six_and_nine_mens_morris(removals: str) -> None:
    shape = Shape(GRAPH, "", FILTERS, BLOCKS, removals, temperature=True, blind="phases")
    networks = {name: made(sw.game(name), shape) for name in (NINE, SIX, "morris:rules=morabaraba")}
    for name, network in networks.items():
        network.load_state_dict(networks[NINE].state_dict())
        game = sw.game(name)
        assert network(rows_of(game, "points", 1))[0].shape[1] == game.constants["ACTIONS"]


def test_a_point_joined_in_the_same_ways_on_both_boards_says_the_same() -> None:
    shape = Shape(GRAPH, "", FILTERS, 0)
    nine, six = (made(sw.game(name), shape) for name in (NINE, SIX))
    six.load_state_dict(nine.state_dict())
    placements = []
    for network, points in ((nine, 24), (six, 16)):  # on an empty board
        rows = torch.zeros(1, 11, points)
        rows[:, 2:5] = 1
        placements.append(network(rows.flatten(1))[0][0, points * points :])
    # On both boards a corner has two neighbours on its ring, no spoke, and two mills.
    assert placements[0][0].item() == pytest.approx(placements[1][0].item(), abs=1e-5)
    assert placements[0].std() > 0  # points of other kinds say something else


def test_what_joins_two_points_counts_the_same_on_every_board() -> None:
    weights = []
    for name in (NINE, SIX, "morris:rules=morabaraba"):
        joining = form_of(sw.game(name), "points", Shape(GRAPH)).joining
        assert joining is not None
        points = len(joining)
        weights.append(
            [np.unique(kind[kind > 0]).tolist() for kind in joining.reshape(points, 4, points).swapaxes(0, 1)]
        )
    assert weights[0] == weights[1] == weights[2]
    assert [len(kind) for kind in weights[0]] == [1, 1, 1, 1]


@pytest.mark.parametrize("name", MORRIS)
@pytest.mark.parametrize("removals", [SHARED, OWN])
def test_logits_over_the_graph_turn_with_the_board_and_values_stay(name: str, removals: str) -> None:
    game = sw.game(name)
    network = made(game, Shape(GRAPH, "", FILTERS, BLOCKS, removals))
    batch = game.batch([position for position in some(game, 1) if position.mover >= 0])
    logits, value = network(seen(batch, "points"))
    for k in range(game.constants["SYMMETRIES"]):  # also those that exchange the rings, which are joined alike
        actions = [game.rule("turned")(k, action) for action in range(game.constants["ACTIONS"])]
        turned, same = network(seen(batch.turned(k), "points"))
        torch.testing.assert_close(turned[:, actions], logits, atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(same, value, atol=1e-4, rtol=1e-4)
    assert logits.std(1).min() > 0.1


def test_the_logit_of_a_slide_is_that_of_its_points() -> None:
    game = sw.game(NINE)
    network = made(game, Shape(GRAPH, "", FILTERS, BLOCKS))
    rows = rows_of(game, "points", 1)[:3]
    said, policy = network.body(rows), network.policy
    u, v = (policy.get_submodule(name)(said) for name in ("source", "target"))
    logits = network(rows)[0]
    for source, target in ((0, 1), (1, 0), (5, 23)):
        wanted = (u[:, :, source] * v[:, :, target]).sum(1) / FILTERS**0.5
        torch.testing.assert_close(logits[:, source * 24 + target], wanted, atol=1e-4, rtol=1e-4)


def test_actions_find_their_scores_in_any_order() -> None:
    class Fake:
        graph = Graph(("a", "b"), {}, {}, ((-1, 1), (1, 0), (-1, -1), (0, 1), (-1, -1)))

    places = places_of(Fake(), Form((3, 2)))  # type: ignore[arg-type]
    assert places is not None
    assert places.order is not None
    # aa ab ba bb, a b, two that concern no point
    assert (places.order.tolist(), places.nowhere) == ([5, 2, 6, 1, 7], 2)
    assert own_order(4, np.array([1, 3])).tolist() == [0, 4, 2, 5]
    othello = sw.game("othello:size=4")
    straight = places_of(othello, Form((3, 4, 4)))
    assert straight is not None
    assert (straight.pairs, straight.nowhere, straight.order) == (False, 1, None)


# Temperature, removals, hidden inputs


@pytest.mark.parametrize("net", [MLP, GRAPH])
def test_the_temperature_divides_the_logits_and_never_changes_the_best(net: str) -> None:
    game = sw.game(NINE)
    shape = Shape(net, HIDDEN, FILTERS, BLOCKS, temperature=True)
    rows = rows_of(game, usual_inputs(game, net))
    assert network_of(game, usual_inputs(game, net), shape, head_of(game)).log_temperature == 0
    network = made(game, shape)
    assert network.log_temperature is not None
    found = []
    for heat in (0.0, -1.0, 1.5):
        torch.nn.init.constant_(network.log_temperature, heat)
        found.append(network(rows)[0])
    torch.testing.assert_close(found[2] * math.exp(1.5), found[0])
    for logits in found[1:]:
        best = logits.argmax(1, keepdim=True)
        torch.testing.assert_close(found[0].gather(1, best)[:, 0], found[0].amax(1))
    (found[0] ** 2).mean().backward()
    assert network.log_temperature.grad is not None


@pytest.mark.parametrize("net", [MLP, GRAPH])
@pytest.mark.parametrize("name", MORRIS)
def test_own_removals_replace_the_logits_of_placements_only_where_a_man_has_to_be_taken(net: str, name: str) -> None:
    game = sw.game(name)
    points = game.constants["POINTS"]
    shape = Shape(net, HIDDEN, FILTERS, BLOCKS, OWN)
    network = made(game, shape)
    positions = [position for position in some(game, 2) if position.mover >= 0]
    due = torch.tensor([position.words[5] == 1 for position in positions])
    rows = seen(game.batch(positions), usual_inputs(game, net))
    before = network(rows)[0]
    torch.nn.init.zeros_(network.get_parameter("policy.removal.weight"))
    torch.nn.init.constant_(network.get_parameter("policy.removal.bias"), 7)
    after = network(rows)[0]
    assert due.any()
    assert torch.equal(before[~due], after[~due])
    assert torch.equal(before[:, : points * points], after[:, : points * points])
    assert (after[due, points * points :] == 7).all()


@pytest.mark.parametrize("inputs", ["", "tactics", "points"])
@pytest.mark.parametrize("blind", ["phases", "removal", "phases+removal"])
def test_hidden_inputs_change_nothing_and_all_others_do(inputs: str, blind: str) -> None:
    game = sw.game(NINE)
    net = GRAPH if inputs == "points" else MLP
    network = made(game, Shape(net, "64", FILTERS, BLOCKS, blind=blind), inputs)
    rows = torch.rand(1, math.prod(game.input_form(inputs)[0]), requires_grad=True)
    policy, value = network(rows)
    (slope,) = torch.autograd.grad((policy * torch.rand_like(policy)).sum() + value.sum(), rows)
    groups = game.groups(inputs).named
    hidden = sorted({place for name in blind.split("+") for place in groups[name]})
    assert (slope[0] == 0).nonzero()[:, 0].tolist() == hidden


# Files


def check_file(game: sw.Game, shape: Shape, folder: Path, head: Head | None = None) -> None:
    """What ONNX Runtime says of positions, against torch."""
    head = head or head_of(game)
    network = made(game, shape, head=head)
    source = kept(game, shape, network, folder / "x.safetensors")
    path = folder / "x.onnx"
    export(game, source, path, {"kind": "actor-critic"})
    opened = OnnxModel(path, game)
    OnnxEstimator(game, opened, "x")  # sizes are those of the game
    rows = rows_of(game, usual_inputs(game, shape.net))
    with torch.no_grad():
        policy, value = network(rows)
    logits, outputs = opened.run(rows.numpy())
    np.testing.assert_allclose(logits, policy.numpy(), atol=1e-4)
    np.testing.assert_allclose(outputs, head.outputs(value).numpy(), atol=1e-4)
    assert opened.outputs == ["policy", head.output]


@pytest.mark.parametrize(
    ("removals", "blind"),
    [*product([SHARED], ["", "phases", "removal", "phases+removal"]), *product([OWN], ["", "phases"])],
)
@pytest.mark.parametrize("temperature", [False, True])
@pytest.mark.parametrize("net", [MLP, GRAPH])
@pytest.mark.parametrize("name", MORRIS)
def test_a_file_of_morris_says_what_torch_says(
    name: str, net: str, removals: str, temperature: bool, blind: str, tmp_path: Path
) -> None:
    check_file(sw.game(name), Shape(net, HIDDEN, FILTERS, BLOCKS, removals, temperature, blind), tmp_path)


@pytest.mark.parametrize(("name", "shape"), ALL)
@pytest.mark.parametrize("temperature", [False, True])
def test_a_file_says_what_torch_says(name: str, shape: Shape, temperature: bool, tmp_path: Path) -> None:
    check_file(sw.game(name), dataclasses.replace(shape, temperature=temperature), tmp_path)


@pytest.mark.parametrize("net", [MLP, GRAPH])
def test_a_file_that_says_what_every_player_expects_says_what_torch_says(net: str, tmp_path: Path) -> None:
    game = sw.game(THREE)
    check_file(game, Shape(net, HIDDEN, FILTERS, BLOCKS), tmp_path, ScoresHead(game))


@pytest.mark.parametrize("hidden", ["", "4"])
@pytest.mark.parametrize("removals", [SHARED, OWN])
def test_files_of_the_smallest_networks_say_what_torch_says(hidden: str, removals: str, tmp_path: Path) -> None:
    check_file(sw.game(NINE), Shape(hidden=hidden, removals=removals), tmp_path)
    check_file(sw.game(NINE), Shape(GRAPH, filters=1, blocks=0, removals=removals), tmp_path)


def test_weights_learned_on_nine_mens_morris_are_exported_for_six(tmp_path: Path) -> None:
    nine, six, shape = sw.game(NINE), sw.game(SIX), Shape(GRAPH, "", FILTERS, BLOCKS, OWN, True)
    source = kept(nine, shape, made(nine, shape), tmp_path / "x.safetensors")
    export(six, source, tmp_path / "x.onnx", {})
    network = made(six, shape)
    rows = rows_of(six, "points", 1)
    logits = OnnxModel(tmp_path / "x.onnx", six).run(rows.numpy())[0]
    np.testing.assert_allclose(logits, network(rows)[0].detach().numpy(), atol=1e-4)


@pytest.mark.parametrize("net", [MLP, GRAPH])
def test_half_precision_says_all_but_the_same(net: str, tmp_path: Path) -> None:
    game, shape = sw.game(NINE), Shape(net, "64", 32, 1, OWN, True)
    network = made(game, shape)
    for weights in network.parameters():
        torch.nn.init.normal_(weights, std=0.1)
    source = kept(game, shape, network, tmp_path / "x.safetensors")
    whole, half = (model(game, source, {}, half=half) for half in (False, True))
    assert len(half) < 0.75 * len(whole)
    rows = rows_of(game, usual_inputs(game, net), 1).numpy()
    one, other = (OnnxModel(tmp_path / "x.onnx", game, data).run(rows) for data in (whole, half))
    for ours, theirs in zip(one, other, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=5e-3)


def test_a_file_is_written_without_torch() -> None:
    code = "import sys, spielwerk.learn.actor_critic.exporting; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_metadata_of_a_file_are_those_of_its_checkpoint(tmp_path: Path) -> None:
    game, shape = sw.game(SIX), Shape(GRAPH, "", FILTERS, 1)
    source = kept(game, shape, made(game, shape), tmp_path / "x.safetensors", seed="7")
    export(game, source, tmp_path / "x.onnx", {"grade": "good"})
    about = metadata_of(tmp_path / "x.onnx")
    assert (about["outputs"], about["seed"], about["grade"]) == ("policy value", "7", "good")
    assert (about["inputs"], about["game"]) == ("points", game.name)


# Refusals


@pytest.mark.parametrize(
    ("about", "reason"),
    [
        ({"settings": "{}"}, "x.safetensors does not hold a network of actor-critic."),
        ({"settings": "[]"}, "x.safetensors does not hold a network of actor-critic."),
        ({"outputs": "score value"}, "x.safetensors does not hold a network of actor-critic."),
        ({"outputs": "value"}, "x.safetensors does not hold a network of actor-critic."),
        ({"hidden": 16}, "x.safetensors does not hold a network of actor-critic."),
        ({"temperature": 1}, "x.safetensors does not hold a network of actor-critic."),
        ({"hidden": "16-8-4"}, 'does not hold "body.hidden.2.weight", a part of a network of actor-critic.'),
        ({"temperature": True}, 'does not hold "log_temperature", a part of a network of actor-critic.'),
        ({"removals": OWN}, 'does not hold "policy.removal.bias", a part of a network of actor-critic.'),
        ({"hidden": ""}, '"policy.all" has not the size of a layer of this network.'),
        ({"net": "lstm"}, 'actor-critic has no net "lstm". Possible: mlp, graph.'),
        ({"inputs": "tesauro"}, 'morris has no inputs "tesauro".'),
        ({"inputs": "tactics"}, 'does not hold "body.first.inputs.weight"'),
    ],
)
def test_a_checkpoint_of_something_else_is_not_exported(about: dict[str, str], reason: str, tmp_path: Path) -> None:
    game, shape = sw.game(NINE), Shape(hidden=HIDDEN)
    words = {name: given for name, given in about.items() if name in ("settings", "outputs", "inputs")}
    if not words:
        words = {"settings": json.dumps({**dataclasses.asdict(shape), **about})}
    source = kept(game, shape, made(game, shape), tmp_path / "x.safetensors", **words)
    with pytest.raises(BadInput) as refused:
        export(game, source, tmp_path / "x.onnx", {})
    assert reason in str(refused.value)
    assert not (tmp_path / "x.onnx").exists()


@pytest.mark.parametrize(
    ("name", "shape", "inputs", "reason"),
    [
        (NINE, {"net": "gnn"}, "", 'actor-critic has no net "gnn". Possible: mlp, graph.'),
        (
            NINE,
            {"removals": "onw"},
            "",
            'actor-critic has no removals "onw". Did you mean "own"? Possible: shared, own.',
        ),
        (NINE, {"hidden": "256-"}, "", 'hidden cannot be "256-"; write sizes of layers, such as 256-256.'),
        (NINE, {"hidden": "0"}, "", 'hidden cannot be "0"; write sizes of layers, such as 256-256.'),
        (NINE, {"hidden": "9999"}, "", 'hidden cannot be "9999"; write sizes of layers, such as 256-256.'),
        (NINE, {"filters": 0}, "", "actor-critic: filters cannot be 0; possible: 1 to 8192."),
        (NINE, {"blocks": -1}, "", "actor-critic: blocks cannot be -1; possible: 0 to 100."),
        (NINE, {"blind": "phase"}, "", 'called "phase". Did you mean "phases"? Groups: phases, removal.'),
        (NINE, {"blind": "phases+"}, "", 'called "". Groups: phases, removal.'),
        (NINE, {"blind": "removal", "removals": OWN}, "", "removals=own needs the inputs that blind=removal hides."),
        (NINE, {"net": GRAPH}, "", '"observe" of morris is a row of numbers; take inputs=points, or net=mlp.'),
        (NINE, {}, "planes", 'morris has no inputs "planes".'),
        ("nim", {"net": GRAPH}, "", 'actor-critic: net=graph needs inputs that lie on the board, and "observe" of nim'),
        ("nim", {"blind": "phases"}, "", 'blind cannot be "phases"; "observe" of nim has no groups of inputs to hide.'),
        ("othello", {"removals": OWN}, "", '"observe" of othello says no such thing.'),
    ],
)
def test_a_network_that_makes_no_sense_is_refused(
    name: str, shape: dict[str, str | int], inputs: str, reason: str
) -> None:
    game = sw.game(name)
    with pytest.raises(BadInput) as refused:
        network_of(game, inputs, Shape(**shape), head_of(game))  # type: ignore[arg-type]
    assert reason in str(refused.value)
