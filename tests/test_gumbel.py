"""Gumbel selection and what self-play reads from a forest, against plain Python and the paper's laws."""

from __future__ import annotations

import math

import numpy as np
import pytest

import spielwerk as sw
from estimators import HashEstimator
from marks import slow
from reference_gumbel import GumbelTree, halving, improved_policy
from spielwerk.kernel.random import streams
from spielwerk.names import BadInput
from spielwerk.search.forest import Forest
from spielwerk.search.trees import gumbel, tree
from test_forest import by_estimate, check, steering, walked

GAMES = ["einstein:board=3", "othello:size=4", *slow("nim:stacks=1-2-3", "einstein:board=6,players=3")]

THREE_POINTS = "backgammon:checkers=3,scoring=full"


def planted(name: str, select: str = "gumbel", count: int = 3, priors: bool = True, scale: float = 1) -> Forest:
    game = sw.game(name)
    forest = Forest(game, HashEstimator(game, priors), steering(), 20_000, select, scale=scale)
    positions = [position for seed in range(3 * count) if (position := walked(game, seed, 2 + seed)).mover >= 0]
    forest.plant(game.batch(positions[:count]), streams(5, "test", count))
    return forest


def parts(forest: Forest, ragged: np.ndarray) -> list[np.ndarray]:
    """Ragged numbers, by position."""
    return np.split(ragged, forest.batch.actions().offsets[1:-1])


@pytest.mark.parametrize("name", [*GAMES, THREE_POINTS])
@pytest.mark.parametrize("noise", [False, True])
def test_every_tree_is_that_of_the_paper_in_plain_python_node_by_node(name: str, noise: bool) -> None:
    scale = 0.2 if name == THREE_POINTS else 1.0
    forest = planted(name, scale=scale)
    estimator = HashEstimator(forest.game, True)
    simulations, considered = np.array([150, 40, 7]), 5
    forest.search(simulations, considered, noise)
    drawn = streams(5, "test", 3)
    for t, position in enumerate(forest.batch.positions()):
        found = tree.Tree(*(array[t] for array in forest.trees))
        most = int(simulations[t]) if len(position.actions()) > 1 else 0
        given = [float(g) for g in found.noise[: len(position.actions())]]
        assert any(given) == noise
        for _ in given if noise else ():
            gumbel.gumbel_variate(drawn[t])
        plan = {"simulations": max(most, 1), "considered": considered, "scale": scale}
        reference = GumbelTree(position, drawn[t], estimator.of, noise=given, **plan)
        reference.grow(most)
        assert forest.done[t] == reference.done
        check(reference.root, 0, found.links, found.sums, found.priors)
        if reference.done:
            improved = improved_policy(reference.root.children, reference.scale)
            assert parts(forest, forest.policies())[t] == pytest.approx(improved)
            if reference.root.exact is None:
                assert forest.choices()[t] == reference.best(max(reference.taken.values())).action


@pytest.mark.parametrize(("simulations", "considered"), [(16, 16), (64, 16), (50, 7), (8, 4), (2, 2), (5, 1), (200, 3)])
def test_sequential_halving_makes_its_simulations_in_halving_phases(simulations: int, considered: int) -> None:
    planned = sw.game("nim").kernel(gumbel.planned_visits)
    order = [planned(done, simulations, considered) for done in range(simulations)]
    assert order == halving(simulations, considered)
    taken = [0] * considered
    for times in order:  # somebody's turn it always is
        taken[taken.index(times)] += 1
    assert max(taken) == taken[0]


def test_without_noise_a_search_draws_nothing_and_chooses_the_same_again() -> None:
    forest = planted("othello:size=4")
    first = (forest.search(20, noise=False), forest.choices().tolist())
    assert (forest.rngs == streams(5, "test", 3)).all()
    forest.plant(forest.batch, streams(6, "test", 3))
    assert (forest.search(20, noise=False), forest.choices().tolist()) == first


