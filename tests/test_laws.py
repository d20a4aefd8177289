"""The laws of `games/rules.py`, for every game and variant: the defaults compiled, the many in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from variants import DEFAULTS, VARIANTS, random_walk

import spielwerk as sw
from spielwerk.games.rules import CHANCE, CONSTANTS, FUNCTIONS, OVER
from spielwerk.kernel.random import stream, streams
from spielwerk.search.playout import random_games

SEEDS = st.integers(0, 10**9)
STEADY = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


class Laws:
    """The laws at one state of one game."""

    def __init__(self, game: sw.Game) -> None:
        self.game = game
        self.rule = game.rule
        self.constant = game.constants
        self.room = max(self.constant["MOST_MOVES"], self.constant["MOST_OUTCOMES"], 1)

    def moves(self, state: np.ndarray) -> list[int]:
        out = np.zeros(self.room, np.int64)
        return out[: self.rule("moves")(state, out)].tolist()

    def outcomes(self, state: np.ndarray) -> list[tuple[int, int]]:
        out, weights = np.zeros(self.room, np.int64), np.zeros(self.room, np.int64)
        n = self.rule("outcomes")(state, out, weights)
        return list(zip(out[:n].tolist(), weights[:n].tolist(), strict=True))

    def after(self, rule: str, state: np.ndarray, number: int) -> np.ndarray:
        copy = state.copy()
        self.rule(rule)(copy, number)
        return copy

    def turned(self, k: int, state: np.ndarray) -> np.ndarray:
        out = np.full_like(state, -77)
        self.rule("turned_state")(k, state, out)
        return out

    def scores(self, state: np.ndarray) -> list[float]:
        out = np.full(self.game.players, np.nan)
        self.rule("scores")(state, out)
        return out.tolist()

    def seen(self, state: np.ndarray, player: int) -> np.ndarray:
        out = np.full(int(np.prod(self.constant["OBSERVATION"])), np.nan, np.float32)
        self.rule("observe")(state, player, out)
        return out

    def check(self, state: np.ndarray) -> None:
        before = state.copy()
        who = self.rule("mover")(state)
        assert who in (OVER, CHANCE, *range(self.game.players))
        {OVER: self.check_end, CHANCE: self.check_chance}.get(who, self.check_turn)(state)
        for player in range(self.game.players):
            assert np.isfinite(self.seen(state, player)).all()
        for k in range(self.constant["SYMMETRIES"]):
            self.check_turned(k, state, who)
        assert (self.turned(0, state) == state).all(), "symmetry 0 is the identity"
        assert (state == before).all(), "only play and roll change a position"

    def check_end(self, state: np.ndarray) -> None:
        scores, teams = self.scores(state), self.constant["TEAM"]
        by_team = {team: {score for score, t in zip(scores, teams, strict=True) if t == team} for team in teams}
        assert all(len(values) == 1 for values in by_team.values()), "a team scores the same"
        assert sum(value for values in by_team.values() for value in values) == pytest.approx(0)

    def check_chance(self, state: np.ndarray) -> None:
        outcomes = self.outcomes(state)
        assert 1 <= len(outcomes) <= self.constant["MOST_OUTCOMES"]
        assert len({outcome for outcome, _ in outcomes}) == len(outcomes)
        for outcome, weight in outcomes:
            assert weight >= 1
            rolled = self.after("roll", state, outcome)
            assert self.rule("mover")(rolled) == self.rule("roller")(state)

    def check_turn(self, state: np.ndarray) -> None:
        moves = self.moves(state)
        assert 1 <= len(moves) <= self.constant["MOST_MOVES"]
        assert moves == sorted(set(moves)), "ascending, each once"
        assert 0 <= moves[0] <= moves[-1] < self.constant["ACTIONS"]
        ends = {self.after("play", state, action).tobytes() for action in moves}
        assert len(ends) == len(moves), "different actions lead to different positions"

    def check_turned(self, k: int, state: np.ndarray, who: int) -> None:
        image = self.turned(k, state)
        seats = [self.rule("seat")(k, player) for player in range(self.game.players)]
        assert sorted(seats) == list(range(self.game.players))
        assert self.rule("mover")(image) == (who if who < 0 else seats[who])
        for player, seat in enumerate(seats):
            assert (np.sort(self.seen(state, player)) == np.sort(self.seen(image, seat))).all()
        if who == OVER:
            scores, turned = self.scores(state), self.scores(image)
            assert all(turned[seat] == score for seat, score in zip(seats, scores, strict=True))
        elif who == CHANCE:
            outcomes = self.outcomes(state)
            assert outcomes == self.outcomes(image)
            assert self.rule("roller")(image) == seats[self.rule("roller")(state)]
            for outcome, _ in outcomes:
                rolled = self.after("roll", state, outcome)
                assert (self.turned(k, rolled) == self.after("roll", image, outcome)).all()
        else:
            moves = self.moves(state)
            images = [self.rule("turned")(k, action) for action in moves]
            assert sorted(images) == self.moves(image)
            for action, turned in zip(moves, images, strict=True):
                after = self.after("play", state, action)
                assert (self.turned(k, after) == self.after("play", image, turned)).all()


def walk_lawfully(game: sw.Game, seed: int, looked_at: int) -> None:
    laws, states = Laws(game), list(random_walk(game, seed))
    acted = sum(game.rule("mover")(state) >= 0 for state in states)
    longest = game.constants["LONGEST"]
    assert game.rule("mover")(states[-1]) == OVER
    assert longest == 0 or acted <= longest
    chosen = sorted({0, len(states) - 1, *np.random.default_rng(seed).integers(0, len(states), looked_at).tolist()})
    for number in chosen:
        laws.check(states[number])


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_compiled_rules_keep_the_laws(name: str) -> None:
    game = sw.game(name, target="cpu")

    @settings(STEADY, max_examples=40)
    @given(SEEDS)
    def keep(seed: int) -> None:
        walk_lawfully(game, seed, looked_at=8)

    keep()


@pytest.mark.parametrize("name", [*DEFAULTS, *VARIANTS])
def test_every_variant_keeps_the_laws_in_plain_guarded_python(name: str) -> None:
    game = sw.game(name, target="python")

    @settings(STEADY, max_examples=4)
    @given(SEEDS)
    def keep(seed: int) -> None:
        walk_lawfully(game, seed, looked_at=3)

    keep()


@pytest.mark.parametrize("name", [*DEFAULTS, *VARIANTS])
def test_a_start_writes_every_word_and_is_not_over(name: str) -> None:
    game = sw.game(name, target="python")
    one, other = game.blank(), game.blank() + 99
    for state in (one, other):
        game.rule("start")(state, stream(7, "start"))
        assert game.rule("mover")(state) != OVER
    assert (one == other).all()


@pytest.mark.parametrize("name", ["backgammon", "backgammon:checkers=3", "morris:quiet=0"])
def test_ten_thousand_random_games_end_where_no_bound_is_known(name: str) -> None:
    game = sw.game(name, target="cpu")
    assert game.constants["LONGEST"] == 0
    totals, sums = np.zeros((1, 3), np.int64), np.zeros((1, game.players))
    game.rows(random_games)(1, streams(1, name, 1), np.array([10_000]), np.array([1_000_000]), totals, sums)
    assert totals[0, 2] == 10_000


@pytest.mark.parametrize("name", [*DEFAULTS, *VARIANTS])
def test_a_game_binds_the_whole_interface(name: str) -> None:
    bindings = sw.game(name, target="python").bindings
    assert all(bindings[constant] is not None for constant in CONSTANTS)
    assert all(callable(bindings[function]) for function in FUNCTIONS)
