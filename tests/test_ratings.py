"""Ratings: closed forms, known strengths found again, and nothing but totals counts."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import numpy as np
import pytest

from spielwerk.arena.matches.ratings import ELO, Rating, Tally, ratings, totals


def by_name(tallies: list[Tally]) -> dict[str, Rating]:
    return {rating.agent: rating for rating in ratings(tallies)}


def tournament(truth: dict[str, float], games: int, drawn: float, seed: int, others: int = 1) -> list[Tally]:
    """Everyone against everyone, with the rates of these ratings; `drawn`: the share of draws, of the most possible."""
    rng = np.random.default_rng(seed)
    tallies = []
    pairs = itertools.permutations(truth, 2) if others > 1 else itertools.combinations(truth, 2)
    for first, second in pairs:
        rate = 1 / (1 + others * 10 ** ((truth[second] - truth[first]) / 400))
        draws = 2 * drawn * min(rate, 1 - rate)
        won, drew, lost = rng.multinomial(games, [rate - draws / 2, draws, 1 - rate - draws / 2]).tolist()
        tallies.append(Tally(first, second, won, drew, lost, others))
    return tallies


def half_width(rating: Rating) -> float:
    return (rating.interval[1] - rating.interval[0]) / 2


@pytest.mark.parametrize("counts", [(10, 5, 2), (70, 0, 30), (20, 0, 0), (0, 9, 1), (3, 900, 3), (0, 20, 0)])
def test_two_agents_have_the_closed_form(counts: tuple[int, int, int]) -> None:
    found = by_name([Tally("a", "random", *counts)])["a"]
    wins, draws, losses = counts[0] + 0.5, counts[1], counts[2] + 0.5  # the prior adds half a win and half a loss
    games = wins + draws + losses
    rate = (wins + draws / 2) / games
    assert found.rating == pytest.approx(400 * math.log10(rate / (1 - rate)), abs=1e-6)
    # By the delta method: the standard error of the rate, over the slope r(1 - r) of the logistic curve.
    variance = (wins * (1 - rate) ** 2 + draws * (0.5 - rate) ** 2 + losses * rate**2) / games
    half = 1.959964 * ELO * math.sqrt(variance / games) / (rate * (1 - rate))
    assert found.interval == pytest.approx((found.rating - half, found.rating + half), rel=1e-6, abs=1e-6)
    if not draws:
        assert half == pytest.approx(1.959964 * ELO * math.sqrt(1 / wins + 1 / losses))


def test_a_difference_says_the_rate_however_many_games_are_drawn() -> None:
    met = Tally("a", "b", 80, 900, 20)
    found = by_name([met, Tally("a", "random", 1000, 0, 0), Tally("b", "random", 1000, 0, 0)])
    rate = 1 / (1 + 10 ** ((found["b"].rating - found["a"].rating) / 400))
    assert rate == pytest.approx(0.53, abs=1e-3)
    assert found["a"].rating - found["b"].rating == pytest.approx(20.9, abs=0.2)
    decided = by_name([Tally("a", "b", 530, 0, 470)])["a"]
    assert by_name([met])["a"].rating == pytest.approx(decided.rating, abs=1e-6)
    # The points of a game have a variance of 0.1 / 4 instead of 1 / 4, but for the square of 0.03.
    assert half_width(by_name([met])["a"]) == pytest.approx(half_width(decided) * math.sqrt(0.1), rel=0.02)


@pytest.mark.parametrize(("drawn", "others"), [(0.0, 1), (0.8, 1), (0.0, 2)])
def test_known_ratings_are_found_again(drawn: float, others: int) -> None:
    truth = {"random": 0.0, "a": 120.0, "b": 200.0, "c": 450.0, "d": 800.0}
    found = by_name(tournament(truth, 50_000, drawn, 1, others))
    for agent, rating in truth.items():
        assert found[agent].rating == pytest.approx(rating, abs=15)


CLOSE_BY = {"random": 0.0, "a": -50.0, "b": 100.0, "c": 150.0, "d": 300.0}
FAR_APART = {"random": 0.0, "a": 300.0, "b": 600.0, "c": 900.0, "d": 1200.0}  # the last makes 99.9 % against the first


@pytest.mark.parametrize(
    ("truth", "games", "drawn", "others"),
    [
        *[(CLOSE_BY, games, drawn, 1) for games in (4, 40) for drawn in (0.0, 0.5, 0.9)],
        *[(FAR_APART, 40, drawn, 1) for drawn in (0.0, 0.9)],
        (CLOSE_BY, 40, 0.5, 2),
    ],
)
def test_the_intervals_hold_the_truth_in_95_percent_of_tournaments(
    truth: dict[str, float], games: int, drawn: float, others: int
) -> None:
    held = []
    for seed in range(300):
        for rating in ratings(tournament(truth, games, drawn, seed, others)):
            if rating.agent != "random":
                held.append(rating.interval[0] <= truth[rating.agent] <= rating.interval[1])
    assert 0.925 < np.mean(held) < (0.975 if games >= 40 else 0.99)


@pytest.mark.parametrize(
    ("games", "win", "draw", "least"),
    [
        *[(20, 0.5, 0.0, 0.94), (20, 0.7, 0.0, 0.94), (20, 0.2, 0.7, 0.94), (20, 0.05, 0.9, 0.94)],
        *[(30, 0.95, 0.0, 0.92), (30, 0.9, 0.1, 0.92)],  # extreme
        (20, 0.1, 0.9, 0.87),  # never lost, seldom won: the worst case, when all games happen to be drawn
    ],
)
def test_over_all_results_of_a_match_the_interval_holds_the_truth_with_about_95_percent(
    games: int, win: float, draw: float, least: float
) -> None:
    truth, held = 400 * math.log10((win + draw / 2) / (1 - win - draw / 2)), 0.0
    for wins in range(games + 1):
        for draws in range(games + 1 - wins):
            ways = math.comb(games, wins) * math.comb(games - wins, draws)
            losses = games - wins - draws
            likely = ways * win**wins * draw**draws * max(0.0, 1 - win - draw) ** losses
            if likely > 1e-9:
                low, high = by_name([Tally("a", "random", wins, draws, losses)])["a"].interval
                held += likely * (low <= truth <= high)
    assert held > least


def wild(seed: int) -> list[Tally]:
    """Pairs that played one game or a million, all won, all drawn, all lost or mixed, without any sense."""
    rng = np.random.default_rng(seed)
    pairs = [(k, int(rng.integers(k))) for k in range(1, 9)] + rng.integers(9, size=(12, 2)).tolist()
    shares = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.2, 0.5, 0.3)]
    counts = [rng.multinomial(int(10 ** rng.uniform(0, 6)), shares[rng.integers(4)]).tolist() for _ in pairs]
    return totals(Tally(f"a{i}", f"a{k}", *three) for (i, k), three in zip(pairs, counts, strict=True))


@pytest.mark.parametrize("tallies", [tournament(CLOSE_BY, 30, 0.6, 4), *map(wild, range(20))])
def test_every_agents_expected_points_are_those_it_made(tallies: list[Tally]) -> None:
    """Half of the added games included, of which a pair has the larger share of its two agents."""
    found = by_name(tallies)
    met = Counter(agent for one in tallies for agent in (one.first, one.second))
    for agent in found:
        surplus = 0.0
        for side in (side for one in tallies for side in (one, one.turned) if side.first == agent):
            expected = 1 / (1 + 10 ** ((found[side.second].rating - found[agent].rating) / 400))
            added = 1 / min(met[side.first], met[side.second])
            surplus += side.wins + side.draws / 2 + added / 2 - expected * (side.games + added)
        assert surplus == pytest.approx(0, abs=1e-6)


def test_who_met_one_opponent_has_the_rating_of_that_match_alone() -> None:
    matches = [Tally("a", "random", 1000, 0, 0), Tally("b", "random", 3, 8, 1), Tally("c", "random", 0, 0, 40)]
    together = by_name(matches)
    for match in matches:
        alone = by_name([match])[match.first]
        assert together[match.first].rating == pytest.approx(alone.rating, abs=1e-6)
        assert together[match.first].interval == pytest.approx(alone.interval, abs=1e-6)


def test_with_many_games_the_prior_vanishes() -> None:
    """In a hundred times as many games with the same rates the added games are a hundredth: so is what they change."""
    truth = 400 * math.log10(0.97 / 0.03)
    few, many = (by_name([Tally("a", "random", 97 * n, 0, 3 * n)])["a"].rating - truth for n in (1, 100))
    assert -30 < few < 0
    assert many == pytest.approx(few / 100, rel=0.2)


def test_only_totals_count_not_order_nor_side() -> None:
    tallies = tournament({"random": 0.0, "a": 100.0, "b": 250.0, "c": 300.0}, 60, 0.4, 2)
    single = [
        Tally(one.first, one.second, *(int(result == i) for i in range(3)))
        for one in tallies
        for result, count in enumerate((one.wins, one.draws, one.losses))
        for _ in range(count)
    ]
    random.Random(1).shuffle(single)
    turned = [one.turned if i % 2 else one for i, one in enumerate(single)]
    assert ratings(turned) == ratings(tallies)
    assert totals(turned) == totals(tallies)


def test_an_unbeaten_agent_has_a_finite_rating_that_grows_with_its_games() -> None:
    few, many = (by_name([Tally("a", "random", games, 0, 0)])["a"] for games in (10, 1000))
    assert few.rate == many.rate == 1.0
    # Who loses 0.3 or 3 games of 1000 on average wins them all in 74 % or 5 % of matches; with 10 that never happens.
    good, fair, poor = (400 * math.log10((1000 - lost) / lost) for lost in (0.3, 3, 10))
    assert poor < many.interval[0] < fair < good < many.interval[1]
    assert 400 < few.rating < 600 < many.rating


def test_a_chain_of_unbeaten_agents_is_rated() -> None:
    chain = [Tally(f"a{i}", f"a{i - 1}" if i else "random", 10**6, 0, 0) for i in range(199)]
    found = ratings([*chain, Tally("random", "a198", 10**6, 0, 0)])  # and the last one lost to the first: a cycle
    assert len(found) == 200
    assert all(math.isfinite(end) for rating in found for end in rating.interval)
    assert [rating.rating for rating in found] == pytest.approx([0.0] * 200, abs=1e-6)
    assert sorted(rating.agent for rating in ratings(chain)[:2]) == ["a197", "a198"]


def test_random_is_0_or_else_the_lowest() -> None:
    tallies = [Tally("a", "random", 1, 0, 9), Tally("b", "random", 9, 0, 1)]
    found = by_name(tallies)
    assert found["a"].rating < 0 < found["b"].rating
    assert (found["random"].rating, found["random"].interval, found["b"].anchor) == (0.0, (0.0, 0.0), "random")
    found = by_name([Tally("a", "c", 1, 0, 9), Tally("b", "c", 9, 0, 1)])
    assert found["a"].rating == 0.0
    assert {rating.anchor for rating in found.values()} == {"a"}
    assert found["a"].rating < found["c"].rating < found["b"].rating


def test_agents_that_no_chain_of_matches_joins_are_rated_apart() -> None:
    joined = [Tally("a", "random", 7, 0, 3), Tally("b", "random", 6, 0, 4)]
    apart = [Tally("x", "y", 9, 0, 1), Tally("y", "z", 9, 0, 1), Tally("z", "w", 5, 0, 5)]
    found = ratings(apart + joined)
    assert [rating.agent for rating in found] == ["a", "b", "random", "x", "y", "w", "z"]
    assert [rating for rating in found if rating.anchor == "random"] == ratings(joined)
    assert {rating.anchor for rating in found[3:]} <= {"w", "z"}


def test_a_rating_carries_what_was_played() -> None:
    found = by_name([Tally("a", "random", 5, 2, 3), Tally("b", "a", 4, 1, 0)])["a"]
    assert (found.games, found.wins, found.draws, found.losses) == (15, 5, 3, 7)
    assert found.rate == pytest.approx(6.5 / 15)
    keys = ["agent", "rating", "interval", "games", "wins", "draws", "losses", "rate", "anchor"]
    assert list(found.facts()) == keys


def test_nothing_played_is_nothing_rated() -> None:
    assert ratings([]) == []
    assert ratings([Tally("a", "a", 5, 0, 5), Tally("a", "b", 0, 0, 0)]) == []


def test_200_agents_are_rated() -> None:
    truth = {f"agent{i}": 10.0 * i for i in range(199)} | {"random": 0.0}
    found = by_name(tournament(truth, 6, 0.3, 3))
    errors = [found[agent].rating - rating for agent, rating in truth.items()]
    assert len(found) == 200
    assert np.std(errors) < 40