def test_with_noise_and_no_simulations_actions_are_drawn_from_the_priors() -> None:
    game, n = sw.game("nim:stacks=1-2-3"), 20_000
    estimator = HashEstimator(game, True)
    forest = Forest(game, estimator, steering(), 20, "gumbel")
    forest.plant(game.batch([game.start()] * n), streams(3, "test", n))
    forest.search(0)
    actions = game.start().actions()
    shares = [(forest.choices() == action).mean() for action in actions]
    priors = estimator.of(game.start())[1]
    assert priors is not None
    assert shares == pytest.approx(priors, abs=5 * math.sqrt(0.25 / n))
    noise = forest.trees.noise[:, : len(actions)]
    assert noise.mean() == pytest.approx(np.euler_gamma, abs=0.02)
    assert noise.std() == pytest.approx(math.pi / math.sqrt(6), abs=0.03)


def test_a_tree_with_one_legal_action_needs_no_simulation() -> None:
    game = sw.game("nim:stacks=1-2-3")
    estimator = HashEstimator(game, True)
    forest = Forest(game, estimator, steering(), 2000, "gumbel")
    forced = game.parse("1-0-0 A")
    forest.plant(game.batch([forced, game.start()]), streams(1, "test", 2))
    assert forest.search(10) == forest.done[1] == 10
    assert forest.choices()[0] == forced.actions()[0]
    assert forest.policies()[0] == 1
    assert forest.values()[0] == pytest.approx(estimator.of(forced)[0][0])


@pytest.mark.parametrize("select", ["gumbel", "puct", "uct"])
@pytest.mark.parametrize("name", ["einstein:board=3", *slow("othello:size=4")])
def test_policies_are_shares_of_the_legal_actions_in_ascending_order(name: str, select: str) -> None:
    forest = planted(name, select, priors=select != "uct")
    assert [part.sum() for part in parts(forest, forest.policies())] == pytest.approx([1] * 3)
    forest.grow(60)
    legal = forest.batch.actions()
    policies = parts(forest, forest.policies())
    assert [part.sum() for part in policies] == pytest.approx([1] * 3)
    assert (forest.policies() >= 0).all()
    if select == "gumbel":
        return
    for t, policy in enumerate(policies):
        found = forest.statistics(t).actions()
        actions = legal.values[legal.offsets[t] : legal.offsets[t + 1]]
        visits = [found[int(action)].visits for action in actions]
        assert policy == pytest.approx(np.array(visits) / sum(visits))
        assert forest.drawn(0.0)[t] == max(found, key=lambda action: found[action].visits)


def test_actions_are_drawn_in_proportion_to_a_power_of_their_visits() -> None:
    forest, n = planted("othello:size=4", "puct"), 4000
    forest.grow(40)
    _, links = forest.rngs, forest.trees.links[0]
    children = range(links[0, tree.FIRST], links[0, tree.FIRST] + links[0, tree.COUNT])
    weights = np.array([links[child, tree.VISITS] for child in children], float) ** 0.5
    drawn = np.array([forest.drawn(np.array([2.0, 0.0, 0.0]))[0] for _ in range(n)])
    shares = [(drawn == links[child, tree.ACTION]).mean() for child in children]
    assert shares == pytest.approx((weights / weights.sum()).tolist(), abs=5 * math.sqrt(0.25 / n))


@pytest.mark.parametrize("select", ["gumbel", "puct"])
def test_values_are_scores_of_the_mover_exact_where_proved(select: str) -> None:
    game = sw.game("nim:stacks=1-2-3")
    oracle = sw.agent("oracle", game)
    position = game.parse("0-2-3 A")
    forest = Forest(game, HashEstimator(game, True), steering(), 20_000, select)
    forest.plant(game.batch([position, position]), streams(1, "test", 2))
    assert forest.values().tolist() == pytest.approx([HashEstimator(game, True).of(position)[0][0]] * 2)
    forest.grow(np.array([100_000, 3]))
    assert forest.values()[0] == oracle.analyse(position).value
    reward = improved_mean(forest, 1) if select == "gumbel" else mean_of_simulations(forest, 1)
    assert forest.values()[1] == pytest.approx(2 * reward - 1, abs=1e-6)
    best = oracle.analyse(position).moves[0]
    assert position.play(int(forest.choices()[0])) == position.play(best.move) or best.value == -1


def mean_of_simulations(forest: Forest, t: int) -> float:
    """What the simulations of a tree brought on average."""
    return forest.trees.sums[t][0, tree.TOTAL] / (forest.trees.links[t][0, tree.VISITS] - 1)


