"""The networks of AlphaZero: sizes, what the board's symmetries say, files that equal torch, priors, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch

import spielwerk as sw
from onnx_networks import Network
from spielwerk.agents.values import estimator
from spielwerk.games.batch import Ragged
from spielwerk.games.cells import layout
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn.alphazero.exporting import export, outputs_of
from spielwerk.learn.alphazero.networks.form import (
    ACTIONS,
    AFTERSTATES,
    MLP,
    PATTERNS,
    RESIDUAL,
    form_of,
    usual_inputs,
)
from spielwerk.learn.alphazero.networks.network import PolicyValueNetwork, network_of
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.neural.estimator import PIECE, NetworkEstimator
from spielwerk.learn.neural.heads import ChancesHead, Head, ScoreHead, ScoresHead, head_of
from spielwerk.learn.neural.tensors import seen
from spielwerk.learn.onnx.model import metadata_of
from spielwerk.names import BadInput
from spielwerk.search.estimator import Estimate, asked, asked_priors
from variants import random_positions

NIM, DICE, BACKGAMMON, OTHELLO = (
    "nim:stacks=2-3",
    "einstein:board=3",
    "backgammon:checkers=3,scoring=full",
    "othello:size=4",
)
MORRIS = "morris:rules=six,quiet=20"
CASES = [  # every kind of net on every form, both policies, both values
    (NIM, MLP, ACTIONS, "score"),
    (NIM, MLP, AFTERSTATES, "score"),
    (DICE, RESIDUAL, ACTIONS, "score"),
    (DICE, RESIDUAL, AFTERSTATES, "score"),
    (OTHELLO, RESIDUAL, ACTIONS, "score"),
    (OTHELLO, MLP, ACTIONS, "score"),
    (BACKGAMMON, RESIDUAL, ACTIONS, "score"),
    (BACKGAMMON, RESIDUAL, AFTERSTATES, "chances"),
    (BACKGAMMON, MLP, ACTIONS, "chances"),
    (MORRIS, RESIDUAL, ACTIONS, "score"),
    (MORRIS, RESIDUAL, AFTERSTATES, "score"),
    (MORRIS, MLP, AFTERSTATES, "score"),
    (MORRIS, PATTERNS, AFTERSTATES, "score"),
    (OTHELLO, PATTERNS, ACTIONS, "score"),
]
BLOCKS, FILTERS = 2, 6


def some(game: sw.Game, games: int = 3) -> list[sw.Position]:
    """Positions of random games, with chance nodes and ends among them."""
    return [position for seed in range(games) for position in random_positions(game, seed)]


def made(game: sw.Game, net: str, policy: str, head: Head) -> PolicyValueNetwork:
    """A network whose weights are all drawn, also those that begin with 0."""
    torch.manual_seed(1)
    network = network_of(game, usual_inputs(game, net), net, BLOCKS, FILTERS, policy, head)
    for weights in network.parameters():
        torch.nn.init.normal_(weights, std=0.3)
    return network


def used(name: str, net: str, policy: str, value: str) -> NetworkEstimator:
    game = sw.game(name)
    head = head_of(game, value == "chances")
    return NetworkEstimator(game, made(game, net, policy, head), head, usual_inputs(game, net), policy == AFTERSTATES)


def kept(of: NetworkEstimator, net: str, value: str, path: Path, **other: str) -> Checkpoint:
    """A checkpoint as a learner writes it."""
    policy = AFTERSTATES if of.ends else ACTIONS
    settings = {"net": net, "blocks": BLOCKS, "filters": FILTERS, "policy": policy, "value": value}
    about = {"inputs": of.inputs or "observe", "outputs": outputs_of(policy, of.head.output)}
    assert isinstance(of.network, PolicyValueNetwork)
    arrays = {name: weights.detach().numpy() for name, weights in of.network.state_dict().items()}
    checkpoints.write(path, arrays, {**about, "settings": json.dumps(settings), **other})
    return checkpoints.read(path)


@pytest.mark.parametrize(("name", "net", "policy", "value"), CASES)
def test_policies_and_values_have_the_sizes_of_the_game(name: str, net: str, policy: str, value: str) -> None:
    of = used(name, net, policy, value)
    rows = seen(of.game.batch(some(of.game, 1)), of.inputs)
    said, expected = of.network(rows)
    assert said.shape == (len(rows), of.game.constants["ACTIONS"] if policy == ACTIONS else 1)
    assert expected.shape == (len(rows), of.head.size)
    assert expected.std() > 0


def test_heads_are_those_of_the_sides_and_of_the_value_that_is_asked_for() -> None:
    backgammon = sw.game(BACKGAMMON)
    assert isinstance(head_of(backgammon), ChancesHead)
    assert isinstance(head_of(backgammon, chances=False), ScoreHead)
    for players in (2, 3, 4):
        game = sw.game(f"einstein:board=6,players={players}")
        head = head_of(game)
        assert isinstance(head, ScoreHead if game.sides == 2 else ScoresHead)
        network = network_of(game, "", RESIDUAL, 1, 4, ACTIONS, head)
        policy, value = network(torch.zeros(3, int(np.prod(game.constants["OBSERVATION"]))))
        assert policy.shape == (3, game.constants["ACTIONS"])
        assert value.shape == (3, 1 if game.sides == 2 else players)


def test_the_network_of_the_source_is_ten_blocks_of_64_filters_over_9_planes_of_24_points() -> None:
    game = sw.game("backgammon")
    network = network_of(game, "", RESIDUAL, 10, 64, ACTIONS, head_of(game, chances=False))
    convolutions = [tuple(weights.shape) for name, weights in network.tower.named_parameters() if "weight" in name]
    assert convolutions == [(64, 9, 1, 3), *[(64, 64, 1, 3)] * 20]
    policy, value = network(torch.zeros(2, 9 * 24))
    assert (policy.shape, value.shape) == ((2, 1352), (2, 1))


@pytest.mark.parametrize(("name", "chances"), [(BACKGAMMON, True), (BACKGAMMON, False), (NIM, False)])
def test_ends_of_turns_are_first_compared_by_what_the_value_says_of_them(name: str, chances: bool) -> None:
    game = sw.game(name)
    head = head_of(game, chances)
    network = network_of(game, "", MLP, BLOCKS, FILTERS, AFTERSTATES, head)
    weights = dict(network.named_parameters())
    torch.nn.init.zeros_(weights["policy.last.weight"])
    rows = torch.rand(20, network.form.shape[0])
    scores, logits = network(rows)
    nobody = torch.zeros(20, dtype=torch.int64)
    for_the_other = -head.worths(head.outputs(logits), nobody, nobody)
    assert torch.equal(scores[:, 0].argsort(), for_the_other.argsort())
    scores.sum().backward()  # what is learned of scores leaves values alone
    assert weights["value.last.weight"].grad is None


def test_blocks_begin_as_if_they_were_not_there() -> None:
    game = sw.game(OTHELLO)
    network = network_of(game, "", RESIDUAL, 3, 8, ACTIONS, head_of(game))
    boards = torch.rand(5, 3, 4, 4)
    assert torch.equal(network.tower(boards), torch.relu(network.tower.first(boards)))


@pytest.mark.parametrize("name", [MORRIS, "morris"])
def test_blocks_over_a_graph_turn_with_the_board(name: str) -> None:
    game = sw.game(name)
    tower = made(game, RESIDUAL, ACTIONS, head_of(game)).tower
    batch = game.batch(some(game, 1))
    shape = game.input_form("points")[0]
    straight = tower(seen(batch, "points").reshape(-1, *shape))
    for k, turned in enumerate(game.constants["TURNED"]):
        found = tower(seen(batch.turned(k), "points").reshape(-1, *shape))
        torch.testing.assert_close(found[:, :, turned.tolist()], straight, atol=1e-4, rtol=1e-4)
    assert straight.std(2).max() > 0.1  # points differ


def test_a_point_of_a_graph_is_told_of_its_neighbours_by_the_kind_of_what_joins_them() -> None:
    form = form_of(sw.game("morris"), "points", RESIDUAL)
    assert (form.points, form.kinds) == (24, 4)
    assert form.joining is not None
    joined = form.joining.reshape(24, 4, 24)[:, :, 0].T  # to a7, the first point: itself, ring, spoke, mill
    assert [np.flatnonzero(points).tolist() for points in joined] == [[0], [1, 9], [], [1, 2, 9, 21]]


@pytest.mark.parametrize("name", ["othello:size=6", "othello", "morris", MORRIS])
def test_every_place_reads_the_entry_of_its_own_filling_from_all_inputs(name: str) -> None:
    game = sw.game(name)
    cells = layout(game)
    positions = [position for position in some(game, 1) if position.mover >= 0]
    for inputs in ("", *game.observations):
        form, patterns = form_of(game, inputs, PATTERNS), game.groups(inputs).patterns
        assert form.tables
        assert patterns
        rows = seen(game.batch(positions), inputs).reshape(len(positions), -1).numpy()
        entries = (rows @ form.tables.reading).astype(int) + form.tables.first
        sizes = [3 ** len(shape[0]) for shape in patterns.shapes]
        assert form.tables.entries == sum(sizes)
        for position, read in zip(positions, entries.tolist(), strict=True):
            men = np.zeros(len(cells.values), np.int64)
            game.kernel(cells.cells, **cells.bindings)(np.array(position.words), position.mover, men)
            wanted = [
                sum(sizes[:number]) + sum(int(men[point]) * 3**digit for digit, point in enumerate(place))
                for number, shape in enumerate(patterns.shapes)
                for place in shape
            ]
            assert read == wanted
        assert len({tuple(read) for read in entries.tolist()}) > len(positions) // 2


@pytest.mark.parametrize(("name", "inputs"), [("othello:size=6", "tactics"), ("morris", "tactics")])
def test_places_of_a_shape_are_images_of_each_other(name: str, inputs: str) -> None:
    game = sw.game(name)
    turns = layout(game).symmetries
    patterns = game.groups(inputs).patterns
    assert patterns
    known = set[frozenset[int]]()
    for shape in patterns.shapes:
        images = {tuple(turn[list(shape[0])].tolist()) for turn in turns}
        assert set(shape) <= images
        assert {frozenset(place) for place in shape} == {frozenset(image) for image in images}
        assert known.isdisjoint(map(frozenset, shape))
        known.update(map(frozenset, shape))


# Files


@pytest.mark.parametrize(("name", "net", "policy", "value"), CASES)
def test_a_file_says_what_torch_says(name: str, net: str, policy: str, value: str, tmp_path: Path) -> None:
    of = used(name, net, policy, value)
    path = tmp_path / "x.onnx"
    export(of.game, kept(of, net, value, tmp_path / "x.safetensors"), path, {"kind": "alphazero"})
    played = estimator(of.game, str(path))
    batch = of.game.batch(some(of.game))
    ours, theirs = asked(of, batch), asked(played, batch)
    assert (of.has_priors, of.chances is None) == (played.has_priors, played.chances is None)
    check_equal(ours, theirs, 1e-4)
    assert ours.values.std() > 0
    check_priors(*asked_priors(of, batch))


def test_a_file_with_tables_takes_rows_of_numbers_that_no_board_has(tmp_path: Path) -> None:
    of = used("othello:size=6", PATTERNS, ACTIONS, "score")
    export(of.game, kept(of, PATTERNS, "score", tmp_path / "x.safetensors"), tmp_path / "x.onnx", {})
    rows = 9 * torch.rand(20, 3 * 36) - 3
    ours = [said.detach().numpy() for said in of.network(rows)]
    policy, value = onnxruntime.InferenceSession(tmp_path / "x.onnx").run(None, {"inputs": rows.numpy()})
    np.testing.assert_allclose(np.asarray(policy), ours[0], atol=1e-3)
    np.testing.assert_allclose(np.asarray(value), np.tanh(ours[1]), atol=1e-4)


def test_a_file_that_says_what_every_player_expects_says_what_torch_says(tmp_path: Path) -> None:
    game = sw.game("einstein:board=4,players=4")
    head = ScoresHead(game)
    of = NetworkEstimator(game, made(game, RESIDUAL, ACTIONS, head), head, "")
    export(game, kept(of, RESIDUAL, "score", tmp_path / "x.safetensors"), tmp_path / "x.onnx", {})
    batch = game.batch(some(game, 2))
    check_equal(asked(of, batch), asked(estimator(game, str(tmp_path / "x.onnx")), batch), 1e-4)


def test_a_search_takes_a_file_with_scores_for_its_priors(tmp_path: Path) -> None:
    of = used(NIM, MLP, AFTERSTATES, "score")
    export(of.game, kept(of, MLP, "score", tmp_path / "x.safetensors"), tmp_path / "x.onnx", {})
    start = of.game.start()
    agent = sw.agent("mcts", of.game, iterations=50, select="puct", value=str(tmp_path / "x.onnx"))
    assert agent.choose(start) in start.moves()


def check_equal(one: Estimate, other: Estimate, apart: float) -> None:
    """The same of everything that is said."""
    assert [part is None for part in one] == [part is None for part in other]
    for ours, theirs in zip(one, other, strict=True):
        if ours is not None and theirs is not None:
            np.testing.assert_allclose(ours, theirs, atol=apart)


def check_priors(legal: Ragged, found: Estimate) -> None:
    """One in all for each board that has any; and not all the same."""
    counts = np.diff(legal.offsets)
    assert found.priors is not None
    sums = np.bincount(legal.owners, found.priors, len(counts))
    np.testing.assert_allclose(sums, counts > 0, atol=1e-5)
    assert np.abs(found.priors - 1 / counts[legal.owners]).max() > 0.01


def test_the_metadata_of_a_file_are_those_of_its_checkpoint(tmp_path: Path) -> None:
    of = used(NIM, MLP, AFTERSTATES, "score")
    export(
        of.game, kept(of, MLP, "score", tmp_path / "x.safetensors", seed="7"), tmp_path / "x.onnx", {"grade": "good"}
    )
    about = metadata_of(tmp_path / "x.onnx")
    assert (about["outputs"], about["seed"], about["grade"]) == ("score value", "7", "good")


@pytest.mark.parametrize(
    ("about", "reason"),
    [
        ({"settings": "{}"}, "x.safetensors does not hold a network of alphazero."),
        ({"outputs": "value"}, "x.safetensors does not hold a network of alphazero."),
        ({"outputs": "policy direct"}, "x.safetensors does not hold a network of alphazero."),
        (
            {"settings": '{"net": "mlp", "blocks": 3}'},
            'x.safetensors does not hold "tower.blocks.2.one.weight", a part',
        ),
        ({"settings": '{"net": "lstm", "blocks": 2}'}, 'alphazero has no net "lstm". Nets: residual, mlp, patterns.'),
        ({"inputs": "tesauro"}, 'nim has no inputs "tesauro".'),
    ],
)
def test_a_checkpoint_of_something_else_is_not_exported(about: dict[str, str], reason: str, tmp_path: Path) -> None:
    of = used(NIM, MLP, ACTIONS, "score")
    with pytest.raises(BadInput) as refused:
        export(of.game, kept(of, MLP, "score", tmp_path / "x.safetensors", **about), tmp_path / "x.onnx", {})
    assert reason in str(refused.value)
    assert not (tmp_path / "x.onnx").exists()


def test_a_network_of_another_game_is_not_exported(tmp_path: Path) -> None:
    of = used(DICE, MLP, ACTIONS, "score")
    with pytest.raises(BadInput, match=r'"tower\.first" has not the size of a layer of this network'):
        export(sw.game(NIM), kept(of, MLP, "score", tmp_path / "x.safetensors"), tmp_path / "x.onnx", {})


# Priors


@pytest.mark.parametrize("name", [BACKGAMMON, MORRIS, DICE])
def test_the_prior_of_an_action_is_the_sum_over_the_turns_that_begin_with_it(name: str) -> None:
    of = used(name, MLP, AFTERSTATES, "score")
    positions = [position for position in some(of.game) if position.mover >= 0][-40:]
    batch = of.game.batch(positions)
    priors, legal = of.estimate(batch).priors, batch.actions()
    assert priors is not None
    longer = 0
    for board, position in enumerate(positions):
        turns = position.turns()
        viewers = [(position.mover + 1) % of.game.players for _ in turns]  # also where the game is over
        with torch.no_grad():
            rows = seen(of.game.batch([turn.end for turn in turns]), of.inputs, viewers)
            scores = of.network(rows)[0][:, 0].double().numpy()
        shares = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
        wanted = dict.fromkeys(position.actions(), 0.0)
        for turn, share in zip(turns, shares, strict=True):
            wanted[turn.steps[0][1]] += share
            longer += len(turn.steps) > 1
        found = priors[legal.offsets[board] : legal.offsets[board + 1]]
        np.testing.assert_allclose(found, list(wanted.values()), atol=1e-5)
    assert longer or name == DICE


@pytest.mark.parametrize("policy", [ACTIONS, AFTERSTATES])
def test_pieces_say_what_the_whole_says(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of = used(BACKGAMMON, MLP, policy, "chances")
    batch = of.game.batch(some(of.game))
    whole = of.estimate(batch)
    monkeypatch.setitem(PIECE, "cpu", 7)
    check_equal(whole, of.estimate(batch), 1e-5)
    _, nothing = asked_priors(of, of.game.batch([]))
    assert nothing.priors is not None
    assert (nothing.values.shape, nothing.priors.shape) == ((0, 2), (0,))


def test_a_file_with_a_policy_and_a_score_is_refused(tmp_path: Path) -> None:
    game = sw.game(NIM)
    network = Network(game, {"value": 1, "policy": game.constants["ACTIONS"], "score": 1})
    with pytest.raises(BadInput, match='has both outputs "policy" and "score"; priors come from one of them'):
        estimator(game, str(network.write(tmp_path / "x.onnx")))
    wide = Network(game, {"value": 1, "score": 2})
    with pytest.raises(BadInput, match='its output "score" has 2 numbers, not 1'):
        estimator(game, str(wide.write(tmp_path / "y.onnx")))


# Refusals


@pytest.mark.parametrize(
    ("name", "inputs", "net", "sizes", "reason"),
    [
        (NIM, "", RESIDUAL, (1, 4), '"observe" of nim:stacks=2-3 is a row of numbers; take net=mlp.'),
        ("morris", "", RESIDUAL, (1, 4), '"observe" of morris is a row of numbers; take inputs=points, or net=mlp.'),
        ("backgammon", "expert", RESIDUAL, (1, 4), "take inputs=observe, or net=mlp."),
        ("backgammon", "points", RESIDUAL, (1, 4), 'backgammon has no inputs "points".'),
        ("backgammon", "", PATTERNS, (1, 4), 'needs patterns, and "observe" of backgammon has none; take net=mlp.'),
        (NIM, "", "resnet", (1, 4), 'alphazero has no net "resnet".'),
        (NIM, "", MLP, (-1, 4), "alphazero: blocks cannot be -1; possible: 0 to 100."),
        (NIM, "", MLP, (1, 0), "alphazero: filters cannot be 0; possible: 1 to 8192."),
    ],
)
def test_a_network_that_makes_no_sense_is_refused(
    name: str, inputs: str, net: str, sizes: tuple[int, int], reason: str
) -> None:
    game = sw.game(name)
    with pytest.raises(BadInput) as refused:
        network_of(game, inputs, net, *sizes, ACTIONS, head_of(game))
    assert reason in str(refused.value)
    with pytest.raises(BadInput, match='alphazero has no policy "action"'):
        network_of(game, inputs, net, *sizes, "action", head_of(game))
