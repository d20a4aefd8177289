"""Tree search that counts nodes as the thesis on EinStein does, and search that proves nothing."""

from __future__ import annotations

import numpy as np
import pytest

import spielwerk as sw
from estimators import HashEstimator
from reference_tree import ReferenceTree
from spielwerk.agents.mcts import Mcts
from spielwerk.kernel.random import stream, streams
from spielwerk.search.forest import Forest
from spielwerk.search.playout import NO_LIMIT
from spielwerk.search.trees import tree
from spielwerk.search.trees.tree import Steering
from test_forest import check, walked

GAMES = ["einstein:board=3", "einstein:board=4,players=4", "othello:size=4"]


def tried(agent: Mcts) -> int:
    """Actions that simulations have tried: visited nodes that no roll led to, but for the root."""
    trees = agent.memory.trees
    links = trees.links[0, 1 : trees.size[0, tree.NODES]]
    return int(((links[:, tree.WEIGHT] == 0) & (links[:, tree.VISITS] > 0)).sum())


def searched(name: str, agent: str) -> Mcts:
    game = sw.game(name)
    searcher, start = sw.agent(agent, game), game.start()
    assert isinstance(searcher, Mcts)
    position = start.roll(start.outcomes()[0][0]) if start.chance else start
    searcher.search.grow(position.state, stream(1, "test"))
    return searcher


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("proof", "most"), [(False, 12), (False, 40), (True, 12), (False, 0)])
def test_a_tree_with_counted_actions_is_that_of_a_plain_python_search(name: str, proof: bool, most: int) -> None:
    game, simulations = sw.game(name), 150
    estimator = HashEstimator(game, False)
    positions = [walked(game, seed, 2 * seed) for seed in range(3)]
    forest = Forest(game, estimator, Steering(0, NO_LIMIT, False, False, NO_LIMIT, False, 0.5, proof, most), 20_000)
    forest.plant(game.batch(positions), streams(5, "test", 3))
    forest.grow(simulations)
    for t, (position, rng) in enumerate(zip(positions, streams(5, "test", 3), strict=True)):
        reference = ReferenceTree(position, rng, estimator.of, proof=proof, most_tried=most or np.inf)
        reference.grow(simulations)
        assert forest.done[t] == reference.done
        assert check(reference.root, 0, forest.trees.links[t], forest.trees.sums[t], forest.trees.priors[t]) > 1
        assert not most or forest.trees.size[t, tree.TRIED] == reference.tried <= most


@pytest.mark.parametrize("most", [50, 450, 550])
def test_the_limit_of_actions_tried_is_reached_and_never_passed(most: int) -> None:
    agent = searched("einstein", f"mctse:iterations=2000,nodes={most},count=actions,proof=false")
    assert tried(agent) == agent.memory.trees.size[0, tree.TRIED] == most
    assert agent.memory.trees.links[0, 0, tree.VISITS] == 2001


def test_ten_times_as_many_children_do_not_limit_the_actions_tried() -> None:
    agent = searched("einstein", "mctse:iterations=2000,nodes=4500,proof=false")
    assert agent.memory.trees.size[0, tree.NODES] < 4500
    assert tried(agent) > 550


def test_a_limit_that_is_never_reached_changes_nothing() -> None:
    found = [searched("einstein", f"mctse:iterations=500{more}") for more in ("", ",count=actions,nodes=5000")]
    size = found[0].memory.trees.size[0, tree.NODES]
    links, others = (agent.memory.trees.links[0, :size] for agent in found)
    assert found[1].memory.trees.size[0, tree.NODES] == size
    assert (links == others).all()


def test_without_proof_no_value_is_certain_and_no_search_ends_early() -> None:
    for proof in ("true", "false"):
        agent = searched("nim:stacks=1-2", f"mcts:iterations=500,proof={proof}")
        trees = agent.memory.trees
        known = trees.sums[0, : trees.size[0, tree.NODES], tree.EXACT] <= 1.0
        assert known.any() == (proof == "true")
        assert (trees.links[0, 0, tree.VISITS] == 501) == (proof == "false")


def test_actions_are_only_counted_where_all_of_them_are_tried() -> None:
    with pytest.raises(sw.BadInput, match="count=actions needs select=uct"):
        sw.agent("mcts:count=actions,select=puct", "nim")
