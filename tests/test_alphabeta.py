"""Alpha-beta: plain minimax, forced wins, exact theory, Othello endings, the clock, and the evaluations' laws."""

from __future__ import annotations

from functools import cache, reduce
from itertools import product
from operator import xor
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.agents.alphabeta import AlphaBeta
from spielwerk.arena.grading.grade import answers, grade
from spielwerk.arena.grading.judged import Question, questions
from spielwerk.games import nim
from spielwerk.games.evaluation import evaluate, evaluation
from spielwerk.games.face import Face
from spielwerk.games.face import nim as nim_face
from spielwerk.games.laws import random_walk
from spielwerk.games.nim import STACKS
from spielwerk.games.rules import TEAM
from variants import random_positions

MOVING = "O*O***@*/O*@****@/O***@*O* b m s 5 0 4 0"
PLACING = "O@O*****/@*O****O/O@**O@@@ b p p 6 2 6 3"
WINNING = "OO******/O*******/@**@*@** w m s 3 0 3 0"  # by a mill, and taking one of the last three men


@pytest.fixture(scope="module")
def judged(refs: Path) -> list[Question]:
    """Every third judged position. The evaluation was fitted on every second one of the file, the first included."""
    return [read() for read in questions(sw.game("morris"), refs / "morris" / "judged.jsonl.gz", 4000)]


def minimax(position: sw.Position, player: int, depth: int, value: str) -> float:
    """What `player` can expect, by trying everything."""
    if position.scores:
        return position.scores[player]
    if depth == 0:
        chosen = evaluation(position.game, value)
        return position.game.kernel(evaluate, **chosen.bindings)(position.state, player, chosen.data)
    values = [minimax(turn.end, player, depth - 1, value) for turn in position.turns()]
    teams = position.game.constants["TEAM"]
    return max(values) if teams[position.mover] == teams[player] else min(values)


@pytest.mark.parametrize(("text", "depth"), [(MOVING, 1), (MOVING, 2), (MOVING, 3), (PLACING, 2), (WINNING, 2)])
def test_the_value_of_each_turn_is_that_of_plain_minimax(text: str, depth: int) -> None:
    position = sw.game("morris").parse(text)
    found = sw.agent(f"alphabeta:depth={depth}", "morris").analyse(position)
    for turn in found.moves:
        after = position.play(turn.move)
        assert turn.value == pytest.approx(minimax(after, position.mover, depth - 1, "hand"), abs=1e-8), turn.move
    assert found.value == found.moves[0].value == max(turn.value or 0 for turn in found.moves)
    assert len(found.moves) == len(position.moves())


def test_a_table_that_is_much_too_small_changes_no_value() -> None:
    position = sw.game("morris").parse(PLACING)
    large, small = (sw.agent(f"alphabeta:depth=5,nodes={nodes}", "morris") for nodes in (1 << 20, 2))
    assert {move.move: move.value for move in large.analyse(position).moves} == {
        move.move: move.value for move in small.analyse(position).moves
    }


def test_every_win_within_the_horizon_is_found_and_the_shortest_is_played(judged: list[Question]) -> None:
    depth = 5
    near = [q for q in judged if 1e6 - depth <= max(worth.place for worth in q.worths.values()) < 1e6]
    assert len(near) > 300
    assert grade(near, answers(sw.agent(f"alphabeta:depth={depth}", "morris"), near, 1)).perfect == 1


def test_in_the_judged_positions_the_best_class_is_kept_the_more_often_the_deeper_the_search(
    judged: list[Question],
) -> None:
    asked = judged[1::6]  # on none of these was the evaluation fitted
    shares = []
    for depth in (1, 4, 6):
        agent = sw.agent(f"alphabeta:depth={depth}", "morris")
        shares.append(grade(asked, answers(agent, asked, 1)).best_class)
    assert shares == sorted(shares)
    assert shares[-1] >= 0.85


def test_a_choice_is_the_same_alone_and_in_a_batch_and_the_first_of_the_analysis(judged: list[Question]) -> None:
    agent, asked = sw.agent("alphabeta:depth=3", "morris"), judged[::200]
    for question, end in zip(asked, answers(agent, asked, 1), strict=True):
        chosen = agent.choose(question.position)
        assert question.position.play(chosen).words == end
        assert agent.analyse(question.position).moves[0].move == chosen


def wins(stacks: tuple[int, ...], misere: bool) -> bool:
    """Bouton's theory, which also knows who has won where nothing is left."""
    nimber = reduce(xor, stacks)
    return nimber == 0 if misere and max(stacks) <= 1 else nimber != 0


def test_nim_is_solved_to_the_end_as_the_theory_says() -> None:
    game = sw.game("nim:stacks=3-4-5")
    agent = sw.agent("alphabeta:depth=12,value=none", game)
    for stacks in product(range(4), range(5), range(6)):
        if any(stacks):
            position = game.parse(f"{'-'.join(map(str, stacks))} B")
            found = agent.analyse(position)
            assert found.value == (1 if wins(stacks, True) else -1)
            for move in found.moves:
                assert move.value == (-1 if wins(position.play(move.move).words[1:], True) else 1)


