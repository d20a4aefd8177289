"""Random games in a live OpenSpiel and here, side by side: the same player to act, the same moves, the same results.

The moves and the dice are drawn in OpenSpiel; a game's number is the seed of its draws, and a failure names it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.games.backgammon import BAR, CHECKERS, checkers_left, checkers_on, planes_of
from spielwerk.games.einstein import cell_of
from spielwerk.games.rules import OVER, WORDS, moves, play

pyspiel: Any = pytest.importorskip("pyspiel", reason="live games against OpenSpiel need open_spiel>=2.0")

GAMES = range(1000)
VIEW = 4 * 24 * 2 + 2 * 2  # numbers of a position of backgammon, see `view`
EINSTEIN_STEPS = (2, 1, 0, 1, 2, 0)  # ours for diagonal, down, right of player 0 and up, diagonal, left of player 1
Translation = Callable[[np.ndarray, int], int]  # OpenSpiel's action as ours, in a state of ours


def untranslated(state: np.ndarray, action: int) -> int:
    return action


def morris_action(state: np.ndarray, action: int) -> int:
    """OpenSpiel numbers the points, for placing and taking, before the slides."""
    return 24 * 24 + action if action < 24 else action - 24


def einstein_action(state: np.ndarray, action: int) -> int:
    """OpenSpiel's action is (cell * 6 + direction) * 2 + whether a stone is taken."""
    who, first, second = (int(word) for word in state[[0, 2, 3]])
    cell, step, takes = action // 12, EINSTEIN_STEPS[action // 2 % 6], action % 2
    cells = [[cell_of(stones, stone) for stone in range(6)] for stones in (first, second)]
    target = cell + (1, 5, 6)[step] * (1 if who == 0 else -1)
    assert takes == (target in cells[0] + cells[1]), f"action {action} in the state {state}"
    return cells[who].index(cell) * 3 + step


def backgammon_action(state: np.ndarray, action: int) -> int:
    """OpenSpiel's two origins are digits of base 26, the first the lower; both players count points from O's side."""
    smaller_first, origins = divmod(action, 26 * 26)
    m2, m1 = (origin if origin >= BAR or state[0] == 1 else 23 - origin for origin in divmod(origins, 26))
    return (m1 * 26 + m2) * 2 + smaller_first


def described(game: sw.Game, state: np.ndarray, number: int) -> str:
    return f"game {number}: {sw.Position(game, state)}"


def compare_ends(game: sw.Game, state: np.ndarray, theirs: Any, number: int) -> None:
    assert game.rule("mover")(state) == OVER, described(game, state, number)
    scores = np.zeros(2)
    game.rule("scores")(state, scores)
    assert scores.tolist() == theirs.returns(), described(game, state, number)


def compare_game(game: sw.Game, state: np.ndarray, theirs: Any, translated: Translation, number: int) -> None:
    """Plays a random game from here on in both."""
    chance, out = random.Random(number), np.zeros(game.constants["MOST_MOVES"], np.int64)
    while not theirs.is_terminal():
        legal = theirs.legal_actions()
        action = chance.choice(legal)
        if theirs.is_chance_node():
            game.rule("roll")(state, action + 1)
        else:
            assert game.rule("mover")(state) == theirs.current_player(), described(game, state, number)
            ours = out[: game.rule("moves")(state, out)].tolist()
            assert ours == sorted(translated(state, each) for each in legal), described(game, state, number)
            game.rule("play")(state, translated(state, action))
        theirs.apply_action(action)
    compare_ends(game, state, theirs, number)


@pytest.mark.parametrize(
    ("name", "other", "translated"),
    [
        ("nim", "nim", untranslated),
        ("nim:stacks=3-4-5,misere=false", "nim(pile_sizes=3;4;5,is_misere=False)", untranslated),
        ("othello", "othello", untranslated),
        ("morris:quiet=0,turns=200", "nine_mens_morris", morris_action),
    ],
)
def test_random_games_have_the_same_moves_and_results(name: str, other: str, translated: Translation) -> None:
    game, other_game = sw.game(name), pyspiel.load_game(other)
    for number in GAMES:
        compare_game(game, game.start().state, other_game.new_initial_state(), translated, number)


