"""Many trees with one estimator, against a plain-Python tree, the fused kernel, and each other."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from estimators import EvaluationEstimator, HashEstimator
from forest_traces import traces
from marks import slow
from reference_tree import Node, ReferenceTree
from spielwerk.agents.mcts import Mcts
from spielwerk.agents.mcts_estimates import MctsByEstimate
from spielwerk.agents.mcts_settings import MctsSettings
from spielwerk.bench import search as bench
from spielwerk.games.position import Position
from spielwerk.kernel.arrays import arrays_of
from spielwerk.kernel.random import streams
from spielwerk.search import mcts
from spielwerk.search.forest import Forest
from spielwerk.search.parallel import share
from spielwerk.search.playout import NO_LIMIT
from spielwerk.search.stop import Stop
from spielwerk.search.trees import tree
from spielwerk.search.trees.tree import Steering

GAMES = [
    "einstein:board=3",
    "einstein:board=4,players=4",
    "othello:size=4",
    *slow("nim:stacks=1-2-3", "backgammon:checkers=3", "einstein:board=6,players=3"),
]


def steering(k: float = 0.5, sampled: bool = False, turns: int = NO_LIMIT) -> Steering:
    return Steering(0, turns, sampled, False, NO_LIMIT, False, k)


def walked(game: sw.Game, seed: int, steps: int) -> Position:
    """A position after some random actions and rolls, but not the end."""
    rng, position = np.random.default_rng(seed), game.start(seed)
    for _ in range(steps):
        choices = [outcome for outcome, _ in position.outcomes()] or position.actions()
        after = (position.roll if position.chance else position.play)(int(rng.choice(choices)))
        if after.over:
            break
        position = after
    return position


def grown(
    positions: list[Position],
    estimator: HashEstimator,
    simulations: int,
    given: Steering,
    select: str,
    nodes: int = 20_000,
) -> Forest:
    game = positions[0].game
    forest = Forest(game, estimator, given, nodes, select)
    forest.plant(game.batch(positions), streams(5, "test", len(positions)))
    forest.grow(simulations)
    return forest


def check(reference: Node, node: int, links: np.ndarray, sums: np.ndarray, priors: np.ndarray) -> int:
    """That a node of a tree and all below it are those of the reference; how many there are."""
    assert links[node, tree.VISITS] == reference.visits
    assert sums[node, tree.TOTAL] == pytest.approx(reference.total, abs=1e-9)
    assert sums[node, tree.EXACT] == pytest.approx(2.0 if reference.exact is None else reference.exact, abs=1e-12)
    first, count = links[node, [tree.FIRST, tree.COUNT]]
    children = range(first, first + count)
    if not reference.children:  # the tree may know children that nobody has visited yet
        assert not any(links[child, tree.VISITS] for child in children)
        return 1
    assert [links[child, tree.ACTION] for child in children] == [child.action for child in reference.children]
    if len(priors) and not reference.position.chance:
        assert priors[first : first + count].tolist() == [child.prior for child in reference.children]
    return 1 + sum(
        check(mine, child, links, sums, priors) for mine, child in zip(reference.children, children, strict=True)
    )


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("select", "priors"), [("puct", True), ("puct", False), ("uct", False)])
def test_every_tree_is_that_of_a_plain_python_search_node_by_node(name: str, select: str, priors: bool) -> None:
    game, simulations = sw.game(name), 150
    estimator = HashEstimator(game, priors)
    for given, limit in ((steering(), np.inf), (steering(k=1.5, sampled=game.constants["FAIR"], turns=2), 2)):
        positions = [walked(game, seed, 2 * seed) for seed in range(3)]
        forest = grown(positions, estimator, simulations, given, select)
        for t, (position, rng) in enumerate(zip(positions, streams(5, "test", 3), strict=True)):
            reference = ReferenceTree(position, rng, estimator.of, select, given.k, given.sampled, limit)
            reference.grow(simulations)
            assert forest.done[t] == reference.done
            arrays = (forest.trees.links[t], forest.trees.sums[t], forest.trees.priors[t])
            assert check(reference.root, 0, *arrays) > 1


@pytest.mark.parametrize("name", ["einstein:board=3", "othello:size=4"])
@pytest.mark.parametrize("select", ["uct", "puct"])
def test_a_forest_with_a_compiled_evaluation_grows_the_trees_of_the_fused_kernel(name: str, select: str) -> None:
    game, simulations = sw.game(name), 300
    agent = sw.agent(f"mcts:value={next(iter(game.evaluations))},select={select},nodes=20000", game)
    assert isinstance(agent, Mcts)
    positions = [walked(game, seed, 2 * seed) for seed in range(3)]
    forest = Forest(game, EvaluationEstimator(game), steering(), 20_000, select)
    forest.plant(game.batch(positions), streams(5, "test", 3))
    forest.grow(simulations)
    simulate, plant = (game.kernel(kernel, **agent.bindings) for kernel in (mcts.simulate, tree.plant))
    for t, (position, rng) in enumerate(zip(positions, streams(5, "test", 3), strict=True)):
        alone, scratch = tree.one_of(agent.memory.trees, 0), game.workspace()
        plant(position.state, scratch, alone)
        game.kernel(agent.value.before)(position.state, agent.memory.data)
        assert simulate(simulations, position.state, rng, scratch, agent.memory, alone) == forest.done[t]
        size = int(alone.size[0])
        assert size == forest.trees.size[t, 0] > 10
        assert (alone.links[:size] == forest.trees.links[t, :size]).all()
        assert (alone.sums[:size] == forest.trees.sums[t, :size]).all()


@pytest.mark.parametrize("select", ["puct", "gumbel"])
@pytest.mark.parametrize("name", ["einstein:board=3", "othello:size=4", *slow("backgammon:checkers=3")])
def test_priors_apart_from_values_make_the_same_search(name: str, select: str) -> None:
    game, found = sw.game(name), []
    used = [HashEstimator(game, priors=True, apart=apart) for apart in (False, True)]
    for one in used:
        forest = Forest(game, one, steering(), 20_000, select)
        batch = game.batch(5, seed=2)
        batch.roll()
        forest.plant(batch, streams(3, "test", 5))
        if select == "gumbel":
            forest.plan(60, 4)
        for _ in range(3):  # a simulation that pauses is finished before the search goes on
            assert forest.grow(20) <= 100
        found.append([forest.choices(), forest.policies(), forest.values(), forest.done])
    for together, apart in zip(*found, strict=True):
        np.testing.assert_allclose(together, apart, rtol=1e-9)
    assert used[0].valued == 0
    assert sum(used[1].batches) < 0.6 * sum(used[0].batches)  # priors only for what is visited again


def test_all_leaves_of_a_round_are_estimated_in_one_call_and_finished_trees_cost_nothing() -> None:
    game = sw.game("nim:stacks=1-2-3")
    estimator = HashEstimator(game, True)
    positions = [game.start(), game.start().play(game.start().actions()[-1])]
    forest = grown(positions, estimator, 5, steering(), "auto")
    assert estimator.batches[0] == 2
    assert forest.done[0] == 5
    forest.grow(100_000)  # until everything is proven
    assert (forest.trees.sums[:, 0, tree.EXACT] <= 1).all()
    assert max(estimator.batches) == 2
    assert len(estimator.batches) < max(forest.done.tolist()) < 100_000


def test_a_tree_grown_in_two_parts_is_the_tree_grown_at_once() -> None:
    game = sw.game("einstein:board=3")
    estimator, positions = HashEstimator(game, True), [walked(game, seed, 2) for seed in range(4)]
    whole = grown(positions, estimator, 90, steering(), "auto")
    parts = grown(positions, estimator, 40, steering(), "auto")
    parts.grow(50)
    for mine, other in zip(whole.trees, parts.trees, strict=True):
        for t, size in enumerate(whole.trees.size[:, 0]):
            if mine.shape[1] == 20_000:
                assert (mine[t, :size] == other[t, :size]).all()
    assert whole.choices().tolist() == parts.choices().tolist()


def test_a_tree_is_the_same_alone_among_others_and_in_threads() -> None:
    game = sw.game("einstein:board=3")
    estimator, positions = HashEstimator(game, True), [walked(game, seed, seed % 5) for seed in range(40)]
    chosen = []
    for threads in (1, 2):
        forest = Forest(game, estimator, steering(), 5000)
        forest.plant(game.batch(positions, threads=threads), streams(5, "test", 40))
        forest.grow(30)
        chosen.append((forest.choices().tolist(), forest.trees.links[:, 0, tree.VISITS].tolist()))
    assert chosen[0] == chosen[1]
    forest.plant(game.batch(positions[7:8]), streams(5, "test", 1, 7))
    forest.grow(30)
    assert forest.choices()[0] == chosen[0][0][7]


def test_a_forest_without_room_plays_on_and_one_without_any_is_refused() -> None:
    game = sw.game("othello:size=4")
    least = game.constants["MOST_MOVES"] + 1
    forest = grown([game.start()], HashEstimator(game, True), 200, steering(), "auto", nodes=least + 5)
    assert forest.trees.size[0, 0] <= least + 5
    assert forest.trees.links[0, 0, tree.VISITS] == 201
    assert int(forest.choices()[0]) in game.start().actions()
    with pytest.raises(sw.BadInput, match="at least"):
        Forest(game, HashEstimator(game, True), steering(), least - 1)
    with pytest.raises(sw.BadInput, match="othello:size=4"):
        forest.plant(sw.game("nim:stacks=1-2-3").batch(2), streams(1, "test", 2))


def test_games_that_are_over_have_no_choice() -> None:
    game = sw.game("nim:stacks=1-2-3")
    over = game.start()
    while not over.over:
        over = over.play(over.actions()[0])
    forest = grown([over, game.start()], HashEstimator(game, True), 20, steering(), "auto")
    assert forest.choices().tolist()[0] == -1
    assert forest.choices().tolist()[1] in game.start().actions()


def test_a_search_that_is_stopped_keeps_what_it_has_found() -> None:
    game, stop = sw.game("einstein:board=3"), Stop()
    estimator = HashEstimator(game, True)
    forest = Forest(game, estimator, steering(), 20_000)
    forest.plant(game.batch([game.start().roll(1)]), streams(1, "test", 1))
    threading.Timer(0.2, stop.set).start()
    forest.grow(10**9, stop)
    assert 0 < forest.done[0] < 10**9
    agent = sw.agent("mcts:iterations=1000000000,nodes=1000", sw.game("othello:size=6"))
    assert isinstance(agent, Mcts)
    agent.ready()
    stop, position = Stop(), agent.game.start()
    threading.Timer(0.2, stop.set).start()
    assert agent.turn(position, stop=stop).text in position.moves()
    assert agent.turn(position, stop=stop).text in position.moves()  # at once


def test_a_stop_ends_only_the_search_that_it_was_given_to() -> None:
    agent = sw.agent("mcts:iterations=400", sw.game("othello:size=6"))
    assert isinstance(agent, Mcts)
    position, rngs = agent.game.start(), streams(1, "test", 1)
    before = agent.choose_many(agent.game.batch([position]), rngs.copy()).tolist()
    visits = agent.memory.trees.links[0, 0, tree.VISITS]
    stop = Stop()
    stop.set()
    agent.turn(position, stop=stop)
    assert agent.memory.trees.links[0, 0, tree.VISITS] < visits
    assert agent.choose_many(agent.game.batch([position]), rngs.copy()).tolist() == before
    assert agent.memory.trees.links[0, 0, tree.VISITS] == visits


def test_a_stop_that_nobody_sets_changes_no_move() -> None:
    game = sw.game("othello:size=6")
    agent = sw.agent("mcts:iterations=50", game)
    assert isinstance(agent, Mcts)
    position = game.start()
    for _ in range(4):
        assert agent.turn(position, stop=Stop()).text == agent.choose(position)
        position = position.play(agent.choose(position))


def test_in_the_simulator_the_trees_are_those_of_the_cpu() -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, str(Path(__file__).parent / "forest_traces.py"), "cuda"]
    simulated = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert json.loads(simulated) == json.loads(json.dumps(traces("cpu")))


def by_estimate(game: sw.Game, priors: bool, **settings: Any) -> MctsByEstimate:
    return MctsByEstimate(game, MctsSettings(value="hash", **settings), HashEstimator(game, priors))


def test_an_agent_with_priors_chooses_for_many_boards_as_for_each_alone() -> None:
    game = sw.game("einstein:board=3")
    agent = by_estimate(game, True, iterations=40)
    assert agent.forest.rule == "puct"
    assert by_estimate(game, False).forest.rule == "uct"
    positions = [position for seed in range(9) if (position := walked(game, seed, seed)).mover >= 0]
    together = agent.choose_many(game.batch(positions), streams(2, "test", len(positions))).tolist()
    alone = [agent.turn(one, rng) for one, rng in zip(positions, streams(2, "test", len(positions)), strict=True)]
    assert together == [turn.steps[0][1] for turn in alone]


def test_several_trees_a_board_share_the_simulations_and_a_clock_ends_them() -> None:
    game = sw.game("einstein:board=3")
    agent, position = by_estimate(game, True, iterations=40, threads=4), game.start().roll(1)
    assert sum(move.visits or 0 for move in agent.analyse(position).moves) == 40
    assert agent.choose(position) in position.moves()
    clocked = by_estimate(game, True, milliseconds=30)
    clocked.ready()
    assert clocked.choose(position) in position.moves()
    assert clocked.forest.done[0] > 1


def test_trees_share_the_simulations_to_the_last_one() -> None:
    game = sw.game("einstein:board=4")
    position = game.start().roll(1)
    for iterations in (3, 10, 11):
        for agent in (
            by_estimate(game, True, iterations=iterations, threads=4),
            sw.agent(f"mcts:iterations={iterations},threads=4", game),
        ):
            assert sum(move.visits or 0 for move in agent.analyse(position).moves) == iterations
    assert share(10, 4, 0) == share(10, 4, 1) == 3
    assert share(10, 4, 2) == share(10, 4, 3) == 2


@pytest.mark.parametrize("threads", [1, 3])
def test_there_is_no_action_where_nobody_is_to_move(threads: int) -> None:
    game = sw.game("einstein:board=3")
    over = game.start()
    while not over.over:
        over = over.roll(over.rolls()[0]) if over.chance else over.play(over.actions()[0])
    batch = game.batch([game.start(), over, game.start().roll(1)])
    chosen = by_estimate(game, True, iterations=9, threads=threads).choose_many(batch, streams(1, "test", 3))
    assert chosen[:2].tolist() == [-1, -1]
    assert chosen[2] in game.start().roll(1).actions()
    forest = Forest(game, HashEstimator(game, True), steering(), 2000)
    forest.plant(batch, streams(1, "test", 3))
    forest.grow(9)
    assert forest.choices().tolist() == chosen.tolist() or threads > 1
    assert forest.choices()[:2].tolist() == [-1, -1]


def test_the_only_move_needs_no_search() -> None:
    game = sw.game("nim:stacks=1-2-3")
    estimator = HashEstimator(game, True)
    agent = MctsByEstimate(game, MctsSettings(value="hash", iterations=50), estimator)
    forced = game.parse("1-0-0 A")
    rngs = streams(1, "test", 2)
    before = rngs.copy()
    chosen = agent.choose_many(game.batch([forced, forced]), rngs)
    assert chosen.tolist() == forced.actions() * 2
    assert agent.turn(forced).steps[0][1] == forced.actions()[0]
    assert estimator.batches == []
    assert (rngs == before).all()
    agent.choose_many(game.batch([forced, game.start()]), rngs)
    assert estimator.batches
    assert (rngs[0] == before[0]).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_by_an_estimator_is_stopped_as_any_other(threads: int) -> None:
    game = sw.game("einstein:board=4")
    agent, position = by_estimate(game, True, iterations=10**8, nodes=2000, threads=threads), game.start().roll(1)
    agent.ready()
    stop = Stop()
    threading.Timer(0.2, stop.set).start()
    assert agent.turn(position, stop=stop).text in position.moves()
    assert agent.turn(position, stop=stop).text in position.moves()  # at once
    quick = by_estimate(game, True, iterations=30)
    assert quick.turn(position, stop=Stop()) == quick.turn(position)


def test_an_estimator_that_is_not_compiled_values_leaves_as_they_are() -> None:
    with pytest.raises(sw.BadInput, match="rollout"):
        by_estimate(sw.game("nim"), True, rollout=5)


def test_mcts_by_the_oracle_plays_nim_without_a_fault() -> None:
    game = sw.game("nim:stacks=1-2-3")
    agent = sw.agent("mcts:iterations=8,value=oracle", game)
    assert isinstance(agent, MctsByEstimate)
    oracle = sw.agent("oracle", game)
    position = game.start()
    while not position.over:
        best = oracle.analyse(position)
        taken = agent.turn(position).text
        assert {move.move: move.value for move in best.moves}[taken] == best.value
        position = position.play(taken)


@pytest.mark.parametrize("same", [True, False])
def test_the_benchmark_fails_where_both_devices_grow_different_trees(
    same: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmark = runpy.run_path(str(Path(__file__).parents[1] / "benchmarks" / "tree.py"))["main"]
    forests = {device: SimpleNamespace(done=np.ones(2), device=device) for device in ("cpu", "cuda")}
    said = {"cpu": [[1, 2], [3]], "cuda": [[1, 2], [3 if same else 4]]}
    monkeypatch.setitem(benchmark.__globals__, "grown", lambda name, device, *_: (forests[device], 1.0))
    monkeypatch.setitem(benchmark.__globals__, "visits", lambda forest: said[forest.device])
    monkeypatch.setitem(benchmark.__globals__, "arrays_of", lambda device: arrays_of("cpu"))
    monkeypatch.setattr(sys, "argv", ["tree.py", "nim"])
    if same:
        benchmark()
        assert "equal 100.0% of 2 trees" in capsys.readouterr().out
    else:
        with pytest.raises(SystemExit, match="The CPU and the GPU grow different trees: nim"):
            benchmark()


def test_the_benchmark_measures_one_tree_with_an_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "ROUND_SECONDS", 0.001)
    monkeypatch.setattr(bench, "SIMULATIONS", 100)
    row = bench.by_evaluation("othello", 1, 1)
    assert (row.name, row.unit, row.peer) == ("othello, value=hand", "simulations/s", "estimated outside")
    assert row.value > 0 < (row.peer_value or 0)
