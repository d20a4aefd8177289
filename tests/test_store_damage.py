"""The store is a file like others: a damaged row is named, and hides no other."""

from __future__ import annotations

import json
import sqlite3
import threading
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielwerk as sw
from damage import CAREFUL, damaged
from spielwerk import cli
from spielwerk.agents.registry import agent
from spielwerk.arena.matches.match import play_match
from spielwerk.arena.matches.stored_match import match_facts, stored_summary
from spielwerk.arena.matches.stored_tournament import begin_tournament, stored_tournament
from spielwerk.arena.matches.tournament import Terms
from spielwerk.arena.measurement import Measurement
from spielwerk.arena.playing.block import Block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.importer import imported
from spielwerk.arena.records.played import Kept, PlayedGames
from spielwerk.arena.records.reader import parse
from spielwerk.arena.records.replay import exported, replayed
from spielwerk.arena.records.store import Store
from spielwerk.names import BadInput
from spielwerk.terminal.game import TerminalGame

NIM = "nim:stacks=1-2"
DAMAGE = [
    ("match", "plan", "{"),
    ("match", "plan", 5),
    ("match", "plan", "[" * 100_000),
    ("match", "plan", b"\xff\xfe"),
    ("match", "plan", json.dumps({"game": NIM, "agents": ["a"], "games": 4})),
    ("match", "plan", json.dumps({"game": NIM, "agents": ["a", "b"], "games": 10**400})),
    ("match", "plan", json.dumps({"game": "gone", "agents": ["a", "b"], "games": 4})),
    ("match", "plan", json.dumps({"game": NIM, "agents": ["a", "b"], "games": 4, "opening": "x"})),
    ("block", "scores", b"no deflated bytes"),
    ("block", "scores", zlib.compress(bytes(8))),
    ("block", "scores", zlib.compress(np.full((6, 2), np.nan, "<f4").tobytes())),
    ("block", "scores", "text"),
    ("block", "games", 10**15),
    ("block", "games", "many"),
    ("block", "first", -1),
    ("match", "tournament", "x"),
]


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    """Two matches of six games, the first of which tests damage."""
    with Store() as store:
        for seed in (1, 2):
            play_match(Plan(NIM, ("random", "mc:iterations=2"), 6, seed), agent, store=store)
        yield store


def _spoil(store: Store, table: str, column: str, value: Any, which: str = "match") -> None:
    which = "number" if table != "block" and which == "match" else which
    with sqlite3.connect(store.path) as raw:
        raw.execute("PRAGMA foreign_keys = OFF")
        raw.execute(f"UPDATE {table} SET {column} = ? WHERE {which} = 1", (value,))
    raw.close()


