"""The general solver: against the special ones, plain definitions, closed forms; its tables and its limits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import heap_game
import spielwerk as sw
import test_depth
from graph_game import BLOCK, BLOCKS, graph_game, ruin
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.games.rules import OVER
from spielwerk.solvers.general import iteration
from spielwerk.solvers.general import oracle as general
from spielwerk.solvers.general.oracle import GeneralOracle, Settings, solve, truth_of
from spielwerk.solvers.general.solution import path_of
from spielwerk.solvers.general.solver import GeneralSolver, starts
from spielwerk.solvers.oracle import Truth, oracle, truth_after

pytestmark = pytest.mark.usefixtures("home")


def solved(game: Game, most: int = 1_000_000) -> GeneralSolver:
    solver = GeneralSolver(game, most, 1.0)
    solver.add(starts(game, most))
    return solver


def truths(solver: GeneralSolver, step: int = 1) -> Iterator[tuple[Position, Truth]]:
    """Every position (or every so many) that is not over, and what the solver says."""
    for index in range(0, solver.positions, step):
        position = Position(solver.game, solver.store.states[index])
        if not position.over:
            yield position, truth_of(position, solver.store.values[index], int(solver.store.turns[index]))


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("nim", 1),
        ("nim:stacks=3-4-5", 1),
        ("nim:stacks=4-4,misere=false,sizes=random", 1),
        ("nim:stacks=8-8-8,simple=true", 1),
        ("einstein:board=3", 17),
        ("othello:size=4", 29),
        ("othello:size=4,scoring=discs", 29),
    ],
)
def test_it_says_what_the_special_solver_says(name: str, step: int) -> None:
    game = sw.game(name)
    special = oracle(game)
    for position, truth in truths(solved(game), step):
        expected = special.truth(position)
        assert expected is not None
        assert truth.value == pytest.approx(expected.value, abs=1e-12)
        assert expected.distance in (None, truth.distance)


def plainly(game: Game) -> dict[int, tuple[float, int]]:
    """For each node the score of player 0 and the turns to the end, by ever longer games; unfinished ones are drawn."""
    owner, ways, score = (game.constants[name].tolist() for name in ("OWNER", "NEXT", "SCORE"))
    known = {node: (score[node] if owner[node] == OVER else 0.0, 0) for node in range(len(owner))}
    for _ in range(4 * BLOCK):
        after = dict(known)
        for node, who in enumerate(owner):
            if who != OVER:
                options = [(known[way][0], known[way][1] + (owner[way] != who)) for way in ways[node]]
                sign = 1 - 2 * who
                after[node] = max(options, key=lambda one, sign=sign: (sign * one[0], _hurry(sign * one[0], one[1])))
        known = after
    return known


def _hurry(value: float, turns: int) -> int:
    return -turns if value > 0 else turns if value < 0 else 0


def test_where_positions_repeat_endless_play_is_a_draw_and_the_others_have_their_scores() -> None:
    game = graph_game()
    expected, seen = plainly(game), set()
    for position, truth in truths(solved(game)):
        value, turns = expected[position.words[0]]
        value = value if position.mover == 0 else -value
        assert truth == Truth(value, turns if value else None)
        seen.add(truth.value)
    assert seen == {-1.0, -0.5, 0.0, 0.5, 1.0}


def test_what_is_added_later_agrees_with_what_is_solved_at_once() -> None:
    game = graph_game()
    whole, later = solved(game), GeneralSolver(game, 1_000_000, 1.0)
    for block in range(BLOCKS):
        for node in (block * BLOCK + 7, block * BLOCK):
            later.add([np.array([node])])
    for position, truth in truths(whole):
        index = later.find(position.state)
        assert truth == truth_of(position, later.store.values[index], int(later.store.turns[index]))


def test_chance_and_repetition_give_the_gambler_what_theory_says() -> None:
    goal = 12
    solver = solved(ruin(goal))
    assert solver.positions == 2 * (goal - 1) + 2  # before and after each roll, and two ends, each once
    for position, truth in truths(solver):
        share = (1 - 1.5 ** position.words[0]) / (1 - 1.5**goal)
        assert truth.value == pytest.approx(2 * share - 1, abs=1e-9)
        assert truth.distance is None


def test_of_three_sides_each_takes_what_is_best_for_itself() -> None:
    game = heap_game.made()
    expected = test_depth.plainly(test_depth.unknown)
    for position, truth in truths(solved(game)):
        scores = expected(position, 100)
        assert truth == Truth(scores[position.mover], None, scores)
        for turn in position.turns():
            after = truth_after(GeneralOracle(game), turn.end, position.mover)
            assert after is not None
            assert after.value == expected(turn.end, 100)[position.mover]


def test_the_kernels_also_run_as_plain_python() -> None:
    nim = sw.game("nim:stacks=2-3", target="python")
    for position, truth in truths(solved(nim, 1000)):
        assert truth == oracle(nim).truth(position)
    plain, compiled = (solved(graph_game(1, target), 3000) for target in ("python", "cpu"))
    assert [truth for _, truth in truths(plain)] == [truth for _, truth in truths(compiled)]


def test_a_table_is_written_once_and_read_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, seen = graph_game(), []
    facts = solve(game, Settings(), lambda done, total: seen.append((done, total)))
    assert facts["states"] == solved(game).positions
    assert seen[-1][0] == facts["states"] <= seen[-1][1]
    (path,) = (home / "tables").rglob("*.table")
    monkeypatch.setattr(general, "QUICK", 1)
    assert solve(game, Settings(), lambda done, total: None) == facts
    known = GeneralOracle(game)
    assert known.complete
    for position, truth in truths(solved(game)):
        assert known.truth(position) == truth
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    path.write_bytes(data)
    with pytest.raises(sw.BadInput, match="is damaged"):
        GeneralOracle(game).ready()


def test_changed_rules_are_not_answered_from_an_old_table() -> None:
    assert path_of(graph_game(1)) == path_of(graph_game(1))
    assert path_of(graph_game(1)) != path_of(graph_game(2))


def test_a_position_that_does_not_follow_from_the_start_is_solved_when_it_is_asked_about() -> None:
    game = sw.game("nim:stacks=3-4-5")
    known = GeneralOracle(game)
    position = game.parse("3-4-5 B")  # A begins
    assert known.known.find(position.state) < 0
    assert known.truth(position) == oracle(game).truth(position)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (Settings(positions=100), "More than 100 positions: graphs is too large for this."),
        (
            Settings(memory=0.001),
            r"More than [\d,]+ positions, as many as 1.0 MB of memory hold: othello:size=4 is too",
        ),
    ],
)
def test_a_game_that_is_too_large_gets_one_sentence(settings: Settings, sentence: str) -> None:
    game = graph_game() if settings.positions == 100 else sw.game("othello:size=4")
    with pytest.raises(sw.BadInput, match=sentence):
        solve(game, settings, lambda done, total: None)


def test_without_a_table_a_large_game_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(general, "QUICK", 100)
    with pytest.raises(sw.BadInput, match='graphs is too large to be solved at once; "spielwerk solve graphs"'):
        GeneralOracle(graph_game()).ready()


def test_the_starts_that_a_game_lists_are_all_solved() -> None:
    game = sw.game("nim:stacks=22-22-22,sizes=random,misere=false")  # 10,648 starts, more than draws
    assert len(starts(game, 10**6)) == len(list(game.starts())) == 22**3
    facts = solve(game, Settings(), lambda done, total: None)
    assert facts["starts"] == 22**3
    assert len(starts(sw.game("nim:stacks=64-64-64-64-64-64-64-64,sizes=random"), 1000)) == 1001  # of 64^8


def test_values_that_do_not_settle_are_blamed_on_what_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iteration, "SWEEPS", 5)
    with pytest.raises(sw.BadInput, match="The values of ruin have not converged after 5 sweeps: its games last"):
        solved(ruin(50))
    assert "with more than two sides" in str(iteration.unsettled(heap_game.made()))
