"""Monte Carlo search: its trees, what it proves, and how it converges."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import spielwerk as sw
from marks import slow
from spielwerk.agents.mc import MonteCarlo
from spielwerk.agents.mcts import Mcts
from spielwerk.arena.playing.boards import Boards
from spielwerk.games.position import Position
from spielwerk.kernel.random import stream, streams
from spielwerk.search.trees import tree


def searched(game: sw.Game, name: str, position: Position, seed: int = 1) -> Mcts:
    agent = sw.agent(name, game)
    assert isinstance(agent, Mcts)
    agent.search.grow(position.state, stream(seed, "test"))
    return agent


def rolled(game: sw.Game) -> list[tuple[float, Position]]:
    return [(share, game.start().roll(outcome)) for outcome, share in game.start().outcomes()]


@pytest.mark.parametrize("chance", ["exact", "sample"])
def test_chance_nodes_converge_to_the_exact_expectation_on_einstein_3x3(chance: str) -> None:
    game = sw.game("einstein:board=3")
    value = 0.0
    for share, position in rolled(game):
        analysis = sw.agent(f"mcts:iterations=150000,chance={chance}", game).analyse(position)
        assert analysis.value is not None
        value += share * analysis.value
    assert (1 + value) / 2 == pytest.approx(float(Fraction(170, 243)), abs=1e-9)


@cache
def exact_value(position: Position) -> float:
    """The mover's (at a chance node: the roller's) expected score under best play, by plain recursion."""
    if position.chance:
        mine = [(share, position.roll(outcome)) for outcome, share in position.outcomes()]
        return sum(share * exact_value(after) for share, after in mine)
    return max(after_value(position.play(action), position.mover) for action in position.actions())


def after_value(after: Position, player: int) -> float:
    if after.scores is not None:
        return after.scores[player]
    acting = after.roller if after.chance else after.mover
    return exact_value(after) if acting == player else -exact_value(after)


def test_proven_values_are_those_of_plain_recursion() -> None:
    game = sw.game("nim:stacks=1-2-3")
    for seed in range(20):
        position = game.start()
        rng = np.random.default_rng(seed)
        for _ in range(int(rng.integers(3))):
            position = position.play(int(rng.choice(position.actions())))
        if position.over:
            continue
        agent = searched(game, "mcts:iterations=5000", position, seed)
        known = agent.memory.trees.sums[0, 0, tree.EXACT]
        assert 2 * known - 1 == exact_value(position)
        for action, found in agent.search.statistics.actions().items():
            if found.exact <= 1:
                assert 2 * found.exact - 1 == after_value(position.play(action), position.mover)


def test_nim_is_played_by_the_nimbers() -> None:
    game = sw.game("nim:stacks=3-4-5,misere=false")
    agent = sw.agent("mcts:iterations=100000", game)
    position = game.start()
    while not position.over:
        stacks = position.words[1:]
        won = stacks[0] ^ stacks[1] ^ stacks[2] != 0
        position = position.play(agent.choose(position))
        stacks = position.words[1:]
        assert not won or stacks[0] ^ stacks[1] ^ stacks[2] == 0


def test_a_visit_is_counted_once_on_every_level() -> None:
    game = sw.game("morris")
    agent = searched(game, "mcts:iterations=3000", game.start())
    size = int(agent.memory.trees.size[0, 0])
    links, sums = agent.memory.trees.links[0, :size], agent.memory.trees.sums[0, :size]
    assert links[0, tree.VISITS] == 3001
    for node in range(size):
        first, count = links[node, tree.FIRST], links[node, tree.COUNT]
        if count:
            assert links[first : first + count, tree.VISITS].sum() == links[node, tree.VISITS] - 1
            assert sorted(links[first : first + count, tree.ACTION]) == sorted(
                set(links[first : first + count, tree.ACTION])
            )
    assert (sums[:, tree.TOTAL] <= links[:, tree.VISITS]).all()


def test_outcomes_are_visited_in_the_proportion_of_their_weights() -> None:
    game = sw.game("backgammon")
    position = game.start().roll("2-1")
    agent = searched(game, "mcts:iterations=4000,k=0.1", position)
    links = agent.memory.trees.links[0]
    nodes = range(agent.memory.trees.size[0, 0])
    most = max((node for node in nodes if links[node, tree.WHOLE]), key=lambda node: links[node, tree.VISITS])
    first, count = links[most, tree.FIRST], links[most, tree.COUNT]
    visits, weights = links[first : first + count, tree.VISITS], links[first : first + count, tree.WEIGHT]
    due = visits.sum() * weights / weights.sum()
    assert visits.sum() > 50
    assert np.abs(visits - due).max() <= 2


@pytest.mark.parametrize("name", ["morris", "othello:size=6", "nim", "einstein:board=3", "backgammon"])
def test_the_least_search_plays_a_legal_move(name: str) -> None:
    game = sw.game(name)
    position = game.start().roll(game.start().outcomes()[0][0]) if game.start().chance else game.start()
    least = game.constants["MOST_MOVES"] + 1
    for settings in ("iterations=1", "iterations=2,threads=2", "iterations=1,threads=3", f"nodes={least}"):
        agent = sw.agent(f"mcts:{settings}", game)
        for seed in range(3):
            assert agent.choose(position, stream(seed, "test")) in position.moves()
    with pytest.raises(sw.BadInput, match="at least"):
        sw.agent(f"mcts:nodes={least - 1}", game)


def test_the_mean_of_a_roll_is_the_mean_of_its_outcomes_also_where_some_are_known() -> None:
    game = sw.game("einstein:board=4")
    errors = []
    for seed in range(30):
        position = drawn(game, 8, seed)
        if not position.over:
            agent = searched(game, "mcts:iterations=3000", position)
            trees = agent.memory.trees
            size = int(trees.size[0, 0])
            errors += errors_of_rolls(trees.links[0, :size], trees.sums[0, :size])
    assert len(errors) > 50
    assert np.mean(errors) < 0.03


def drawn(game: sw.Game, steps: int, seed: int) -> Position:
    """A decision after so many random actions and rolls, or the end."""
    rng, position = np.random.default_rng(seed), game.start()
    while not position.over and (steps > 0 or position.chance):
        step = position.roll if position.chance else position.play
        choices = [outcome for outcome, _ in position.outcomes()] or position.actions()
        position, steps = step(int(rng.choice(choices))), steps - 1
    return position


def errors_of_rolls(links: np.ndarray, sums: np.ndarray) -> list[float]:
    """How far the mean of each roll of which some outcomes are known is from the mean of its outcomes."""
    errors = []
    for node, (first, count) in enumerate(links[:, [tree.FIRST, tree.COUNT]]):
        rows = slice(first, first + count)
        known = sums[rows, tree.EXACT] <= 1
        if links[node, tree.WHOLE] and links[node, tree.VISITS] >= 100 and known.any() and sums[node, tree.EXACT] > 1:
            visits = np.maximum(links[rows, tree.VISITS], 1)
            means = np.where(known, sums[rows, tree.EXACT], sums[rows, tree.TOTAL] / visits)
            errors.append(abs(sums[node, tree.TOTAL] / links[node, tree.VISITS] - means.mean()))
    return errors


def test_what_closes_a_turn_is_searched_even_where_the_tree_ends() -> None:
    game = sw.game("morris")
    position = game.start()
    for move in ("a7", "d2", "d7", "f2"):
        position = position.play(move)
    analysis = sw.agent("mcts:iterations=3000,tree=1", game).analyse(position)
    assert analysis.moves[0].move.startswith("g7x")
    assert analysis.moves[0].visits


def test_a_tree_never_outgrows_its_nodes() -> None:
    game = sw.game("othello:size=6")
    agent = searched(game, "mcts:iterations=5000,nodes=200", game.start())
    assert agent.memory.trees.size[0, 0] <= 200
    assert agent.memory.trees.links.shape[1] == 200
    assert agent.memory.trees.links[0, 0, tree.VISITS] == 5001


def test_memory_is_used_again_for_the_next_decision() -> None:
    game = sw.game("othello:size=6")
    agent = sw.agent("mcts:iterations=200", game)
    assert isinstance(agent, Mcts)
    before = [array.ctypes.data for array in agent.memory.trees]
    position = game.start()
    for _ in range(4):
        position = position.play(agent.choose(position))
    assert [array.ctypes.data for array in agent.memory.trees] == before


def test_search_runs_guarded_as_plain_python_with_the_same_result() -> None:
    compiled, plain = (sw.game("einstein:board=3", target=target) for target in ("cpu", "python"))
    for share, position in rolled(compiled):
        assert share
        same = plain.parse(str(position))
        for name in (
            "mcts:iterations=60",
            "mctse:iterations=60",
            "mc:iterations=5",
            "mcts:iterations=60,nodes=10",
            "mcts:iterations=60,select=puct",
        ):
            moves = [
                sw.agent(name, game).choose(here, stream(3, "test"))
                for game, here in ((compiled, position), (plain, same))
            ]
            assert moves[0] == moves[1]


def test_two_trees_share_the_simulations() -> None:
    game = sw.game("nim")
    agent = sw.agent("mcts:iterations=1001,threads=2", game)
    assert isinstance(agent, Mcts)
    assert agent.search.grow(game.start().state, stream(1, "test")) == 1001
    visits = [found.visits for found in agent.search.statistics.actions().values()]
    assert sum(visits) == 1001
    assert agent.choose(game.start()) in game.start().moves()


def test_a_clock_stops_the_search() -> None:
    game = sw.game("othello")
    agent = sw.agent("mcts:milliseconds=50", game)
    assert isinstance(agent, Mcts)
    agent.choose(game.start())
    short = agent.search.grow(game.start().state, stream(1, "test"))
    longer = sw.agent("mcts:milliseconds=500", game)
    assert isinstance(longer, Mcts)
    assert longer.search.grow(game.start().state, stream(1, "test")) > 2 * short > 20


@pytest.mark.parametrize(
    "name", ["morris", "einstein:board=4,players=4", *slow("einstein:board=6,players=3", "backgammon")]
)
def test_mcts_and_mc_beat_the_random_mover(name: str) -> None:
    from spielwerk.arena.playing.block import play_block
    from spielwerk.arena.playing.plan import Plan, gains

    game = sw.game(name)
    for agent in ("mcts:iterations=60", "mc:iterations=10"):
        plan = Plan(game.name, (agent, "random"), 24)
        block = play_block(plan, game, [sw.agent(agent, game), sw.agent("random", game)], 0, 24)
        assert gains(game, plan.seats(game, 0, 24), block.scores)[1].mean() > 0.6


def test_the_turns_of_an_analysis_are_all_turns() -> None:
    game = sw.game("backgammon")
    position = game.start().roll("2-1")
    double = position.play(position.moves()[0]).roll("1-1")
    for name in ("mcts:iterations=300", "mc:iterations=2"):
        analysis = sw.agent(name, game).analyse(double)
        assert sorted(move.move for move in analysis.moves) == sorted(double.moves())


def test_monte_carlo_prefers_the_mate_in_one() -> None:
    game = sw.game("einstein:board=3")
    for share, position in rolled(game):
        assert share
        agent = sw.agent("mc:iterations=50", game)
        assert isinstance(agent, MonteCarlo)
        values = {move.move: move.value for move in agent.analyse(position).moves}
        wins = [move for move in position.moves() if position.play(move).over]
        assert all(values[move] == 1 for move in wins)


def test_cut_playouts_ask_the_evaluation() -> None:
    game = sw.game("nim:stacks=9-9-9")
    for name in ("mc:iterations=3,rollout=1", "mcts:iterations=50,rollout=1", "mctse:iterations=50,rollout=2"):
        analysis = sw.agent(name, game).analyse(game.start())
        assert all(move.value in (None, 0.0) for move in analysis.moves)


@pytest.mark.parametrize(
    "name",
    [
        "mcts:iterations=0",
        "mcts:k=-1",
        "mcts:threads=0",
        "mcts:nodes=0",
        "mc:iterations=0",
        "mc:rollout=-1",
        "mcts:value=x",
    ],
)
def test_settings_that_make_no_sense_are_refused(name: str) -> None:
    with pytest.raises(sw.BadInput):
        sw.agent(name, "nim")


def test_boards_of_a_batch_do_not_disturb_each_other() -> None:
    game = sw.game("einstein:board=3")
    agent = sw.agent("mcts:iterations=30", game)
    dice, rngs = streams(1, "dice", 20), streams(1, "moves", 20)
    whole = Boards(game, np.zeros((20, 2), np.int64), dice.copy(), rngs.copy(), 500)
    agent.advance(whole, 0)
    for i in range(20):
        one = Boards(game, np.zeros((1, 2), np.int64), dice[i : i + 1].copy(), rngs[i : i + 1].copy(), 500)
        agent.advance(one, 0)
        assert one.traces()[0] == whole.traces()[i]