def test_random_games_of_einstein_from_random_setups_have_the_same_moves_and_results() -> None:
    game, other_game = sw.game("einstein:start=free"), pyspiel.load_game("einstein_wurfelt_nicht")
    for number in GAMES:
        theirs, chance = other_game.new_initial_state(), random.Random(f"set-up {number}")
        for _ in range(game.players):
            theirs.apply_action(chance.choice(theirs.legal_actions()))
        rows = einstein_rows(theirs)
        assert re.sub("[1-6]", "", f"{rows} X -") == re.sub("[1-6]", "", str(game.start(number)))
        compare_game(game, game.parse(f"{rows} O -").state, theirs, einstein_action, number)


def einstein_rows(theirs: Any) -> str:
    """OpenSpiel's lines, such as `|b2||b1||__||__||w6|`, as we write them."""
    text = "/".join(str(theirs).split())
    for mark, ours in {"|": "", "__": ".", "b": "X", "w": "O"}.items():
        text = text.replace(mark, ours)
    return text


@pytest.mark.slow
def test_random_games_of_backgammon_have_the_same_plays_and_results() -> None:
    game, other_game = sw.game("backgammon:scoring=full"), pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    our_ends = finder_of_ends(game)
    for number in GAMES:
        state, theirs, chance = game.start().state, other_game.new_initial_state(), random.Random(number)
        while not theirs.is_terminal():
            action = chance.choice(theirs.legal_actions())
            if theirs.is_chance_node():
                roll(game, state, theirs.action_to_string(action))
            else:
                assert game.rule("mover")(state) == theirs.current_player(), described(game, state, number)
                ours, others = our_ends(state), their_ends(theirs)
                assert set(ours) == others, described(game, state, number)
                assert len(ours) == len(others), described(game, state, number)  # equivalent orders are one action here
                game.rule("play")(state, backgammon_action(state, action))
            theirs.apply_action(action)
        compare_ends(game, state, theirs, number)


def roll(game: sw.Game, state: np.ndarray, text: str) -> None:
    """Rolls what OpenSpiel writes as `… (roll: 13)`, and at the start of a game as `… O starts, (roll: 31)`."""
    if "O starts" in text:
        state[0] = 1
    game.rule("roll")(state, int("".join(sorted(text[-3:-1], reverse=True))))


def their_ends(theirs: Any) -> set[tuple[float, ...]]:
    """The positions after one action, without the turn and the dice, which the observation shows too."""
    seen = (theirs.child(action).observation_tensor(0) for action in theirs.legal_actions())
    return {tuple(numbers[:194] + numbers[195:197]) for numbers in seen}


def finder_of_ends(game: sw.Game) -> Callable[[np.ndarray], list[tuple[float, ...]]]:
    """A function that lists the positions after each of our actions in the same form."""
    most, find = game.constants["MOST_MOVES"], game.kernel(ends)
    actions, after, views = np.zeros(most, np.int64), game.blank(), np.zeros((most, VIEW))
    return lambda state: list(map(tuple, views[: find(state, actions, after, views)].tolist()))


def ends(state: Any, actions: Any, after: Any, views: Any) -> int:
    """Writes the view after each legal action, and returns how many there are."""
    n = moves(state, actions)
    for i in range(n):
        for word in range(WORDS):
            after[word] = state[word]
        play(after, actions[i])
        view(after, views[i])
    return n


def view(state: Any, out: Any) -> None:
    """A position as OpenSpiel's observation shows it: four numbers a point, all of X's points before O's, then X's
    bar and borne off, and O's. One, two or three checkers are a 1 in that place of the four, more are those over 3
    in the last.
    """
    for player in range(2):
        planes = planes_of(player)
        for i in range(96):
            out[96 * player + i] = 0.0
        for point in range(24):
            number = checkers_on(state, planes, point if player == 1 else 23 - point)
            if number > 0:
                out[96 * player + 4 * point + min(number, 4) - 1] = max(number - 3, 1)
        out[192 + 2 * player] = checkers_on(state, planes, BAR)
        out[193 + 2 * player] = CHECKERS - checkers_left(state, planes)
