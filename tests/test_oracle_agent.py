"""The oracle as an agent: perfect by recursion over the rules, honest about what it does not know."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

import spielwerk as sw
from recursion import Recursion, Small, expected, turns_left, use
from spielwerk.arena.grading.questions import regret
from spielwerk.arena.grading.sampling import turns_played
from spielwerk.arena.playing.block import play_block
from spielwerk.arena.playing.plan import Plan
from spielwerk.kernel.random import stream
from spielwerk.solvers.oracle import Truth, oracle
from variants import random_positions

NIM = "nim:stacks=3-4-5"
OTHELLO = "othello:size=4"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of its own."""
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))


def decisions(name: str, games: int, last: int = 1000) -> Iterator[sw.Position]:
    """Positions with a choice, among the last ones of random games."""
    for seed in range(games):
        for position in random_positions(sw.game(name), seed)[-last:]:
            if len(position.turns()) > 1:
                yield position


def test_a_win_comes_as_soon_and_a_loss_as_late_as_possible() -> None:
    agent, won, lost = sw.agent("oracle", NIM), 0, 0
    for sizes in itertools.product(range(4), range(5), range(6)):
        position = agent.game.parse("{}-{}-{} A".format(*sizes))
        if position.over:
            continue
        ends = [turn.end for turn in position.turns() if expected(turn.end) == expected(position)]
        fastest, slowest = (most(turns_left(end) for end in ends) for most in (min, max))
        wins = expected(position) > 0
        taken = position.play(agent.choose(position))
        assert expected(taken) == expected(position)
        assert turns_left(taken) == (fastest if wins else slowest)
        won, lost = won + (wins and fastest < slowest), lost + (not wins and fastest < slowest)
    assert min(won, lost) >= 3


def test_a_draw_is_the_one_that_is_easiest_to_get_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Recursion)
    agent, told_apart = sw.agent("oracle", OTHELLO), 0
    assert not agent.draws  # chance has no part in it
    for position in decisions(OTHELLO, 120, last=9):
        drawn = [turn.end for turn in position.turns() if expected(turn.end) == 0]
        if expected(position) == 0 and len(drawn) > 1:
            shares = {end: _wrong(end) for end in drawn}
            assert shares[position.play(agent.choose(position))] == max(shares.values())
            told_apart += len(set(shares.values())) > 1
    assert told_apart >= 3


def _wrong(position: sw.Position) -> float:
    """The share of replies after which a draw is lost."""
    side = (1, -1)[position.mover]
    values = [side * expected(turn.end) for turn in position.turns()] if not position.over else [0]
    return sum(value < 0 for value in values) / len(values)


def test_every_move_has_its_exact_value_and_the_first_is_played() -> None:
    agent = sw.agent("oracle", NIM)
    for position in decisions(NIM, 5):
        analysis, side = agent.analyse(position), (1, -1)[position.mover]
        assert analysis.value == side * expected(position)
        assert sorted(judged.move for judged in analysis.moves) == sorted(position.moves())
        for judged in analysis.moves:
            assert judged.value == side * expected(position.play(judged.move))
        assert agent.choose(position) == analysis.moves[0].move


def test_where_chance_decides_it_takes_the_highest_expectation_and_a_win_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(monkeypatch, Recursion)
    name = "einstein:board=3,stones=2"
    agent, wins = sw.agent("oracle", name), 0
    for position in decisions(name, 20):
        side = (1, -1)[position.mover]
        taken = position.play(agent.choose(position))
        assert side * expected(taken) == pytest.approx(max(side * expected(turn.end) for turn in position.turns()))
        at_once = any(turn.end.over and expected(turn.end) == side for turn in position.turns())
        assert taken.over or not at_once
        wins += at_once
    assert wins
    start = agent.game.start()
    assert agent.analyse(start).value == pytest.approx(expected(start))
    assert agent.analyse(start).moves == ()


def test_where_it_does_not_know_another_agent_plays_and_the_analysis_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(monkeypatch, Small)
    game = sw.game("nim:stacks=3-3")
    agent, other = sw.agent("oracle:otherwise=random", game), sw.agent("random", game)
    start, known = game.start(), game.parse("2-2 A")
    for number in range(20):
        assert agent.choose(start, stream(number, "test")) == other.choose(start, stream(number, "test"))
    analysis = agent.analyse(start, stream(1, "test"))
    assert analysis.value is None
    assert analysis.moves[0].move == other.choose(start, stream(1, "test"))
    values = {judged.move: judged.value for judged in analysis.moves}
    assert values == {"1:1": None, "2:1": None, **dict.fromkeys(("1:2", "1:3", "2:2", "2:3"), -1)}
    assert agent.analyse(known).value == expected(known)
    assert agent.draws
    assert not sw.agent("oracle:otherwise=alphabeta", game).draws


def test_a_certain_win_is_taken_whatever_the_other_turns_are(monkeypatch: pytest.MonkeyPatch) -> None:
    class OneWin(Recursion):
        def truth(self, position: sw.Position) -> Truth | None:
            return Truth(-1.0, 4) if str(position) == "1-3 B" else None

    use(monkeypatch, OneWin)
    game = sw.game("nim:stacks=3-3")
    assert sw.agent("oracle", game).choose(game.start()) == "1:2"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("oracle:otherwise=oracle", "oracle: otherwise must be another agent, which plays what the oracle"),
        ('oracle:otherwise="oracle:otherwise=mc"', "oracle: otherwise must be another agent"),
        ("oracle:otherwise=mtcs", 'There is no agent "mtcs". Did you mean "mcts"?'),
        ("oracle:otherwise=race", "race plays einstein, not nim."),
        ("oracle:knows=stones=5", 'oracle has no setting "stones".'),
        ("oracle:knows=5", 'oracle: "5" is not a setting; write key=value.'),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(name: str, sentence: str) -> None:
    with pytest.raises(sw.BadInput) as refusal:
        sw.agent(name, NIM)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize("opponent", ["random", "mcts:iterations=50"])
def test_it_never_loses_value_in_a_match(opponent: str) -> None:
    games, game = 40, sw.game("nim")
    agents, plan = [sw.agent(name, game) for name in ("oracle", opponent)], Plan("nim", ("oracle", opponent), games)
    block, seats = play_block(plan, game, agents, 0, games, keep=True), plan.seats(game, 0, games)
    truth, lost = oracle(game), []
    for trace, seated in zip(block.traces, seats, strict=True):
        for states in turns_played(game, game.start().state, trace):
            before, after = (sw.Position(game, state) for state in states)
            if seated[before.mover] == 0:
                lost.append(regret(truth, before, after))
    assert len(lost) > 3 * games
    assert not any(lost)
