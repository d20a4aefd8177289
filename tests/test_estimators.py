"""Estimators: the same values as the evaluations, networks, graphs and oracles that they are made of, by name."""

from __future__ import annotations

import functools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heap_game
import spielwerk as sw
import test_depth
from evolution_genomes import blueprint, grown
from forest_traces import STEERING
from graph_game import graph_game
from marks import slow
from onnx_networks import Network
from spielwerk.agents.depth import Searching
from spielwerk.agents.values import estimator
from spielwerk.arena.by_estimate import ByEstimate
from spielwerk.games.batch import Batch
from spielwerk.games.evaluation import evaluate, evaluation
from spielwerk.kernel.arrays import Arrays
from spielwerk.kernel.random import streams
from spielwerk.learn import runs
from spielwerk.learn.evolution.evaluation import evaluation as by_graph
from spielwerk.learn.evolution.graph_onnx import write_onnx
from spielwerk.learn.evolution.learner import EvolutionLearner
from spielwerk.learn.evolution.settings import Settings as EvolutionSettings
from spielwerk.learn.export import export
from spielwerk.learn.onnx.model import described
from spielwerk.names import BadInput
from spielwerk.search.afterstates import best_ends
from spielwerk.search.estimator import Estimate, Estimator, asked_priors
from spielwerk.search.evaluation_estimator import EvaluationEstimator
from spielwerk.search.forest import Forest
from spielwerk.solvers.general import oracle as general
from spielwerk.solvers.oracle import oracle
from td_runs import drawn, keep
from variants import random_positions

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched
NIM, DICE, OTHELLO = sw.game("nim:stacks=2-3"), sw.game("einstein:board=3"), sw.game("othello:size=4")
ACTIONS = NIM.constants["ACTIONS"]
BACKGAMMON, FOUR = sw.game("backgammon:checkers=3"), sw.game("einstein:board=4,players=4")


def some_positions(game: sw.Game, games: int = 5) -> list[sw.Position]:
    return [position for seed in range(games) for position in random_positions(game, seed)]


@functools.cache
def evolved(game: sw.Game, **settings: Any) -> EvolutionLearner:
    chosen: dict[str, Any] = {"population": 20, "generations": 10, "champion_games": 5, **settings}
    learner = EvolutionLearner(game, EvolutionSettings(**chosen), 1)
    learner.learn(3)
    return learner


# Values


@pytest.mark.parametrize("game", [NIM, DICE, OTHELLO, BACKGAMMON, FOUR], ids=lambda game: game.name)
def test_an_evaluation_estimates_each_board_as_one_who_decides_there(game: sw.Game) -> None:
    used, positions = evaluation(game), some_positions(game, 2)
    kernel, before = game.kernel(evaluate, **used.bindings), game.kernel(used.before)
    values, priors, _, _ = estimator(game, "").estimate(game.batch(positions))
    assert priors is None
    for position, row in zip(positions, values, strict=True):
        if position.scores is not None:
            assert tuple(row) == position.scores
            continue
        before(position.state, used.data)
        assert row.tolist() == [kernel(position.state, player, used.data) for player in range(game.players)]


def test_many_boards_in_threads_are_estimated_as_one_after_the_other() -> None:
    batch = BACKGAMMON.batch(5000, threads=2)
    batch.roll()
    used = estimator(BACKGAMMON, "")
    whole = used.estimate(batch).values
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda _: used.estimate(batch).values, range(6)))
    alone = [used.estimate(batch.select(np.arange(at, at + 500))).values for at in range(0, 5000, 500)]
    assert all(np.array_equal(whole, values) for values in (*together, np.concatenate(alone)))


@pytest.mark.parametrize("game", [NIM, DICE], ids=lambda game: game.name)
def test_a_network_of_a_run_estimates_what_its_agent_expects(game: sw.Game) -> None:
    keep("mine", drawn(game))
    used, player = estimator(game, "mine"), sw.agent("td:mine", game)
    for position in some_positions(game):
        if position.mover < 0:
            continue
        turns = position.turns()
        values = used.estimate(game.batch([turn.end for turn in turns])).values[:, position.mover]
        expected = {judged.move: judged.value for judged in player.analyse(position).moves}
        assert [expected[turn.text] for turn in turns] == pytest.approx(values.tolist(), abs=1e-12)