@pytest.mark.parametrize("misere", [True, False])
def test_the_evaluation_of_nim_is_the_theory(misere: bool) -> None:
    game = sw.game("nim:stacks=2-3-5", misere=misere)
    known = evaluation(game)
    kernel = game.kernel(evaluate, **known.bindings)
    for stacks in product(range(3), range(4), range(6)):
        if any(stacks):
            value = kernel(np.array([1, *stacks]), 1, known.data)
            assert (value > 0) == wins(stacks, misere)
            assert 0.9 < abs(value) < 1


def test_plain_python_chooses_as_the_compiled_search() -> None:
    position = sw.game("nim:stacks=3-4-5").parse("2-3-3 A")
    compiled = sw.agent("alphabeta:depth=4,value=none", position.game)
    plain = AlphaBeta.made(sw.game("nim:stacks=3-4-5", target="python"), compiled.settings)
    assert plain.choose(sw.Position(plain.game, position.state)) == compiled.choose(position)


def play_of_four(state, action):
    state[1 + action % STACKS] -= action // STACKS + 1
    state[0] = (state[0] + 1) % 4


def scores_of_four(state, out):
    last = (state[0] + 3) % 4
    for player in range(4):
        out[player] = -1.0 if TEAM[player] == TEAM[last] else 1.0


@pytest.mark.parametrize("teams", [(0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 1)])
def test_partners_want_the_same_whoever_acts_next(teams: tuple[int, ...]) -> None:
    rules = ModuleType("nim_of_four")
    rules.__dict__.update({name: value for name, value in vars(nim).items() if not name.startswith("__")})
    rules.__dict__.update(play=play_of_four, scores=scores_of_four)
    rules.__dict__["constants"] = lambda settings: nim.constants(settings) | {"PLAYERS": 4, "TEAM": teams}
    game = sw.Game("nim", rules, Face(nim_face), nim.Settings(stacks="2-2-1"), "python")
    for depth in (2, 5):
        agent = AlphaBeta.made(game, AlphaBeta.Settings(depth=depth, value="none"))
        for action in game.start().actions():
            position = game.start().play(action)
            assert agent.analyse(position).value == minimax(position, position.mover, depth, "none")


def test_othello_endings_are_solved_as_by_trying_everything() -> None:
    game = sw.game("othello:size=6,scoring=discs")
    agent = sw.agent("alphabeta:depth=16", game)
    for seed in range(12):
        position = next(p for p in random_positions(game, seed) if _empty(p) == 6 and not p.over)
        found = agent.analyse(position)
        assert found.value == pytest.approx(solved(position, position.mover), abs=1e-9)
        best = position.play(agent.choose(position))
        assert solved(best, position.mover) == solved(position, position.mover)


def _empty(position: sw.Position) -> int:
    return position.game.constants["CELLS"] - sum(discs.bit_count() for discs in position.words[1:3])


@cache
def solved(position: sw.Position, player: int) -> float:
    """What `player` gets if both play perfectly."""
    if position.scores:
        return position.scores[player]
    values = [solved(position.play(action), player) for action in position.actions()]
    return max(values) if position.mover == player else min(values)


@pytest.mark.parametrize(
    "name", ["morris", "morris:rules=six", "morris:rules=morabaraba", "othello", "othello:size=4,scoring=discs"]
)
def test_an_evaluation_is_fair_bounded_and_the_same_on_the_turned_board(name: str) -> None:
    game = sw.game(name, target="python")
    known = evaluation(game)
    kernel = game.kernel(evaluate, **known.bindings)
    for state in random_walk(game, 3):
        position = sw.Position(game, state)
        if not position.over:
            value = kernel(state, position.mover, known.data)
            assert -1 < value < 1
            assert kernel(state, 1 - position.mover, known.data) == -value
            assert kernel(position.turned(3).state, position.mover, known.data) == pytest.approx(value)


def test_with_a_clock_a_whole_turn_is_played_and_a_win_at_hand_is_taken() -> None:
    game = sw.game("morris")
    agent = sw.agent("alphabeta:milliseconds=20", game)
    for position in map(game.parse, (MOVING, PLACING)):
        assert agent.choose(position) in position.moves()
        assert len(agent.analyse(position).moves) == len(position.moves())
    won = game.parse(WINNING)
    assert won.play(agent.choose(won)).scores == (1, -1)
    assert agent.analyse(won).value == 1


@pytest.mark.parametrize(
    ("agent", "game", "reason"),
    [
        ("alphabeta", "einstein", "two sides without chance; einstein has dice"),
        ("alphabeta:depth=0", "nim", "depth must be 1 to 100, not 0"),
        ("alphabeta:nodes=1", "nim", "nodes must be 2 to"),
        ("alphabeta:milliseconds=-1", "nim", "milliseconds must be 0 to"),
        ("alphabeta:value=best", "nim", "nim has no evaluation"),
    ],
)
def test_what_it_cannot_play_is_refused(agent: str, game: str, reason: str) -> None:
    with pytest.raises(sw.BadInput, match=reason):
        sw.agent(agent, game)
