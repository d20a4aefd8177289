"""The store: what was stored is there, whoever is killed, locked out or short of space."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import spielwerk as sw
from spielwerk.arena.playing.block import Block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.schema import StoreProblem
from spielwerk.arena.records.store import Store
from spielwerk.names import BadInput

PLAN = Plan("einstein:board=6,players=4", ("mc:iterations=10", "random"), 1000, 7, "mixed")
WRITER = """
import sys, numpy as np
from pathlib import Path
from spielwerk.arena.playing.block import Block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.store import Store
path, blocks = Path(sys.argv[1]), int(sys.argv[2])
with Store(path) as store:
    number = store.begin(Plan("nim", ("random", "random"), 10 ** 6))
    print(number, flush=True)
    for i in range(blocks):
        scores = np.full((100, 2), [i, -i])
        store.add(number, Block(100 * i, scores, {100 * i: (0, "late")}), {100 * i: f"record {i}"})
        print(i, flush=True)
"""
FULL = f"""
try:
    exec({WRITER!r})
except OSError as problem:
    print(problem)
with Store(path) as store:
    print(store.match(1).played)
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "arena.db", patience=0.2) as made:
        yield made


def results(rows: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).choice([-1.0, 0.0, 0.5, 1.0], (rows, 4))


def writer(path: Path, blocks: int) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(blocks)], stdout=subprocess.PIPE, text=True)


def test_a_match_is_read_as_it_was_written(store: Store) -> None:
    number = store.begin(PLAN)
    scores = results(30)
    store.add(number, Block(10, scores[10:], {12: (3, 'played "z"')}), {12: "twelve", 13: "thirteen"})
    assert store.played(number) == [(10, 20)]
    store.add(number, Block(0, scores[:10]))
    match = store.match(number)
    assert (match.plan, match.played, match.finished, match.version) == (PLAN, 30, False, sw.__version__)
    assert (store.scores(number) == scores).all()
    assert store.numbers(number).tolist() == list(range(30))
    assert store.faults(number) == {12: (3, 'played "z"')}
    assert (store.record(number, 13), store.record(number, 14)) == ("thirteen", None)
    assert (store.seats(number) == PLAN.seats(sw.game(PLAN.game), 0, 30)).all()


def test_everything_is_there_when_the_file_is_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path / "new" / "folder"))
    with Store() as store:
        number = store.begin(PLAN)
        store.add(number, Block(0, results(5)))
    with Store(tmp_path / "new" / "folder" / "arena.db") as again:
        assert (again.scores(number) == results(5)).all()


def test_the_games_to_play_are_those_between_the_stored_ranges(store: Store) -> None:
    number = store.begin(PLAN)
    for first in (40, 0, 10, 70, 60):
        store.add(number, Block(first, results(10, first)))
    assert store.played(number) == [(0, 20), (40, 10), (60, 20)]
    assert store.numbers(number).tolist() == [*range(20), *range(40, 50), *range(60, 80)]
    assert (store.scores(number)[20:30] == results(10, 40)).all()


def test_a_game_that_two_processes_played_counts_once(store: Store) -> None:
    number = store.begin(PLAN)
    scores = results(30)
    for first, last in ((0, 20), (10, 30), (0, 20), (5, 8)):
        store.add(number, Block(first, scores[first:last], {7: (1, "late")} if first < 7 < last else {}))
    assert store.match(number).played == 30
    assert (store.scores(number) == scores).all()


def test_after_an_early_stop_only_the_games_that_count_are_left(store: Store) -> None:
    number = store.begin(PLAN)
    scores = results(60)
    for first in (0, 20, 40):
        faults = {first + 19: (0, "late")}
        store.add(number, Block(first, scores[first : first + 20], faults), {first + 1: "one", first + 15: "fifteen"})
    store.finish(number, 30)
    assert store.match(number).finished
    assert store.match(number).played == 30
    assert (store.scores(number) == scores[:30]).all()
    assert store.faults(number) == {19: (0, "late")}
    assert list(store.records(number, 0, 60)) == [1, 15, 21]


def test_matches_are_listed_by_game_and_by_tournament(store: Store) -> None:
    nim = Plan("nim", ("random", "mc"), 4)
    tournament = store.begin_tournament("nim", ["random", "mc"], {"rounds": 3})
    numbers = [store.begin(PLAN), store.begin(nim, tournament), store.begin(nim)]
    assert [match.number for match in store.matches()] == numbers
    assert [match.number for match in store.matches("nim")] == numbers[1:]
    assert [match.tournament for match in store.matches(tournament=tournament)] == [tournament]
    stored = store.tournament(tournament)
    assert (stored.agents, stored.settings, stored.finished) == (("random", "mc"), {"rounds": 3}, False)
    store.finish_tournament(tournament)
    assert [one.finished for one in store.tournaments()] == [True]


def test_a_number_is_never_given_twice(store: Store) -> None:
    first = store.begin(PLAN)
    store.add(first, Block(0, results(3), {1: (0, "late")}), {1: "one"})
    store.delete(first)
    second = store.begin(PLAN)
    assert second == first + 1
    assert [match.number for match in store.matches()] == [second]
    with pytest.raises(BadInput, match=f"There is no match {first}; the last one is {second}."):
        store.faults(first)


