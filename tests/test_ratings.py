"""Ratings: closed forms, known strengths found again, and nothing but totals counts."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from spielwerk.arena.ratings import ELO, Rating, Tally, ratings, totals


def by_name(tallies: list[Tally]) -> dict[str, Rating]:
    return {rating.agent: rating for rating in ratings(tallies)}


def tournament(truth: dict[str, float], games: int, drawn: float, seed: int, others: int = 1) -> list[Tally]:
    """Everyone against everyone, by Davidson's model with these ratings."""
    rng = np.random.default_rng(seed)
    tallies = []
    pairs = itertools.permutations(truth, 2) if others > 1 else itertools.combinations(truth, 2)
    for first, second in pairs:
        strong, weak = 10 ** (truth[first] / 400), others * 10 ** (truth[second] / 400)
        weights = np.array([strong, drawn * math.sqrt(strong * weak), weak])
        wins, draws, losses = rng.multinomial(games, weights / weights.sum()).tolist()
        tallies.append(Tally(first, second, wins, draws, losses, others))
    return tallies


@pytest.mark.parametrize(("wins", "draws", "losses"), [(10, 5, 2), (70, 0, 30), (20, 0, 0), (0, 9, 1), (3, 900, 3)])
def test_two_agents_have_the_closed_form(wins: int, draws: int, losses: int) -> None:
    found = by_name([Tally("a", "random", wins, draws, losses)])["a"]
    # The prior adds half a win and half a loss; then the odds are those of wins to losses.
    assert found.rating == pytest.approx(400 * math.log10((wins + 0.5) / (losses + 0.5)), abs=1e-6)
    half = 1.959964 * ELO * math.sqrt(1 / (wins + 0.5) + 1 / (losses + 0.5))
    assert found.interval == pytest.approx((found.rating - half, found.rating + half), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(("drawn", "others"), [(0.0, 1), (0.8, 1), (0.0, 2)])
def test_known_ratings_are_found_again(drawn: float, others: int) -> None:
    truth = {"random": 0.0, "a": 120.0, "b": 200.0, "c": 450.0, "d": 800.0}
    found = by_name(tournament(truth, 50_000, drawn, 1, others))
    for agent, rating in truth.items():
        assert found[agent].rating == pytest.approx(rating, abs=15)


def test_the_intervals_hold_the_truth_in_95_percent_of_tournaments() -> None:
    truth = {"random": 0.0, "a": -50.0, "b": 100.0, "c": 150.0, "d": 300.0}
    held = []
    for seed in range(400):
        for rating in ratings(tournament(truth, 40, 0.5, seed)):
            if rating.agent != "random":
                held.append(rating.interval[0] <= truth[rating.agent] <= rating.interval[1])
    assert 0.93 < np.mean(held) < 0.97


def test_no_agents_slope_is_left_at_the_summit() -> None:
    """Each agent's expected points are those it made, the half game that it and its opponents added included."""
    tallies = tournament({"random": 0.0, "a": 100.0, "b": 250.0, "c": 300.0}, 30, 0.0, 4)
    found = by_name(tallies)
    for agent in found:
        surplus = 0.0
        for side in (side for one in tallies for side in (one, one.turned) if side.first == agent):
            expected = 1 / (1 + 10 ** ((found[side.second].rating - found[agent].rating) / 400))
            added = 1 / 3  # half a game of each, shared out among three opponents
            surplus += side.wins + added / 2 - expected * (side.games + added)
        assert surplus == pytest.approx(0, abs=1e-6)


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
    assert 0 < few.rating < many.rating < 2000
    assert few.interval[1] < math.inf
    assert few.rate == 1.0


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
