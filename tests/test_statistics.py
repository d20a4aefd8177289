"""The figures of a match and the sequential test: their errors are as often wrong as they say."""

from __future__ import annotations

import numpy as np
import pytest

from spielwerk.arena.figures import percentage
from spielwerk.arena.matches.sprt import BOUND, Sprt
from spielwerk.arena.matches.statistics import Summary, student, summary
from spielwerk.names import BadInput

REPEATS = 1500


def pairs(points: np.ndarray, scores: np.ndarray | None = None) -> Summary:
    """The figures of games that follow each other in pairs."""
    return summary(np.stack([2 * points - 1 if scores is None else scores, points]), np.arange(len(points)) // 2)


def drawn(kind: str, rng: np.random.Generator, groups: int, rate: float) -> np.ndarray:
    """Points of paired games with a mean of `rate`."""
    luck = rng.random((groups, 2))
    if kind == "opposite":  # what is good luck in one game is bad luck in the other
        luck[:, 1] = 1 - luck[:, 0]
    if kind == "alike":
        luck[:, 1] = np.where(rng.random(groups) < 0.5, luck[:, 0], luck[:, 1])
    draws = 1.2 * min(rate, 1 - rate) if kind == "draws" else 0.0
    return np.where(luck < rate - draws / 2, 1.0, np.where(luck < rate + draws / 2, 0.5, 0.0)).ravel()


@pytest.mark.parametrize("kind", ["independent", "opposite", "alike", "draws"])
@pytest.mark.parametrize(
    ("groups", "rate"), [(10, 0.5), (10, 0.8), (60, 0.3), (50, 0.99), (100, 0.95), (400, 0.5), (400, 0.99)]
)
def test_the_intervals_hold_the_truth_in_95_percent_of_matches(kind: str, groups: int, rate: float) -> None:
    rng = np.random.default_rng(7)
    found = [pairs(drawn(kind, rng, groups, rate)) for _ in range(REPEATS)]
    rates = np.mean([one.rate_interval[0] <= rate <= one.rate_interval[1] for one in found])
    scores = np.mean([one.score_interval[0] <= 2 * rate - 1 <= one.score_interval[1] for one in found])
    least = 0.905 if (groups, rate) == (50, 0.99) else 0.925  # one lost game is expected there: the worst case known
    assert min(rates, scores) > least
    if groups >= 100 and (kind, rate) != ("opposite", 0.5):  # there the rate is ½ in every match
        assert rates < 0.985


@pytest.mark.parametrize("rate", [0.5, 0.9])
def test_the_interval_of_a_score_that_says_more_than_won_or_lost_holds_the_truth(rate: float) -> None:
    rng = np.random.default_rng(8)
    held = 0
    for _ in range(REPEATS):
        points = drawn("alike", rng, 50, rate)
        worth = 1.0 + (rng.random(100) < 0.3)  # a gammon counts 2
        low, high = pairs(points, (2 * points - 1) * worth).score_interval
        held += low <= 1.3 * (2 * rate - 1) <= high
    assert 0.925 < held / REPEATS < 0.975


def test_mirrored_luck_makes_the_interval_narrower_and_shared_luck_makes_it_wider() -> None:
    rng = np.random.default_rng(9)
    opposite, independent, alike = (pairs(drawn(kind, rng, 2000, 0.7)) for kind in ("opposite", "independent", "alike"))
    width = [one.rate_interval[1] - one.rate_interval[0] for one in (opposite, independent, alike)]
    assert width[0] < 0.85 * width[1] < width[1] < 0.9 * width[2]


def test_independent_games_have_wilsons_interval() -> None:
    points = np.array([1.0] * 700 + [0.0] * 300)
    low, high = summary(np.stack([points, points]), np.arange(1000)).rate_interval
    z = student(999)
    for end in (low, high):  # where the truth would be just z standard errors away
        assert abs(end - 0.7) == pytest.approx(z * np.sqrt(end * (1 - end) / 1000), rel=1e-3)


def test_a_match_that_was_always_won_is_not_certain() -> None:
    won = pairs(np.ones(20))
    assert won.rate == won.rate_interval[1] == won.score == won.score_interval[1] == 1.0
    assert 0.75 < won.rate_interval[0] < 0.85
    assert won.score_interval[0] == pytest.approx(2 * won.rate_interval[0] - 1)
    lost = pairs(np.zeros(20), np.full(20, -3.0))
    assert lost.score_interval[0] == -3.0 < lost.score_interval[1] < 0
    drawn_only = pairs(np.full(20, 0.5), np.zeros(20))
    assert drawn_only.draws == 20
    assert drawn_only.score_interval[0] < -0.1 < 0.1 < drawn_only.score_interval[1]


@pytest.mark.parametrize("games", [1, 2, 3])
def test_a_few_games_say_almost_nothing(games: int) -> None:
    low, high = pairs(np.ones(games)).rate_interval
    assert low < 0.05
    assert high == 1.0


def test_a_last_group_may_be_smaller() -> None:
    found = pairs(np.array([1.0, 0.0, 1.0, 1.0, 0.5]))
    assert (found.games, found.wins, found.draws, found.losses, found.rate) == (5, 3, 1, 1, 0.7)
    assert 0 <= found.rate_interval[0] < 0.7 < found.rate_interval[1] <= 1


def test_the_facts_are_those_of_the_design() -> None:
    facts = pairs(np.array([1.0, 0.0])).facts()
    keys = ["games", "wins", "draws", "losses", "rate", "rate_interval", "score", "score_interval"]
    assert list(facts) == keys
    assert isinstance(facts["rate_interval"], list)


def test_students_quantiles_are_those_of_the_tables() -> None:
    for freedom, value in ((1, 12.706), (5, 2.571), (10, 2.228), (12, 2.179), (20, 2.086), (60, 2.000), (10**6, 1.960)):
        assert student(freedom) == pytest.approx(value, abs=3e-3)


@pytest.mark.parametrize("kind", ["independent", "opposite", "alike", "draws"])
@pytest.mark.parametrize(("elo", "wrong"), [(0, "H1"), (60, "H0")])
def test_the_sequential_test_errs_in_5_percent_of_matches(kind: str, elo: int, wrong: str) -> None:
    rng, test = np.random.default_rng(3), Sprt(0, 60)
    verdicts, games = [], []
    for _ in range(600):
        points = drawn(kind, rng, 1500, test.rate(elo))
        verdict, used = test.stop(np.stack([points, points]), np.arange(3000) // 2)
        verdicts.append(verdict)
        games.append(used)
    assert verdicts.count(wrong) / 600 < 0.08
    assert verdicts.count(None) / 600 < 0.02
    assert np.mean(games) < 500


def test_a_verdict_comes_at_the_end_of_a_group_and_stays() -> None:
    rng, test = np.random.default_rng(5), Sprt.parse("0,100")
    points = drawn("independent", rng, 2000, test.rate(100))
    gains, groups = np.stack([points, points]), np.arange(4000) // 2
    verdict, used = test.stop(gains, groups)
    assert verdict == "H1"
    assert used % 2 == 0
    assert test.stop(gains[:, :used], groups[:used]) == ("H1", used)
    assert test.stop(gains[:, : used + 1], groups[: used + 1]) == ("H1", used)
    for games in range(used):
        assert test.stop(gains[:, :games], groups[:games]) == (None, games)


def test_the_evidence_is_the_ratio_of_two_normal_likelihoods() -> None:
    points = np.array([1, 0, 1, 1, 0.5, 0, 1, 0.5] * 500)
    test = Sprt(0, 50)
    means = points.reshape(-1, 2).mean(axis=1)
    # The three groups that count as seen before the first hardly matter among 2000.
    low, high = (((means - test.rate(elo)) ** 2).sum() / (2 * means.var()) for elo in (0, 50))
    assert test.evidence(np.stack([points, points]), np.arange(4000) // 2)[-1] == pytest.approx(low - high, rel=0.01)
    assert np.log(19) == pytest.approx(BOUND)


def test_with_three_teams_equal_agents_win_a_third() -> None:
    assert Sprt(0, 10, others=2).rate(0) == pytest.approx(1 / 3)
    assert Sprt(0, 10).rate(400) == pytest.approx(10 / 11)


@pytest.mark.parametrize("text", ["", "20", "20,0", "5,5", "a,b", "0,20,40", "nan,20", "0,5000"])
def test_a_sequential_test_needs_two_differences_in_order(text: str) -> None:
    with pytest.raises(BadInput):
        Sprt.parse(text)


@pytest.mark.parametrize("games", [1, 3, 40, 400, 1000])
def test_the_rates_of_both_sides_add_up_to_100_as_they_are_written(games: int) -> None:
    for halves in range(2 * games + 1):
        rate = halves / (2 * games)
        written = float(percentage(rate)), float(percentage(1 - rate))
        assert sum(written) == pytest.approx(100, abs=1e-9)
        assert written[0] == pytest.approx(100 * rate, abs=0.0501)