def test_a_match_or_a_tournament_that_is_not_there_is_named(store: Store) -> None:
    with pytest.raises(BadInput, match=r"There is no match 12, nor any other yet\."):
        store.match(12)
    for _ in range(7):
        store.begin(PLAN)
    with pytest.raises(BadInput, match=r"There is no match 12; the last one is 7\."):
        store.add(12, Block(0, results(1)))
    with pytest.raises(BadInput, match="There is no tournament 1"):
        store.tournament(1)


def test_what_fails_inside_a_transaction_leaves_no_trace(store: Store) -> None:
    def interrupted() -> None:
        with store.transaction():
            store.add(store.begin(PLAN), Block(0, results(3)))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert store.matches() == []


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    processes = [writer(path, 60) for _ in range(2)]
    outputs = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    with Store(path) as store:
        assert sorted(int(output.split()[0]) for output in outputs) == [1, 2]
        for number in (1, 2):
            expected = np.repeat(np.arange(60), 100)
            assert store.played(number) == [(0, 6000)]
            assert (store.scores(number) == np.stack([expected, -expected], 1)).all()


def test_a_killed_process_loses_nothing_that_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    process = writer(path, 10**6)
    assert process.stdout is not None
    said = [int(process.stdout.readline()) for _ in range(41)]
    os.kill(process.pid, signal.SIGKILL)
    said += [int(line) for line in process.stdout if line.endswith("\n")]
    process.wait()
    process.stdout.close()
    with Store(path) as store:
        number, blocks = said[0], store.match(said[0]).played // 100
        assert blocks >= len(said) - 1
        assert store.played(number) == [(0, 100 * blocks)]
        assert list(store.records(number, 0, 10**8)) == list(range(0, 100 * blocks, 100)) == list(store.faults(number))
        store.add(number, Block(100 * blocks, np.zeros((1, 2))))


def test_a_full_disk_is_said_and_keeps_what_was_stored(store: Store) -> None:
    number = store.begin(PLAN)
    store.add(number, Block(0, results(1000)))
    store._connection.execute("PRAGMA max_page_count = 20")

    def fill() -> None:
        for first in range(1000, 10**6, 1000):
            store.add(number, Block(first, np.random.default_rng(first).random((1000, 4))))

    with pytest.raises(StoreProblem, match="is full; the games stored before are kept"):
        fill()
    played = store.match(number).played
    assert 1000 <= played < 10**6
    assert (store.scores(number)[:1000] == results(1000)).all()
    store._connection.execute("PRAGMA max_page_count = 1000000")
    store.add(number, Block(played, results(10)))
    assert store.match(number).played == played + 10


def test_a_disk_that_is_really_full_loses_only_the_block_in_progress(tmp_path: Path) -> None:
    unshare = ["unshare", "--map-root-user", "--mount"]  # the small disk goes away with the process
    mount = f"mount -t tmpfs -o size=300k tmpfs {tmp_path}"
    if not shutil.which(unshare[0]) or subprocess.run([*unshare, "sh", "-c", mount], check=False).returncode:
        pytest.skip("a small disk cannot be mounted here")
    command = f'{mount} && exec "$0" "$@"'
    arguments = [sys.executable, "-c", FULL, str(tmp_path / "arena.db"), str(10**6)]
    done = subprocess.run([*unshare, "sh", "-c", command, *arguments], check=True, capture_output=True, text=True)
    *_, last, sentence, played = done.stdout.splitlines()
    assert sentence == f"The disk of {tmp_path}/arena.db is full; the games stored before are kept."
    assert int(played) == 100 * (int(last) + 1)


def test_a_locked_file_is_said_and_keeps_what_was_stored(store: Store) -> None:
    number = store.begin(PLAN)
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreProblem, match=r"has been locked by another program for 0\.2 seconds"):
        store.add(number, Block(0, results(3)))
    other.execute("COMMIT")
    other.close()
    store.add(number, Block(0, results(3)))
    assert store.match(number).played == 3


def test_a_new_file_that_another_program_locks_is_said(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreProblem, match="locked"):
        Store(path, patience=0.1)
    other.close()


def test_what_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("This is a letter, and no database at all. " * 50)
    with pytest.raises(StoreProblem, match="no store of Spielwerk"):
        Store(text)
    assert text.read_text().startswith("This is a letter")
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE letters (text)")
    connection.close()
    with pytest.raises(StoreProblem, match="another program"):
        Store(foreign)
    with pytest.raises(StoreProblem, match="cannot be opened"):
        Store(tmp_path)
    with pytest.raises(StoreProblem, match=r"folder .* cannot be made"):
        Store(text / "arena.db")


def test_a_file_of_a_newer_version_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    Store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreProblem, match=r"newer Spielwerk \(tables 99; this one knows \d+\)\.$"):
        Store(path)


def test_a_store_on_a_disk_that_cannot_be_written_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "arena.db"
    with Store(path) as made:
        number = made.begin(PLAN)
        made.add(number, Block(0, results(5)))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with Store(path) as only_read:
        assert (only_read.scores(number) == results(5)).all()
        with pytest.raises(StoreProblem, match="cannot be opened for writing"):
            only_read.begin(PLAN)