def improved_mean(forest: Forest, t: int) -> float:
    """What a tree expects by its improved policy: of children that nobody has visited, what the others' priors mean."""
    links, sums, priors = forest.trees.links[t], forest.trees.sums[t], forest.trees.priors[t]
    children = links[0, tree.FIRST] + np.arange(links[0, tree.COUNT])
    visits, totals, exact = links[children, tree.VISITS], sums[children, tree.TOTAL], sums[children, tree.EXACT]
    known = np.where(exact <= 1, exact, totals / np.maximum(visits, 1))
    seen = (visits > 0) | (exact <= 1)
    mixed = (priors[children] * known)[seen].sum() / priors[children][seen].sum()
    offsets = np.concatenate([[0], np.cumsum(forest.trees.links[:, 0, tree.COUNT])])
    policy = forest.policies()[offsets[t] : offsets[t + 1]]
    return float(policy @ np.where(seen, known, mixed))


def test_the_value_of_a_search_that_tries_every_move_is_not_their_mean() -> None:
    game = sw.game("nim:stacks=4-5")
    forest = Forest(game, HashEstimator(game, True), steering(), 20_000, "gumbel")
    forest.plant(game.batch([game.start()]), streams(1, "test", 1))
    forest.search(9, considered=9)
    assert forest.values()[0] > 2 * mean_of_simulations(forest, 0) - 1
    assert forest.values()[0] == pytest.approx(2 * improved_mean(forest, 0) - 1, abs=1e-6)


def test_positions_without_a_mover_have_no_policy_and_no_action() -> None:
    game = sw.game("einstein:board=3")
    over = game.start()
    while not over.over:
        over = over.roll(over.rolls()[0]) if over.chance else over.play(over.actions()[0])
    forest = Forest(game, HashEstimator(game, True), steering(), 2000, "gumbel")
    forest.plant(game.batch([over, game.start(), game.start().roll(1)]), streams(1, "test", 3))
    forest.search(9)
    assert forest.choices()[:2].tolist() == forest.drawn(1.0)[:2].tolist() == [-1, -1]
    assert len(forest.policies()) == len(game.start().roll(1).actions())
    assert np.isfinite(forest.values()[1:]).all()


def test_what_cannot_be_planned_is_refused() -> None:
    game = sw.game("nim:stacks=1-2-3")
    with pytest.raises(sw.BadInput, match="priors"):
        Forest(game, HashEstimator(game, False), steering(), 2000, "gumbel")
    with pytest.raises(sw.BadInput, match="select=puct"):
        planted("nim:stacks=1-2-3", "puct").search(5)
    with pytest.raises(sw.BadInput, match="at least one"):
        planted("nim:stacks=1-2-3").search(5, 0)


def test_a_player_with_gumbel_selection_repeats_itself_and_needs_priors() -> None:
    game = sw.game("einstein:board=3")
    position = game.start().roll(1)
    player = by_estimate(game, True, iterations=24, select="gumbel", considered=4)
    assert player.choose(position) == player.choose(position)
    assert sum(move.visits or 0 for move in player.analyse(position).moves) == 24
    parallel = by_estimate(game, True, iterations=24, select="gumbel", threads=3)
    assert parallel.choose(position) in position.moves()
    clocked = by_estimate(game, True, milliseconds=20, select="gumbel")
    assert clocked.choose(position) in position.moves()
    for refused in (lambda: by_estimate(game, False, select="gumbel"), lambda: sw.agent("mcts:select=gumbel", game)):
        with pytest.raises(sw.BadInput, match="needs a value with priors"):
            refused()


@pytest.mark.parametrize(
    "name", ["mcts:considered=3", "mctse:select=uct,considered=3", "alphazero:run,select=puct,considered=3"]
)
def test_nothing_is_considered_without_gumbel(name: str) -> None:
    with pytest.raises(BadInput, match="considered has no effect without select=gumbel"):
        sw.agent(name, "nim")


@pytest.mark.parametrize("name", ["mcts:select=gumbel,k=2", "alphazero:run,k=2"])
def test_gumbel_has_no_exploration_constant(name: str) -> None:
    with pytest.raises(BadInput, match="k has no effect with select=gumbel"):
        sw.agent(name, "nim")