@pytest.mark.parametrize("game", [NIM, DICE, *slow(FOUR)], ids=lambda game: game.name)
def test_an_evolved_graph_keeps_the_order_of_its_scores(game: sw.Game) -> None:
    keep("bred", evolved(game))
    player, best = sw.agent("evolution:bred", game), game.constants["BEST"]
    used = estimator(game, "bred")
    for position in some_positions(game, 2):
        if position.mover < 0 or position.actions() == []:
            continue
        turns = [turn for turn in position.turns() if not turn.end.over and _next(turn.end) == _after(position)]
        scores = {judged.move: judged.score for judged in player.analyse(position).moves}
        if not turns:
            continue
        values = used.estimate(game.batch([turn.end for turn in turns])).values[:, position.mover]
        wanted = [best * x / (1 + abs(x)) for x in (scores[turn.text] or 0.0 for turn in turns)]
        assert values.tolist() == pytest.approx(wanted, rel=1e-12)


def _next(position: sw.Position) -> int:
    return position.roller if position.chance else position.mover


def _after(position: sw.Position) -> int:
    """Who acts next, if the players take turns."""
    return (position.mover + 1) % position.game.players


@pytest.mark.parametrize("inputs", ["cells", "bits", "onehot", "observe"])
def test_a_graph_in_onnx_equals_our_own_evaluation(inputs: str, tmp_path: Path) -> None:
    for name in (NIM.name, DICE.name) if inputs in ("cells", "observe") else (NIM.name,):
        frame = blueprint(name, inputs=inputs)
        game, positions = frame.game, some_positions(frame.game)
        for number, genome in enumerate(grown(frame, 3, 40)):
            path = tmp_path / f"{number}.onnx"
            about = described(game, inputs, ["afterstate"])
            write_onnx(path, genome, frame.input_names, frame.output_names, about)
            ours = (
                EvaluationEstimator(game, by_graph(game, frame, genome, "ours")).estimate(game.batch(positions)).values
            )
            theirs = estimator(game, str(path)).estimate(game.batch(positions)).values
            np.testing.assert_allclose(theirs, ours, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("game", [NIM, DICE, *slow(OTHELLO)], ids=lambda game: game.name)
def test_an_exported_graph_plays_through_onnx_runtime_as_its_run_does(game: sw.Game, tmp_path: Path) -> None:
    keep("bred", evolved(game))
    path = tmp_path / "bred.onnx"
    export("bred", path)
    one, other = sw.agent("evolution:bred", game), sw.agent(f"evolution:{path}", game)
    assert other.batched
    for position in some_positions(game):
        if position.mover >= 0:
            assert one.turn(position).end == other.turn(position).end
            ours, theirs = one.analyse(position), other.analyse(position)
            assert [judged.move for judged in ours.moves][:1] == [judged.move for judged in theirs.moves][:1]
            scores = {judged.move: judged.score for judged in theirs.moves}
            for judged in ours.moves:
                assert scores[judged.move] == (judged.score and pytest.approx(judged.score, rel=1e-9, abs=1e-9))


@pytest.mark.parametrize("game", [NIM, DICE, OTHELLO], ids=lambda game: game.name)
def test_the_oracle_estimates_the_truth(game: sw.Game) -> None:
    knows, positions = oracle(game), some_positions(game)
    known = 0
    for position, row in zip(positions, estimator(game, "oracle").estimate(game.batch(positions)).values, strict=True):
        truth = None if position.over else knows.truth(position)
        assert row.sum() == 0
        if truth is not None:
            assert row[_next(position)] == truth.value
            known += 1
    assert known > 10


def test_where_the_oracle_does_not_know_the_usual_evaluation_answers() -> None:
    game = sw.game("einstein:board=6,players=4")
    with pytest.raises(BadInput):
        estimator(game, "oracle")
    start = BACKGAMMON.batch(20)
    usual, exact = (estimator(BACKGAMMON, name).estimate(start).values for name in ("", "oracle"))
    assert np.array_equal(usual, exact)


def test_the_oracle_estimates_the_truth_for_each_of_three_sides() -> None:
    game = heap_game.made()
    positions = [sw.Position(game, np.array([mover, heap])) for mover in range(3) for heap in range(1, 13)]
    truly = test_depth.plainly(test_depth.unknown)
    wanted = [truly(position, 12) for position in positions]
    assert np.array_equal(estimator(game, "oracle").estimate(game.batch(positions)).values, wanted)


def test_a_game_that_is_too_large_for_the_oracle_is_refused_before_the_first_estimate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(general, "QUICK", 20)
    with pytest.raises(BadInput, match="graphs is too large to be solved at once"):
        estimator(graph_game(1), "oracle").ready()


# Batches


def of_each_kind(game: sw.Game, folder: Path) -> list[Estimator]:
    """An estimator of each class."""
    network = Network(game, {"value": 1, "policy": game.constants["ACTIONS"]}).write(folder / "network.onnx")
    keep("bred", evolved(game))
    export("bred", folder / "graph.onnx")
    return [estimator(game, name) for name in ("", "oracle", str(network), str(folder / "graph.onnx"))]


def test_positions_of_another_game_are_refused_in_a_sentence(tmp_path: Path) -> None:
    for used in of_each_kind(NIM, tmp_path):
        with pytest.raises(BadInput) as refused:
            used.estimate(DICE.batch(3))
        assert str(refused.value) == f"{used.name} estimates positions of nim:stacks=2-3, not of einstein:board=3."


class Afar:
    """An array of which numpy knows nothing, as if it lay on a GPU."""

    def __init__(self, array: np.ndarray) -> None:
        self.here = array

    def __len__(self) -> int:
        return len(self.here)

    def __array__(self, *_: Any) -> np.ndarray:
        raise TypeError("It lies on another device.")


class FarArrays(Arrays):
    """Arrays of a device of which numpy knows nothing."""

    def array(self, values: Any, dtype: str) -> Any:
        """See `Arrays`."""
        return Afar(super().array(values, dtype))

    def host(self, array: Any) -> np.ndarray:
        """See `Arrays`."""
        return array.here


def test_what_is_said_of_a_batch_lies_where_the_batch_lies(tmp_path: Path) -> None:
    far = FarArrays()
    for used in of_each_kind(DICE, tmp_path):
        near = DICE.batch(some_positions(DICE))
        batch = Batch(DICE, near.states)
        batch.device, batch.arrays, batch.states = "cuda", far, far.array(near.states, "int64")
        here, there = used.estimate(near), used.estimate(batch)
        assert np.array_equal(here.values, far.host(there.values))
        for ours, theirs in ((here.priors, there.priors), (here.logits, there.logits)):
            assert (ours is None) == (theirs is None)
            assert ours is None or np.array_equal(ours, far.host(theirs))


# What an estimator of one's own may get wrong


class Own(Estimator):
    """Says what it is told to say."""

    name, has_priors = "own", True

    def __init__(self, game: sw.Game, values: Any, priors: Any, logits: Any = None) -> None:
        super().__init__(game)
        self.said = Estimate(values, priors, logits=logits)

    def estimate(self, batch: Batch) -> Estimate:
        """See `Estimator`."""
        return self.said


@pytest.mark.parametrize(
    ("values", "priors", "sentence"),
    [
        (np.zeros((1, 2)), np.full(9, 0.2), "own gives values of shape [1, 2], not [2, 2]."),
        (np.zeros(2), np.full(9, 0.2), "own gives values of shape [2], not [2, 2]."),
        (np.full((2, 2), np.nan), np.full(9, 0.2), "own gives values that are not finite numbers."),
        (np.zeros((2, 2)), None, "own says that it has priors, and gives none."),
        (np.zeros((2, 2)), np.full(5, 0.2), "own gives priors of shape [5], not [9]."),
        (np.zeros((2, 2)), np.full(9, np.inf), "own gives priors that are not finite numbers."),
    ],
)
def test_a_search_refuses_what_is_no_estimate(values: Any, priors: Any, sentence: str) -> None:
    own, batch = Own(NIM, values, priors), NIM.batch([NIM.start(), NIM.start().play("2:1")])
    forest = Forest(NIM, own, STEERING, 100)
    with pytest.raises(BadInput) as refused:
        forest.plant(batch, streams(1, "test", 2))
    assert str(refused.value) == sentence
    with pytest.raises(BadInput, match=sentence.replace("[", r"\[")):
        asked_priors(own, batch)


@pytest.mark.parametrize(
    ("logits", "sentence"),
    [
        (np.zeros((2, 5), np.float32), "own gives logits of shape [2, 5], not [2, {}]."),
        (np.full((2, ACTIONS), np.nan, np.float32), "own gives logits that are not finite numbers."),
    ],
)
def test_a_search_refuses_what_are_no_logits(logits: Any, sentence: str) -> None:
    own, batch = Own(NIM, np.zeros((2, 2)), None, logits), NIM.batch([NIM.start(), NIM.start().play("2:1")])
    with pytest.raises(BadInput) as refused:
        Forest(NIM, own, STEERING, 100).plant(batch, streams(1, "test", 2))
    assert str(refused.value) == sentence.format(ACTIONS)


def test_a_search_makes_of_logits_the_priors_of_legal_actions() -> None:
    batch = NIM.batch([NIM.start(), NIM.start().play("2:1")])
    logits = np.random.default_rng(1).normal(size=(2, ACTIONS)).astype(np.float32)
    legal, found = asked_priors(Own(NIM, np.zeros((2, 2)), None, logits), batch)
    weights = np.exp(logits[legal.owners, legal.values])
    priors = weights / np.bincount(legal.owners, weights)[legal.owners]
    np.testing.assert_allclose(np.asarray(found.priors), priors, atol=1e-6)
    trees = []
    for said in ((None, logits), (priors, None)):
        forest = Forest(NIM, Own(NIM, np.zeros((2, 2)), *said), STEERING, 100)
        forest.plant(batch, streams(1, "test", 2))
        trees.append(forest.policies())
    np.testing.assert_allclose(*trees, atol=1e-6)
    np.testing.assert_allclose(trees[0], priors, atol=1e-6)


def test_values_that_are_no_numbers_choose_no_turn() -> None:
    own = Own(NIM, np.full((len(NIM.start().turns()), 2), np.nan), None)
    with pytest.raises(BadInput, match="own gives values that are not finite numbers"):
        ByEstimate(NIM, Searching(1, "own"), own).choose(NIM.start())
    with pytest.raises(BadInput, match="are not numbers"):
        best_ends(np.array([0, 2]), np.array([0.0, np.nan]))


# Names


@pytest.mark.parametrize("name", ["hand", "none", "td", "oracle", "mine", "mine/1", "mine.safetensors", "bred.json"])
def test_one_rule_of_names_holds_for_all(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = sw.game("nim")
    monkeypatch.chdir(tmp_path)
    keep("mine", drawn(game))
    keep("bred", evolved(game))
    export("mine", Path("mine.safetensors"))
    export("bred", Path("bred.json"))
    used = estimator(game, name)
    used.ready()
    assert used.name == name
    assert used.estimate(game.batch(3)).values.shape == (3, 2)
    assert sw.agent("expectimax", game, depth=1, value=name).choose(game.start()) in game.start().moves()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("hnd", 'nim has no evaluation "hnd". Did you mean "hand"? Evaluations and runs: hand, none, td, evolution,'),
        ("goo/1", 'nim has no evaluation "goo/1".'),
        ("./agent", "./agent is not an exported agent; their names end in .safetensors, .onnx or .json."),
        ("none.safetensors", "There is no checkpoint none.safetensors."),
        ("none.onnx", "There is no file none.onnx."),
        ("good/3", "The run good has no seed 3"),
        ("strange", "strange was trained by magic, whose networks do not value positions."),
        ("moves", "moves chooses moves (output=direct) and does not value positions, so a search cannot use it."),
        ("moves.onnx", 'a network that plays has no output "direct".'),
    ],
)
def test_anything_else_is_refused_in_a_sentence(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    good = keep("good", drawn(NIM)).config
    runs.create(replace(good, kind="magic"), "strange")
    keep("moves", evolved(NIM, output="direct"))
    export("moves", Path("moves.onnx"))
    with pytest.raises(BadInput) as refused:
        estimator(NIM, name)
    assert reason in str(refused.value)


def test_an_onnx_file_that_names_moves_is_played_from_another_file(tmp_path: Path) -> None:
    keep("moves", evolved(NIM, output="direct"))
    export("moves", tmp_path / "moves.onnx")
    with pytest.raises(BadInput, match="does not score positions: its outputs are direct, not afterstate"):
        sw.agent(f"evolution:{tmp_path / 'moves.onnx'}", NIM)


# Playing


@pytest.mark.parametrize(
    ("game", "value"),
    [(NIM, "hand"), (DICE, "race"), (OTHELLO, "hand"), (BACKGAMMON, "none"), (FOUR, "race"), (DICE, "mine")],
    ids=str,
)
def test_the_best_end_by_an_estimator_is_that_of_the_compiled_search(game: sw.Game, value: str) -> None:
    keep("mine", drawn(DICE))
    compiled = sw.agent("expectimax", game, depth=1, value=value)
    outside = ByEstimate(game, Searching(1, value), estimator(game, value))
    for position in some_positions(game, 2):
        if position.mover >= 0:
            assert compiled.turn(position) == outside.turn(position)
        ours, theirs = compiled.analyse(position), outside.analyse(position)
        if not position.chance:
            assert sorted(map(str, ours.moves)) == sorted(map(str, theirs.moves))


def test_the_oracle_as_a_value_plays_perfectly_and_says_so() -> None:
    player, knows = sw.agent("expectimax:depth=1,value=oracle", DICE), oracle(DICE)
    for position in some_positions(DICE):
        truth = None if position.over else knows.truth(position)
        if position.mover >= 0 and truth:
            assert player.analyse(position).value == pytest.approx(truth.value)


def test_an_analysis_shows_values_and_priors(tmp_path: Path) -> None:
    game = BACKGAMMON
    network = Network(game, {"value": 1, "policy": game.constants["ACTIONS"]}, size=3.0)
    player = sw.agent(f"expectimax:depth=1,value={network.write(tmp_path / 'x.onnx')}", game)
    double = next(one for one in some_positions(game, 20) if one.mover >= 0 and len(one.turns()[0].steps) > 1)
    found = player.analyse(double)
    assert sum(judged.probability or 0.0 for judged in found.moves) == pytest.approx(1)
    assert found.value == max(judged.value or 0.0 for judged in found.moves) == found.moves[0].value
    assert found.moves[0].move == player.turn(double).text
    wanted: dict[sw.Position, float] = {}

    def follow(position: sw.Position, share: float) -> None:
        logits = network.plain(position, "policy")[position.actions()]
        for action, prior in zip(position.actions(), np.exp(logits) / np.exp(logits).sum(), strict=True):
            after = position.play(action)
            if after.mover == double.mover:
                follow(after, share * prior)
            else:
                wanted[after] = wanted.get(after, 0.0) + share * prior

    follow(double, 1.0)
    ends = {turn.text: turn.end for turn in double.turns()}
    for judged in found.moves:
        assert judged.probability == pytest.approx(wanted[ends[judged.move]], abs=1e-6)


def test_of_the_best_ends_the_first_is_taken() -> None:
    rng = np.random.default_rng(1)
    for _ in range(100):
        counts = rng.integers(0, 4, rng.integers(0, 6))
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        worths = rng.integers(0, 3, offsets[-1]).astype(float)
        wanted = [
            -1 if first == last else max(range(first, last), key=lambda k: (worths[k], -k))
            for first, last in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
        ]
        assert best_ends(offsets, worths).tolist() == wanted
