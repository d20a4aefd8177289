"""The laws of `games/rules.py`, for every game and variant: the defaults compiled, the many in plain Python."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spielwerk as sw
from marks import slow
from spielwerk.games import nim, rules
from spielwerk.games.face import Face
from spielwerk.games.laws import BrokenLaw, check
from spielwerk.kernel.random import streams
from spielwerk.search.playout import random_games
from variants import DEFAULTS, VARIANTS

SEEDS = st.integers(0, 10**9)
STEADY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_compiled_rules_keep_the_laws(name: str) -> None:
    game = sw.game(name, target="cpu")

    @settings(STEADY, max_examples=40)
    @given(SEEDS)
    def keep(seed: int) -> None:
        check(game, seed)

    keep()


@pytest.mark.parametrize("name", [*DEFAULTS, *slow(*VARIANTS)])
def test_every_variant_keeps_the_laws_in_plain_guarded_python(name: str) -> None:
    game = sw.game(name, target="python")

    @settings(STEADY, max_examples=4)
    @given(SEEDS)
    def keep(seed: int) -> None:
        check(game, seed, looked_at=3)

    keep()


@pytest.mark.slow
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
    assert all(bindings[constant] is not None for constant in rules.CONSTANTS)
    assert all(callable(bindings[function]) for function in rules.FUNCTIONS)


def takes_everything(state, action):
    state[1] = 0
    state[2] = 0


def lists_nothing(state, out):
    return 0


def scores_for_both(state, out):
    out[0] = 1.0
    out[1] = 1.0


def turns_wrongly(k, action):
    return action


BROKEN = [
    ("play", takes_everything, "different actions lead to different positions"),
    ("moves", lists_nothing, "there are 1 to MOST_MOVES"),
    ("scores", scores_for_both, "the teams' scores sum to 0"),
    ("turned", turns_wrongly, "symmetry 1"),
]


@pytest.mark.parametrize(("rule", "function", "law"), BROKEN)
def test_a_broken_rule_breaks_a_law(rule: str, function: Any, law: str) -> None:
    broken = ModuleType("broken")
    vars(broken).update(vars(nim) | {rule: function})
    game = sw.Game("nim", broken, Face(nim), nim.Settings(stacks="3-3"), "python")
    with pytest.raises(BrokenLaw, match=law):
        check(game, 1, looked_at=50)
