"""Tournaments and the ladder: who meets whom, what is kept, what is printed."""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.arena.matches import stored_tournament as stored_module
from spielwerk.arena.matches.ladder import ladder
from spielwerk.arena.matches.match import play_match
from spielwerk.arena.matches.pairing import BYE, most_rounds, round_robin, swiss
from spielwerk.arena.matches.ratings import Tally, ratings
from spielwerk.arena.matches.statistics import Summary, summary
from spielwerk.arena.matches.tournament import Terms, Tournament, pair_seed, plans
from spielwerk.arena.playing.block import Block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.plots import rating_figure, save
from spielwerk.arena.records.store import Store
from spielwerk.cli import main
from spielwerk.names import BadInput

NIM = "nim:stacks=1-2"
AGENTS = ("random", "weak", "middle", "strong")  # in this order
Run = Callable[..., tuple[int, str, str]]


def fake(plan: Plan) -> Summary:
    """A match in which the agent later in the list wins three games of four."""
    better = AGENTS.index(plan.agents[0]) > AGENTS.index(plan.agents[1])
    points = np.tile([1.0, 1.0, 1.0, 0.0] if better else [0.0, 0.0, 0.0, 1.0], plan.games)[: plan.games]
    return summary(np.stack([2 * points - 1, points]), np.arange(plan.games) // 2)


def played(terms: Terms) -> Tournament:
    tournament = Tournament(terms, sw.game(terms.game), fake)
    tournament.run()
    assert tournament.played == tournament.games
    return tournament


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def spielwerk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command with some arguments: (exit code, output, errors)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["spielwerk", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return ended.value.code if isinstance(ended.value.code, int) else 0, shown.out, shown.err

    return run


def test_in_a_round_robin_every_pair_meets_once() -> None:
    met = [frozenset(pair) for pair in round_robin("abcde")]
    assert len(met) == len(set(met)) == 10


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 12, 31, 60])
@pytest.mark.parametrize("fixed", [True, False])
def test_in_a_swiss_tournament_nobody_meets_twice_and_all_play(count: int, fixed: bool) -> None:
    """Where the standings never change, neighbours have soon all met: the hardest case."""
    standings = [f"agent{i}" for i in range(count)]
    past: set[frozenset[str]] = set()
    for turn in range(most_rounds(count)):
        pairs = swiss(standings, past)
        assert sorted(itertools.chain.from_iterable(pairs)) == sorted([*standings, *[BYE] * (count % 2)])
        assert past.isdisjoint(frozenset(pair) for pair in pairs)  # byes included: nobody has two
        past |= {frozenset(pair) for pair in pairs}
        if not fixed:
            random.Random(turn).shuffle(standings)


def test_a_swiss_round_pairs_neighbours_and_the_last_has_the_bye() -> None:
    assert swiss(["a", "b", "c", "d", "e"], set()) == [("a", "b"), ("c", "d"), ("e", BYE)]
    past = {frozenset(pair) for pair in (("a", "b"), ("c", "d"), ("e", BYE))}
    assert swiss(["a", "b", "c", "d", "e"], past) == [("a", "c"), ("b", "e"), ("d", BYE)]


def test_a_tournament_finds_the_order_of_its_agents() -> None:
    facts = played(Terms(NIM, AGENTS, games=40)).facts()
    assert [rating["agent"] for rating in facts["ratings"]] == list(reversed(AGENTS))
    assert facts["ratings"][-1]["rating"] == 0.0
    assert facts["games"] == 6 * 40
    assert facts["cross"]["strong"] == {"middle": 0.75, "weak": 0.75, "random": 0.75}
    assert facts["cross"]["random"]["strong"] == 0.25
    assert json.loads(json.dumps(facts)) == facts


def test_a_swiss_tournament_plays_its_rounds() -> None:
    tournament = played(Terms(NIM, AGENTS, games=40, rounds=2))
    met = [frozenset(plan.agents) for plan in tournament.results]
    assert len(set(met)) == 4
    winners = {"weak", "strong"}  # of the first round, random-weak and middle-strong
    assert winners in met