def _run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["spielwerk", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


@pytest.mark.parametrize(("table", "column", "value"), DAMAGE)
def test_a_damaged_match_is_named_and_the_others_are_listed_rated_and_exported(
    store: Store, table: str, column: str, value: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    _spoil(store, table, column, value)
    with pytest.warns(UserWarning, match="1 of the store is damaged|There is no game"):
        assert _run(monkeypatch, "matches", "--json") == 0
    assert [one["number"] for one in json.loads(capsys.readouterr().out)["matches"]] == [2]
    assert _run(monkeypatch, "export", "2", str(tmp_path / "two.txt")) == 0
    if "gone" not in str(value):
        with pytest.warns(UserWarning, match="1 of the store is damaged"):
            assert _run(monkeypatch, "ladder", NIM, "--json") == 0
        assert '"games": 6' in capsys.readouterr().out
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # not every damage matters to an import
        assert _run(monkeypatch, "import", str(tmp_path / "two.txt")) == 0
    assert "Nothing is new" in capsys.readouterr().out
    assert _run(monkeypatch, "replay", "1") in (0, 2)


def test_of_a_match_with_a_damaged_record_the_other_games_are_exported(store: Store) -> None:
    _spoil(store, "record", "text", "[Game", "match = 1 AND game")
    found = list(exported(store, 1, agent))
    assert [game for game, record, _ in found if record is None] == [1]
    assert str(next(problem for _, record, problem in found if record is None)).startswith("Game 1: Line 1: ")
    assert len(found) == 6


def test_a_damaged_block_does_not_keep_its_games_from_being_exported(store: Store) -> None:
    _spoil(store, "block", "scores", b"nothing")
    assert [record is not None for _, record, _ in exported(store, 1, agent)] == [True] * 6


def test_a_damaged_game_of_people_is_named_and_the_others_are_listed(home: Path) -> None:
    record = parse('[Game "nim:stacks=1-2"]\n[Agents "a" "b"]\n[Result "0 0"]\n[Cut "too long"]\n')
    about = {"against": "human", "seat": 0, "seed": 1}
    with PlayedGames() as games:
        for _ in range(3):
            games.begin_game(Kept(record, (1, 2)), about)
        for column, value in [("record", "{"), ("streams", "[1]"), ("settings", "[]"), ("settings", '{"seat": "x"}')]:
            _spoil(games, "played", column, value)
            with pytest.warns(UserWarning, match="Game 1 of the store is damaged. It is left out."):
                assert [one.number for one in games.games()] == [2, 3]
            with pytest.raises(BadInput, match="Game 1 of the store is damaged"):
                games.game(1)
        with pytest.raises(BadInput, match="is not the number of a game"):
            games.game("9" * 5000)


def test_a_damaged_tournament_is_refused_by_name(store: Store) -> None:
    number = begin_tournament(store, Terms(NIM, ("random", "mc:iterations=2"), 4))
    for column, value in [("agents", "{"), *(("settings", one) for one in ("[]", '{"games": "x"}', '{"a": 1}'))]:
        _spoil(store, "tournament", column, value)
        with pytest.raises(BadInput, match=f"Tournament {number} of the store is damaged"):
            stored_tournament(store, number, agent)


def test_two_that_resume_a_tournament_at_once_store_each_match_once(home: Path) -> None:
    terms = Terms(NIM, ("random", "mc:iterations=2", "mc:iterations=3"), 20)
    with Store() as store:
        number = begin_tournament(store, terms)
    both = threading.Barrier(2)

    def resume() -> None:
        with Store() as own:
            found = stored_tournament(own, number, agent)
            both.wait()
            found.run()

    threads = [threading.Thread(target=resume) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Store() as store:
        matches = store.matches(tournament=number)
        assert len(matches) == 3
        assert all(match.played == 20 for match in matches)
        assert all(len(store.scores(match.number)) == 20 for match in matches)


def test_the_names_in_a_plan_reach_the_terminal_printable(store: Store, monkeypatch: Any, capsys: Any) -> None:
    plan = {"game": NIM, "agents": ["a\u001b[2J", "b\n"], "games": 6, "seed": 1, "seating": "teams", "opening": 0}
    _spoil(store, "match", "plan", json.dumps(plan))
    _spoil(store, "match", "started", "\u001b[2J")
    assert _run(monkeypatch, "matches") == 0
    out = capsys.readouterr().out
    assert "\x1b[2J" not in out
    assert r"a\x1b[2J" in out


def _all(store: PlayedGames) -> None:
    """Reads everything."""
    for match in store.matches():
        for look in (stored_summary, lambda store, match, _: match_facts(store, match)):
            _refused(lambda match=match, look=look: look(store, match, sw.game(match.plan.game)))
        _refused(lambda match=match: list(exported(store, match.number, agent)))
        _refused(lambda match=match: replayed(store, match.number, 0, agent))
        _refused(lambda match=match: store.seats(match.number))
        assert all(reason.isprintable() for _, reason in store.faults(match.number).values())
    store.tournaments()
    assert all(one.what.isprintable() for seed in store.measurements("one").values() for one in seed)
    for kept in store.games():
        _refused(lambda kept=kept: TerminalGame(kept.record.begin(), None, 0, kept.settings["seed"]).resume(kept))
    imported(store, [(1, UNFINISHED)])


def _refused(work: Callable[[], Any]) -> None:
    said = ""
    try:
        work()
    except BadInput as problem:
        said = str(problem)
    assert said.isprintable()


UNFINISHED = parse('[Game "nim:stacks=1-2"]\n[Agents "a" "b"]\n[Result "0 0"]\n[Cut "too long"]\n\n  1. A 1:1\n')
PLAN = json.dumps({"game": NIM, "agents": ["random", "mc"], "games": 4, "seed": 1})
VALUES = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(), st.text(max_size=20), st.binary(max_size=20)
)
GOOD = {  # by table and column, what a damaged text is made of; others hold any value
    ("match", "plan"): PLAN,
    ("record", "text"): UNFINISHED.text(),
    ("played", "record"): UNFINISHED.json(),
    ("played", "settings"): '{"against": "human", "seat": 0, "seed": 1}',
    ("played", "streams"): "[1, 2]",
    ("tournament", "agents"): '["random", "mc"]',
    ("tournament", "settings"): '{"games": 4}',
}
COLUMNS = {
    "match": ("plan", "tournament", "started", "imported"),
    "block": ("first", "games", "scores", "seats"),
    "tournament": ("agents", "settings", "game"),
    "fault": ("game", "player", "reason"),
    "record": ("game", "text"),
    "measurement": ("seed", "episode", "what", "value", "low", "high", "games"),
    "played": ("game", "settings", "record", "streams", "started"),
}


def _furnished(path: Path) -> PlayedGames:
    """A store with a row or two in every table, which lets rows be damaged."""
    store = PlayedGames(path)
    store.begin_tournament(NIM, ("random", "mc"), {"games": 4})
    store.measure("one", 1, [Measurement(episode, "rate against random", 0.5, 0.4, 0.6, 10) for episode in (1, 2)])
    for _ in range(2):
        block = Block(0, np.array([[1, -1]] * 4), {0: (0, "too slow"), 1: (1, "resigns")})
        store.add(store.begin(Plan(NIM, ("random", "mc"), 4)), block, {0: UNFINISHED.text()})
        store.begin_game(Kept(UNFINISHED, (1, 2)), {"against": "human", "seat": 0, "seed": 1})
    store._connection.execute("PRAGMA foreign_keys = OFF")
    return store


@pytest.mark.filterwarnings("ignore::UserWarning")
@settings(CAREFUL, max_examples=150)
@given(data=st.data())
def test_whatever_the_rows_hold_the_store_is_read(data: st.DataObject, tmp_path_factory: Any) -> None:
    with _furnished(tmp_path_factory.mktemp("store") / "arena.db") as store:
        for _ in range(data.draw(st.integers(1, 3))):
            table = data.draw(st.sampled_from(list(COLUMNS)))
            column = data.draw(st.sampled_from(COLUMNS[table]))
            good = GOOD.get((table, column))
            text = damaged((good or "").encode()).map(lambda spoilt: spoilt.decode("utf-8", "replace"))
            value = data.draw(text | VALUES if good else VALUES | damaged(zlib.compress(bytes(32))))
            with suppress(sqlite3.IntegrityError):
                store._connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))
        _all(store)


def test_a_damaged_forfeit_is_named_and_the_others_are_told(store: Store) -> None:
    with sqlite3.connect(store.path) as raw:
        raw.execute("INSERT INTO fault VALUES (1, 'x', 0, 'late'), (1, 3, 1, 'late\x1b[2J'), (1, 4, 'x', 'late')")
    raw.close()
    with pytest.warns(UserWarning, match="Match 1 of the store is damaged") as said:
        assert store.faults(1) == {3: (1, r"late\x1b[2J")}
    assert len(said) == 2
