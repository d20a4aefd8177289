"""The judge is honest: twins are worth the same, noise is no mistake, a blunder is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.api.judges import MEASURED, SEARCH, judge_of, usual_judge
from spielwerk.api.truth import answer, truth
from spielwerk.arena.agent import Agent
from spielwerk.arena.analysis import Analysis
from spielwerk.arena.records.record import Line, Record
from spielwerk.arena.reviewing.estimate import Estimate, estimate_of, margin
from spielwerk.arena.reviewing.judge import Judge
from spielwerk.arena.reviewing.review import BAD, BEST, BLUNDER, GOOD, LOSING_BLUNDER, MISSED_WIN, WELL, Review
from spielwerk.arena.reviewing.reviewer import called, review_of
from spielwerk.arena.reviewing.twins import twin_of
from spielwerk.games.position import Position, Turn
from spielwerk.search.stop import Stop

SEED = 7  # of the judge; the player searches by another one


class Hazy(Agent):
    """Knows the truth, and says it with an error of up to 0.2, another one for every move."""

    name = "hazy"

    def choose(self, position: Position, rng: np.ndarray | None = None) -> int:
        """Any action."""
        return position.actions()[0]

    def analyse(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Analysis:
        """The truth, blurred."""
        exact = sw.agent("oracle", self.game).analyse(position)
        noise = np.random.default_rng(abs(hash(position.words))).uniform(-0.1, 0.1, len(exact.moves))
        moves = [replace(one, value=(one.value or 0) + float(off)) for one, off in zip(exact.moves, noise, strict=True)]
        return replace(exact, moves=tuple(moves))


def played(game: str, choose: Callable[[Position], Turn], seed: int = 1, most: int = 200) -> Record:
    """A game of a chooser against itself."""
    position, lines, rng = sw.game(game).start(), [], np.random.default_rng(seed)
    while not position.over and len(lines) < most:
        roll = None
        if position.chance:
            roll = position.rolls()[rng.integers(len(position.rolls()))]
            position = position.roll(roll)
        turn = choose(position)
        lines.append(Line(position.mover, roll, turn.text))
        position = turn.end
    return Record(game, ("a",) * position.game.players, tuple(lines), position.scores)


def faults(review: Review) -> list[str]:
    return [turn.verdict for turn in review.turns if turn.verdict not in (*WELL, "forced")]


@pytest.mark.parametrize("game", ["einstein", "othello:size=6", "morris:rules=six", "backgammon"])
def test_the_moves_that_the_judge_prefers_are_never_mistakes(game: str) -> None:
    judge = judge_of(sw.game(game), seed=SEED)

    def best(position: Position) -> Turn:
        move = judge.valuation(position).best[0]
        return next(turn for turn in position.turns() if turn.text == move)

    record = played(game, best, most=12)
    assert faults(review_of(record, judge_of(sw.game(game), judge.agent, seed=SEED), luck=False)) == []


@pytest.mark.parametrize("game", ["morris:rules=six", "othello:size=6"])
@pytest.mark.parametrize("judge", ["", "mcts:iterations=100"])
def test_symmetric_twins_are_worth_the_same(game: str, judge: str) -> None:
    here = sw.game(game).start()
    found, twin = truth(here, judge_of(here.game, judge)), twin_of(here)
    values: dict[Position, set[float | None]] = {}
    for one in found.moves:
        values.setdefault(twin(here.play(one.move)), set()).add(one.value)
    assert len(values) < len(found.moves)  # there are twins
    assert all(len(those) == 1 for those in values.values())
    best = {one.verdict for one in found.moves if twin(here.play(one.move)) == twin(here.play(found.moves[0].move))}
    assert best == {BEST}


def test_an_asymmetric_position_has_no_twins() -> None:
    here = sw.game("othello").start().play("d3").play("c3")
    twin = twin_of(here)
    assert len({twin(turn.end) for turn in here.turns()}) == len(here.turns())


def test_noise_of_the_judge_is_never_called_a_mistake() -> None:
    """A player who knows the truth makes none, by a judge that says it with some noise and knows how much."""
    name, forgiven = "einstein:board=3", 0.0
    perfect, judge = sw.agent("oracle", name), Judge(None, Hazy(sw.game(name), None), error=0.2)
    for seed in range(5):
        found = review_of(played(name, perfect.turn, seed), judge, luck=False)
        assert faults(found) == []
        forgiven += sum(turn.regret or 0 for turn in found.turns)
    assert forgiven > 0.01  # there was some


def test_a_blunder_is_called_one_in_spite_of_the_noise() -> None:
    name = "einstein:board=3"
    perfect, judge = sw.agent("oracle", name), Judge(None, Hazy(sw.game(name), None), error=0.2)

    def worst(here: Position) -> Turn:
        move = perfect.analyse(here).moves[-1].move
        return next(turn for turn in here.turns() if turn.text == move)

    record = played(name, worst)
    true, said = (review_of(record, one, luck=False) for one in (Judge(None, perfect), judge))
    dear = [turn.number for turn in true.turns if (turn.regret or 0) > 0.5]
    assert dear
    assert all(said.turns[number - 1].verdict in BAD for number in dear)


def test_a_search_does_not_call_mistaken_what_it_prefers_with_another_seed() -> None:
    here = sw.game("othello").start().play("d3").play("c5")
    judges = [judge_of(here.game, "mcts:iterations=100", seed=seed) for seed in range(6)]
    preferred = {judge.valuation(here).best[0] for judge in judges}
    assert len(preferred) > 1  # by noise alone
    assert all(answer(here, move, judge)[0] for judge in judges for move in preferred)


def test_the_error_of_a_search_shrinks_with_its_visits_and_the_oracle_has_none() -> None:
    game = sw.game("othello")
    few, many = (
        estimate_of(game, sw.agent(f"mcts:iterations={count}", game).analyse(game.start()).moves[0], None).error
        for count in (100, 10_000)
    )
    assert 0 < many < few / 5
    nim = sw.game("nim:stacks=1-3-5")
    assert truth(nim.start(), judge_of(nim)).error == 0


def test_verdicts_tell_a_missed_win_from_a_losing_blunder_and_both_from_noise() -> None:
    nim = sw.game("nim")
    assert called(nim, Estimate(1.0), Estimate(0.0)) == MISSED_WIN
    assert called(nim, Estimate(0.0), Estimate(-1.0)) == LOSING_BLUNDER
    assert called(nim, Estimate(0.4), Estimate(0.0)) == BLUNDER
    assert called(nim, Estimate(1.0, 1.0), Estimate(0.0, 1.0)) == GOOD
    assert called(nim, Estimate(0.005, 1.0), Estimate(0.0)) == BEST
    assert margin(Estimate(0.0, 0.3), Estimate(0.0, 0.4)) == pytest.approx(0.5)


def test_every_game_has_one_usual_judge_of_the_package() -> None:
    usual = {name: usual_judge(sw.game(name)) for name in ("morris", "othello", "backgammon", "einstein", "nim")}
    assert usual == {"morris": "alphazero", "othello": "alphazero", "backgammon": "td", "einstein": "td", "nim": SEARCH}
    assert usual_judge(sw.game("morris:rules=lasker")) == SEARCH  # for which no network comes with the package
    for kind, game in MEASURED:
        assert usual_judge(sw.game(game)) == kind
        assert truth(_decision(game), judge_of(sw.game(game))).error == pytest.approx(MEASURED[kind, game])


def _decision(game: str) -> Position:
    position = sw.game(game).start()
    return position.roll(position.rolls()[0]) if position.chance else position