def test_a_pairs_games_do_not_depend_on_who_else_takes_part() -> None:
    few, many = played(Terms(NIM, AGENTS[:2], games=4)), played(Terms(NIM, AGENTS, games=4))
    assert set(few.results) < set(many.results)
    assert len({plan.seed for plan in many.results}) == 6
    assert pair_seed(1, ("a", "b")) != pair_seed(2, ("a", "b"))
    assert 0 <= pair_seed(1, ("a", "b")) < 2**31


def test_with_three_teams_either_agent_of_a_pair_is_alone_in_half_of_the_games() -> None:
    three: Any = SimpleNamespace(constants={"TEAM": (0, 1, 2)}, sides=3)
    first, second = plans(Terms("three", ("a", "b"), games=10), three, ("a", "b"))
    assert (first.agents, second.agents) == (("a", "b"), ("b", "a"))
    assert first.games == second.games == 5


def test_what_is_done_is_not_played_again() -> None:
    terms = Terms(NIM, AGENTS, games=8, rounds=2)
    whole = played(terms)
    done = dict(itertools.islice(whole.results.items(), 3))
    again: list[Plan] = []
    resumed = Tournament(terms, sw.game(NIM), lambda plan: again.append(plan) or fake(plan), done)
    resumed.run()
    assert again == [plan for plan in whole.results if plan not in done]
    assert resumed.facts() == whole.facts()


@pytest.mark.parametrize(
    ("agents", "games", "rounds"),
    [(("a",), 2, 0), (("a", "b", "a"), 2, 0), (("a", "b"), 0, 0), (("a", "b", "c", "d"), 2, 3), (("a", "b"), 2, -1)],
)
def test_impossible_terms_are_refused(agents: tuple[str, ...], games: int, rounds: int) -> None:
    with pytest.raises(BadInput):
        Terms(NIM, agents, games, rounds=rounds)


def stored(store: Store, plan: Plan, wins: int, finished: bool = True) -> None:
    """Stores a match of which the first agent won the first games."""
    seats = plan.seats(sw.game(plan.game), 0, plan.games)
    won = np.arange(plan.games) < wins
    scores = np.where((seats == 0) == won[:, None], 1.0, -1.0)
    number = store.begin(plan)
    store.add(number, Block(0, scores), {})
    if finished:
        store.finish(number, plan.games)


def test_the_ladder_is_computed_from_the_totals_of_all_matches_of_the_variant(home: Path) -> None:
    plans = [
        Plan(NIM, ("a", "random"), 20, seed=1),
        Plan(NIM, ("b", "a"), 10, seed=1),
        Plan(NIM, ("random", "a"), 4, 2),
    ]
    wins = [15, 6, 1]
    expected = ratings([Tally("a", "random", 15, 0, 5), Tally("b", "a", 6, 0, 4), Tally("random", "a", 1, 0, 3)])
    for order in ([0, 1, 2], [2, 0, 1]):
        with Store(home / f"{order}.db") as store:
            for i in order:
                stored(store, plans[i], wins[i], finished=i != 1)
            stored(store, Plan("nim", ("a", "random"), 6), 6)
            places = ladder(store, sw.game(NIM))
        assert [place.rating for place in places] == expected
        assert all(place.last_played.startswith("20") for place in places)


