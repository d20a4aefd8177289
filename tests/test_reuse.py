"""Trees that go on with the subtree of the position that was played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from estimators import HashEstimator
from marks import slow
from spielwerk.kernel.random import streams
from spielwerk.search.forest import Forest
from spielwerk.search.trees import tree
from spielwerk.search.trees.selection import GUMBEL
from test_forest import steering, walked

RULES = ["gumbel", "puct", "uct"]
OWN = [tree.ACTION, tree.VISITS, tree.WEIGHT, tree.WHOLE, tree.DRAWN, tree.COUNT]


def planted(name: str, select: str, count: int = 8, nodes: int = 20_000) -> Forest:
    game = sw.game(name)
    forest = Forest(game, HashEstimator(game, select != "uct"), steering(), nodes, select)
    positions = [position for seed in range(3 * count) if (position := walked(game, seed, seed % 5)).mover >= 0]
    forest.plant(game.batch(positions[:count]), streams(5, "test", count))
    return forest


def below(forest: Forest, t: int, node: int) -> list[Any]:
    """A node and all below it, without where they lie."""
    links = forest.trees.links[t]
    priors = forest.trees.priors[t, node].item() if forest.trees.priors.shape[1] else 0
    first = links[node, tree.FIRST]
    children = [below(forest, t, child) for child in range(first, first + links[node, tree.COUNT])]
    return [links[node, OWN].tolist(), forest.trees.sums[t, node].tolist(), priors, children]


def after(forest: Forest, t: int, *steps: int) -> int:
    """The node that these actions and outcomes lead to."""
    node = 0
    for step in steps:
        links = forest.trees.links[t]
        first = links[node, tree.FIRST]
        (node,) = (c for c in range(first, first + links[node, tree.COUNT]) if links[c, tree.ACTION] == step)
    return node


@pytest.mark.parametrize("select", RULES)
@pytest.mark.parametrize("name", ["othello:size=4", *slow("einstein:board=6,players=3")])
def test_an_advanced_tree_is_the_subtree_it_was(name: str, select: str) -> None:
    forest = planted(name, select)
    forest.grow(120)
    chosen = forest.drawn(0.0)
    rolls = np.full(len(chosen), -1)
    moved = forest.batch.copy()
    moved.play(chosen)
    for t, position in enumerate(moved.positions()):
        if position.chance:
            rolls[t] = position.outcomes()[t % len(position.outcomes())][0]
    moved.roll(rolls)
    before = []
    for t, position in enumerate(moved.positions()):
        steps = [int(step) for step in (chosen[t], rolls[t]) if step >= 0]
        before.append(below(forest, t, after(forest, t, *steps)) if not position.over else None)
    forest.advance(moved, chosen)  # the rolls are found by the positions
    kept = 0
    for t, expected in enumerate(before):
        found = below(forest, t, 0)
        if expected is None or sum(child[0][1] for child in expected[3]) == 0:
            assert found[0][1] == 1  # a new tree
            continue
        kept += 1
        assert found[3] == expected[3]
        assert found[0][1] == expected[0][1]
        visits, totals = (sum(child[i][j] for child in found[3]) for i, j in ((0, 1), (1, 0)))
        reward = found[1][1] if found[1][1] <= 1 else totals / visits
        if forest.rule != GUMBEL or reward == found[1][1]:  # whose value is not the mean of the simulations
            assert forest.values()[t] == pytest.approx((2 * reward - 1) * forest.game.constants["BEST"])
    assert kept > 3
    assert forest.done.tolist() == [0] * len(chosen)
    forest.grow(30)
    assert (forest.done <= 30).all()
    assert max(forest.done) == 30


def test_what_was_proved_is_proved_for_the_next_mover() -> None:
    game = sw.game("nim:stacks=1-2-3")
    oracle, position = sw.agent("oracle", game), game.start()
    forest = Forest(game, HashEstimator(game, True), steering(), 20_000, "gumbel")
    forest.plant(game.batch([position]), streams(1, "test", 1))
    forest.grow(100_000)
    while not position.over:
        assert forest.values()[0] == oracle.analyse(position).value
        chosen = forest.choices()
        position = position.play(int(chosen[0]))
        forest.advance(game.batch([position]), chosen)
        forest.grow(100_000)


@pytest.mark.parametrize("select", ["gumbel", "puct"])
def test_self_play_with_reuse_always_reads_policies_of_the_legal_actions(select: str) -> None:
    game, n = sw.game("einstein:board=3"), 12
    forest = Forest(game, HashEstimator(game, True), steering(), 300, select)
    batch, restarted = game.batch(n, seed=3), 0
    batch.roll()
    forest.plant(batch, streams(1, "self-play", n))
    for _ in range(30):
        if select == "gumbel":
            forest.search(np.where(np.arange(n) % 2, 16, 4), considered=4)
        else:
            forest.add_noise(0.5, 0.25)
            forest.grow(16)
        legal, policies = batch.actions(), forest.policies()
        assert len(policies) == len(legal.values)
        assert np.bincount(legal.owners, policies) == pytest.approx(np.ones(n), abs=1e-5)
        assert np.isfinite(forest.values()).all()
        chosen = forest.choices() if select == "gumbel" else forest.drawn(1.0)
        batch.play(chosen)
        restarted += int(batch.restart().sum())
        batch.roll()
        forest.advance(batch, chosen)
        assert (forest.trees.size[:, 0] <= 300).all()
    assert restarted > 5


def test_a_board_that_stays_keeps_its_tree_and_one_elsewhere_gets_a_new_one() -> None:
    forest = planted("othello:size=4", "puct", count=3)
    forest.grow(50)
    whole, positions = below(forest, 0, 0), forest.batch.positions()
    actions = [position.actions()[0] for position in positions]
    moved = forest.game.batch([positions[0], positions[1].play(actions[1]), positions[0]])
    forest.advance(moved, np.array([[-1, -1], [actions[1], -1], [actions[2], -1]]))
    assert below(forest, 0, 0) == whole
    fresh = planted("othello:size=4", "puct", count=3)
    fresh.plant(forest.game.batch([positions[0]]), streams(5, "test", 1))
    assert below(forest, 2, 0) == below(fresh, 0, 0)
    with pytest.raises(sw.BadInput, match="3 trees"):
        forest.advance(moved, np.array([1, 2]))
