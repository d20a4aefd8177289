"""Rollouts: the mean is the truth, the luck of the dice is taken off, and all can be done again."""

from __future__ import annotations

import json

import numpy as np
import pytest

import spielwerk as sw
from conftest import Run
from spielwerk.agents.values import estimator
from spielwerk.arena.rollout_result import Mean
from spielwerk.search.lookahead import Halted
from spielwerk.search.rollout import Rollout
from spielwerk.solvers.oracle import oracle

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched
DICE, NIM = sw.game("einstein:board=3"), sw.game("nim:stacks=2-3")


@pytest.mark.parametrize("turns", [0, 2])
def test_perfect_players_get_what_the_oracle_says_whatever_the_luck(turns: int) -> None:
    truth = oracle(DICE).truth(DICE.start())
    assert truth
    for luck in (False, True):
        found = sw.rollout(DICE, value="oracle", games=200, turns=turns, luck=luck).rows[0].value
        assert abs(found.value - truth.value) <= 2 * found.margin + 1e-9
    exact = sw.rollout(DICE, value="oracle", games=20, turns=turns).rows[0].value
    assert exact.value == pytest.approx(truth.value)  # perfect knowledge takes all luck off
    assert exact.margin == pytest.approx(0, abs=1e-9)


def test_without_luck_results_have_the_same_mean_and_vary_less() -> None:
    game = sw.game("einstein:board=4")
    used, batch = estimator(game, "td"), game.batch(1000, seed=1)
    plain, reduced = (Rollout(used, 0, off).results(batch.copy())[:, 0] for off in (False, True))
    assert reduced.std() < 0.6 * plain.std()
    assert abs(reduced.mean() - plain.mean()) < 4 * plain.std() / len(plain) ** 0.5


def test_the_best_turns_are_played_out_with_chances() -> None:
    found = sw.rollout(sw.game("backgammon:scoring=full").start().roll("3-1"), games=8, turns=1, moves=2)
    assert len(found.rows) == 2
    best = found.rows[0]
    assert best.move == "8/5 6/5"
    assert list(best.chances) == ["win", "win gammon", "win backgammon", "lose gammon", "lose backgammon"]
    facts = json.loads(found.to_json())
    assert facts["rows"][0]["chances"]["win"]["low"] <= best.chances["win"].value
    assert found.table()[0][:2] == ("move", ">value")
    assert found.plot()


def test_the_same_seed_plays_the_same_games() -> None:
    one, two, other = (sw.rollout(DICE, value="none", games=50, luck=True, seed=seed) for seed in (1, 1, 2))
    assert one == two
    assert one != other


def test_games_without_dice_are_all_the_same() -> None:
    done: list[tuple[int, int]] = []
    found = sw.rollout(NIM, value="hand", games=3, moves=2, callback=lambda *now: done.append(now))
    assert all(row.value.margin == 0 for row in found.rows)
    assert done == [(3, 6), (6, 6)]


def test_a_rollout_can_be_halted() -> None:
    with pytest.raises(Halted):
        Rollout(estimator(NIM, "hand")).results(NIM.batch(2), lambda: True)


def test_a_mean_has_an_interval() -> None:
    assert Mean.of(np.array([1.0, 1.0])) == Mean(1.0, 0.0)
    assert Mean.of(np.array([1.0])) == Mean(1.0, 0.0)
    assert Mean.of(np.array([0.0, 2.0])).margin == pytest.approx(1.96, abs=0.001)


def test_the_command_prints_a_table_and_facts(spielwerk: Run) -> None:
    code, shown, _ = spielwerk("rollout", NIM.name, "--value", "hand", "-n", "2", "--moves", "2")
    assert code == 0
    assert "Played out by hand: 2 games each, to the end, seed 1" in shown
    facts = json.loads(spielwerk("rollout", DICE.name, "--value", "race", "-n", "4", "--turns", "1", "--json")[1])
    assert (facts["games"], facts["turns"], len(facts["rows"])) == (4, 1, 1)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((NIM.name, "0-0 A", "--value", "hand"), "There is nothing to play out: the game is over."),
        ((NIM.name, "--value", "hnd"), 'nim has no evaluation "hnd". Did you mean "hand"?'),
        ((NIM.name, "--value", "hand", "-n", "99999999999"), "The games of a rollout must be 1 to 10,000,000"),
    ],
)
def test_what_cannot_be_played_out_is_said_in_a_sentence(words: tuple[str, ...], reason: str, spielwerk: Run) -> None:
    code, _, error = spielwerk("rollout", *words)
    assert code == 2
    assert reason in error.replace("\n", " ")