def test_the_same_games_played_twice_count_once(home: Path) -> None:
    with Store(home / "a.db") as store:
        for games in (10, 30, 20):
            stored(store, Plan(NIM, ("a", "random"), games, seed=5), games // 2)
        assert ladder(store, sw.game(NIM))[0].rating.games == 30


def test_matches_in_which_the_agents_were_allies_do_not_rate(home: Path) -> None:
    four = sw.game("einstein:board=6,players=4")
    with Store(home / "a.db") as store:
        stored(store, Plan(four.name, ("a", "b"), 8, seating="mixed"), 4)
        assert ladder(store, four) == []
        stored(store, Plan(four.name, ("a", "b"), 8), 4)
        assert ladder(store, four)[0].rating.games == 8


@pytest.mark.parametrize(("name", "begin"), [("plot.png", b"\x89PNG"), ("plot.SVG", b"<?xml")])
def test_ratings_are_drawn(name: str, begin: bytes, home: Path) -> None:
    rated = ratings([Tally("engine:$HOME/a_b$[x]", "random", 15, 0, 5), Tally("b" * 200, "random", 9, 3, 8)])
    save(lambda: rating_figure(rated, "nim · 40 games"), home / name)
    assert (home / name).read_bytes().startswith(begin)


@pytest.mark.parametrize("name", ["plot.gif", "plot", "missing/plot.png"])
def test_a_plot_that_cannot_be_written_is_refused(name: str, home: Path) -> None:
    with pytest.raises(BadInput):
        save(lambda: rating_figure(ratings([Tally("a", "random", 15, 0, 5)]), "nim"), home / name)


def test_the_commands_print_ratings_as_facts_and_as_tables(spielwerk: Run, home: Path) -> None:
    picture = home / "ratings.svg"
    agents = ("mc:iterations=5", "random", "mc:iterations=1")
    arguments = ("tournament", NIM, *agents, "-n", "20", "--processes", "1")
    code, out, _ = spielwerk(*arguments, "--json", "--plot", str(picture))
    facts = json.loads(out)
    assert code == 0
    assert list(facts) == ["game", "games", "ratings", "cross", "tournament"]
    assert (facts["game"], facts["games"], facts["tournament"]) == (NIM, 60, 1)
    assert {rating["agent"] for rating in facts["ratings"]} == set(agents) == set(facts["cross"])
    assert picture.read_text().startswith("<?xml")
    again = json.loads(spielwerk(*arguments, "--json")[1])
    assert again == facts | {"tournament": 2}
    _, table, _ = spielwerk("ladder", NIM)
    assert "Elo above random" in table
    assert spielwerk("ladder", NIM, "--plot", str(picture))[1] == f"{table}{picture} shows the ratings.\n"
    rated = json.loads(spielwerk("ladder", NIM, "--json")[1])["ratings"]
    assert [{**rating, "last_played": ""} for rating in rated] == [
        {**one, "last_played": ""} for one in facts["ratings"]
    ]
    _, table, _ = spielwerk("tournament", "--resume", "1")
    assert table.splitlines()[-1] == "Tournament 1, 60 games."


def test_a_stopped_tournament_says_how_to_go_on_and_gives_the_same(
    spielwerk: Run, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    arguments = ("tournament", NIM, "random", "mc:iterations=1", "mc:iterations=5", "-n", "10", "--json")
    _, whole, _ = spielwerk(*arguments)
    monkeypatch.setenv("SPIELWERK_HOME", str(home / "another"))
    begun: list[Plan] = []

    def stopping(plan: Plan, *given: Any, **options: Any) -> Any:
        begun.append(plan)
        if len(begun) == 2:
            raise KeyboardInterrupt
        return play_match(plan, *given, **options)

    with monkeypatch.context() as patched:
        patched.setattr(stored_module, "play_match", stopping)
        code, _, errors = spielwerk(*arguments)
    assert (code, errors) == (130, "Stopped. What was played is kept; to resume: spielwerk tournament --resume 1\n")
    assert spielwerk("tournament", "--resume", "1", "--json")[1] == whole
    with Store() as store:
        assert [match.played for match in store.matches(tournament=1)] == [10, 10, 10]
        assert store.tournament(1).finished


@pytest.mark.parametrize(
    "arguments",
    [
        ("tournament",),
        ("tournament", NIM, "random"),
        ("tournament", NIM, "random", "random"),
        ("tournament", NIM, "random", "rndom"),
        ("tournament", NIM, "random", "mc", "--swiss", "5"),
        ("tournament", NIM, "random", "mc", "--plot", "ratings.gif"),
        ("tournament", "--resume", "1"),
        ("tournament", NIM, "--resume", "1"),
        ("ladder", NIM, "--plot", "ratings.svg"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], spielwerk: Run) -> None:
    code, out, errors = spielwerk(*arguments)
    assert (code, out) == (2, "")
    assert errors.endswith(".\n")
    assert len(errors.splitlines()) == 1
