"""Searches by depth and flat Monte Carlo with any estimator: the same as with the compiled evaluation that it wraps."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import heap_game
import spielwerk as sw
from marks import slow
from onnx_networks import Network
from spielwerk.agents.alphabeta import AlphaBeta
from spielwerk.agents.depth import Searching
from spielwerk.agents.mc import Settings as McSettings
from spielwerk.agents.mc_estimates import MonteCarloByEstimate
from spielwerk.agents.values import estimator
from spielwerk.arena.by_estimate import ByEstimate
from spielwerk.games.batch import Batch
from spielwerk.search.estimator import Estimate, Estimator
from spielwerk.search.stop import Stop
from test_estimators import BACKGAMMON, DICE, FOUR, NIM, OTHELLO, some_positions

MORRIS = sw.game("morris:turns=30")


def decisions(game: sw.Game, games: int, every: int = 1) -> list[sw.Position]:
    return [position for position in some_positions(game, games) if position.mover >= 0][::every]


@pytest.mark.parametrize(
    ("game", "value", "depth", "every"),
    [
        (NIM, "hand", 3, 1),
        (DICE, "race", 2, 1),
        (OTHELLO, "hand", 3, 3),
        pytest.param(BACKGAMMON, "none", 2, 9, marks=pytest.mark.slow),
        pytest.param(FOUR, "race", 2, 9, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_turns_ahead_are_worth_what_the_compiled_search_finds(
    game: sw.Game, value: str, depth: int, every: int
) -> None:
    compiled = sw.agent("expectimax", game, depth=depth, value=value)
    outside = ByEstimate(game, Searching(depth, value), estimator(game, value), depth)
    for position in decisions(game, 1, every):
        found = {judged.move: judged.value for judged in outside.analyse(position).moves}
        wanted = {judged.move: judged.value for judged in compiled.analyse(position).moves}
        assert found == pytest.approx(wanted, abs=1e-9)
        assert found[outside.turn(position).text] == pytest.approx(compiled.analyse(position).value, abs=1e-9)


def test_many_boards_are_searched_as_one_after_the_other() -> None:
    outside = ByEstimate(DICE, Searching(2, "race"), estimator(DICE, "race"), 2)
    positions = some_positions(DICE, 8)
    batch = DICE.batch(positions)
    chosen = outside.choose_many(batch, batch.rngs)
    for position, action in zip(positions, chosen.tolist(), strict=True):
        assert action == (outside.turn(position).steps[0][1] if position.mover >= 0 else -1)


@pytest.mark.parametrize("depth", [1, 3, *slow(12)])
def test_three_sides_each_look_after_themselves(depth: int) -> None:
    game = heap_game.made()
    compiled, outside = sw.agent("maxn", game, depth=depth), ByEstimate(game, None, estimator(game, ""), depth)
    for position in decisions(game, 3):
        assert outside.turn(position) == compiled.turn(position)


@pytest.mark.parametrize(
    ("game", "depth"), [(NIM, 4), (OTHELLO, 4), pytest.param(MORRIS, 2, marks=pytest.mark.slow)], ids=str
)
def test_alphabeta_finds_the_same_values_and_wins_as_soon(game: sw.Game, depth: int) -> None:
    compiled = sw.agent("alphabeta", game, depth=depth, value="none")
    outside = ByEstimate(game, None, estimator(game, "none"), depth, resist=True)
    for position in decisions(game, 2, 3):
        found = {judged.move: judged.value for judged in outside.analyse(position).moves}
        wanted = {judged.move: judged.value for judged in compiled.analyse(position).moves}
        assert found == pytest.approx(wanted, abs=1e-6)
        for one, other in ((outside, compiled), (compiled, outside)):
            assert turns_to_the_end(one, other, position, depth) == turns_to_the_end(
                compiled, compiled, position, depth
            )


def turns_to_the_end(first: sw.Agent, second: sw.Agent, position: sw.Position, most: int) -> int:
    """After how many turns a game ends that is decided within `most`, else 0."""
    if abs(sw.agent("alphabeta", position.game, depth=most, value="none").analyse(position).value or 0) < 1:
        return 0
    for turns in range(most + 1):
        if position.over:
            return turns
        position = (first, second)[turns % 2].turn(position).end
    return most + 1


class Slow(Estimator):
    """Knows nothing, and takes its time to say so."""

    name = "slow"

    def estimate(self, batch: Batch) -> Estimate:
        """Nothing, slowly."""
        time.sleep(0.02)
        return estimator(self.game, "none").estimate(batch)


def test_a_clock_and_a_stop_end_the_search_with_the_best_so_far() -> None:
    position = sw.game("othello:size=6").start()
    by_clock = ByEstimate(position.game, None, Slow(position.game), AlphaBeta.Settings().depth * 20, 100)
    assert by_clock.draws
    assert by_clock.turn(position).text in [turn.text for turn in position.turns()]
    assert len(by_clock.analyse(position).moves) == 4
    stop = Stop()
    stop.set()
    endless = ByEstimate(position.game, None, Slow(position.game), 100)
    assert endless.turn(position, stop=stop).text in [turn.text for turn in position.turns()]


@pytest.mark.parametrize(("game", "value"), [(NIM, "hand"), (DICE, "race")], ids=str)
def test_flat_monte_carlo_cuts_and_chooses_as_in_compiled_code(game: sw.Game, value: str) -> None:
    settings = McSettings(iterations=40, rollout=1, value=value)
    compiled = sw.agent("mc", game, iterations=40, rollout=1, value=value)
    outside = MonteCarloByEstimate(game, settings, estimator(game, value))
    for position in decisions(game, 2):
        assert outside.turn(position) == compiled.turn(position)
        found, wanted = outside.analyse(position), compiled.analyse(position)
        assert found.value == pytest.approx(wanted.value, abs=1e-9)
        assert [(move.move, move.visits) for move in found.moves] == [(move.move, move.visits) for move in wanted.moves]


def test_a_stopped_monte_carlo_takes_the_best_so_far() -> None:
    stop = Stop()
    stop.set()
    agent = MonteCarloByEstimate(NIM, McSettings(iterations=10**9), estimator(NIM, "hand"))
    assert agent.turn(NIM.start(), stop=stop).text in [turn.text for turn in NIM.start().turns()]


@pytest.mark.parametrize("agent", ["alphabeta:depth=2", "mc:iterations=9,rollout=2", "expectimax", "maxn", "mcts"])
def test_every_search_takes_any_value_by_name(agent: str, tmp_path: Path) -> None:
    path = Network(NIM, {"value": 1}).write(tmp_path / "x.onnx")
    for value in (str(path), "oracle"):
        searcher: Any = sw.agent(agent, NIM, value=value)
        searcher.ready()
        assert searcher.choose(NIM.start()) in [turn.text for turn in NIM.start().turns()]
    assert searcher.analyse(NIM.start()).value is not None
