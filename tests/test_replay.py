"""Replay, export and import: any stored game comes back as it was played, or it is said that it does not."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import spielwerk as sw
from games_written import OPENING
from spielwerk.arena.playing.block import Block, play_block
from spielwerk.arena.playing.plan import Plan, gains
from spielwerk.arena.records.importer import imported
from spielwerk.arena.records.reader import parse
from spielwerk.arena.records.replay import difference, exported, replayed
from spielwerk.arena.records.retrace import check, positions, records
from spielwerk.arena.records.store import Store
from spielwerk.cli import main
from spielwerk.commands.shared import output
from spielwerk.names import BadInput

WON = """[Game "nim:stacks=2-1"]
[Agents "one" "another"]
[Result "+1 -1"]

  1. A 1:2
  2. B 2:1
"""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))
    with Store() as made:
        yield made


def stored(store: Store, name: str, count: int, keep: bool, agents: tuple[str, str] = ("random", "random")) -> int:
    game = sw.game(name)
    plan = Plan(game.name, agents, count, 5)
    number = store.begin(plan)
    block = play_block(plan, game, [sw.agent(agent, game) for agent in agents], 0, count, keep=keep)
    store.add(number, block, {game: record.text() for game, record in records(plan, game, block, number).items()})
    store.finish(number, count)
    return number


def test_a_game_rebuilt_from_its_seed_is_the_one_that_was_kept(store: Store) -> None:
    number = stored(store, "einstein:board=4", 9, keep=True)
    for game in range(9):
        kept = replayed(store, number, game, sw.agent)
        again = replayed(store, number, game, sw.agent, from_seed=True)
        assert again == kept
        assert difference(store, number, game, again) is None


def test_a_game_without_a_record_is_rebuilt_alone(store: Store) -> None:
    number = stored(store, "einstein:board=4", 100, keep=False)
    for game in (0, 17, 99):
        record = replayed(store, number, game, sw.agent)
        assert check(record).scores == tuple(store.scores(number)[game])
    with pytest.raises(BadInput, match="Match 1 has no game 100; stored: 0 to 99"):
        replayed(store, number, 100, sw.agent)


def test_a_result_that_cannot_be_rebuilt_is_said(store: Store) -> None:
    number = stored(store, "nim", 4, keep=False)
    right = store.scores(number)
    wrong = store.begin(store.match(number).plan)
    store.add(wrong, Block(0, np.concatenate([right[:3], -right[3:]])))
    record = replayed(store, wrong, 3, sw.agent)
    assert "is stored. The match was played by version" in (difference(store, wrong, 3, record) or "")
    assert difference(store, wrong, 2, replayed(store, wrong, 2, sw.agent)) is None
    assert [unlike is None for _, _, unlike in exported(store, wrong, sw.agent)] == [True, True, True, False]
    other = store.begin(store.match(number).plan)
    store.add(other, Block(0, right), {0: replayed(store, number, 2, sw.agent).text()})
    again = replayed(store, other, 0, sw.agent, from_seed=True)
    assert "Other moves were played" in (difference(store, other, 0, again) or "")


def test_imported_games_count_for_the_agents_who_played_them(store: Store) -> None:
    first = parse(WON)
    swapped = dataclasses.replace(first, agents=first.agents[::-1])
    numbers = imported(store, enumerate([first, first, swapped, parse(OPENING), first])).matches
    assert [(store.match(number).plan.game, store.match(number).played) for number in numbers] == [
        ("nim:stacks=2-1", 4),
        ("backgammon", 1),
    ]
    match = store.match(numbers[0])
    assert (match.plan.agents, match.imported, match.finished) == (("one", "another"), True, True)
    _, won = gains(sw.game("nim:stacks=2-1"), store.seats(numbers[0]), store.scores(numbers[0]))
    assert won.tolist() == [1, 1, 0, 1]
    assert replayed(store, numbers[0], 2, sw.agent) == swapped
    assert store.faults(numbers[1]) == {0: (0, "fell asleep")}
    with pytest.raises(BadInput, match="was imported"):
        replayed(store, numbers[0], 0, sw.agent, from_seed=True)


def test_of_games_without_a_seed_those_count_as_new_that_were_not_imported_as_often(store: Store) -> None:
    first = parse(WON)
    swapped = dataclasses.replace(first, agents=first.agents[::-1])
    assert imported(store, [(1, first), (8, first)]).known == 0
    again = imported(store, [(1, first), (8, swapped), (15, first), (22, first)])
    assert (again.known, [store.match(number).played for number in again.matches]) == (2, [2])


def test_a_game_of_the_same_seed_with_another_result_is_new(store: Store) -> None:
    number = stored(store, "nim", 4, keep=True)
    kept = [parse(text) for text in store.records(number, 0, 4).values()]
    other = dataclasses.replace(kept[0], headers={**kept[0].headers, "Number": "7"})
    turned = next(record for record in kept if record.scores != kept[0].scores)
    mistaken = dataclasses.replace(turned, headers=kept[0].headers)
    found = imported(store, enumerate([*kept, other, mistaken]))
    assert (found.known, store.match(found.matches[0]).played) == (4, 2)


def test_four_different_agents_at_a_table_are_one_and_the_others(store: Store) -> None:
    record = replayed(store, stored(store, "einstein:board=6,players=4", 1, keep=True), 0, sw.agent)
    (number,) = imported(store, [(1, dataclasses.replace(record, agents=("a", "b", "c", "d")))]).matches
    assert store.match(number).plan.agents == ("a", "b + c + d")
    assert store.match(number).plan.seating == "mixed"
    assert store.seats(number).tolist() == [[0, 1, 1, 1]]
    (teams,) = imported(store, [(1, dataclasses.replace(record, agents=("a", "b", "a", "b")))]).matches
    assert store.match(teams).plan.seating == "teams"


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def spielwerk(store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command with some arguments: (exit code, output, errors)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["spielwerk", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return ended.value.code if isinstance(ended.value.code, int) else 0, shown.out, shown.err

    return run


def test_matches_are_listed_with_the_rate_of_the_first_agent(store: Store, spielwerk: Run) -> None:
    assert "No match is stored yet." in spielwerk("matches")[1]
    number = stored(store, "nim", 50, keep=False)
    facts = json.loads(spielwerk("matches", "--game", "nim", "--json")[1])["matches"]
    won = store.scores(number)[np.arange(50), np.arange(50) % 2] > 0  # the first agent changes its seat every game
    assert facts[0]["rate"] == won.mean()
    assert f"{100 * won.mean():.1f} %" in spielwerk("matches")[1]
    assert json.loads(spielwerk("matches", "--game", "morris", "--json")[1]) == {"matches": []}


def test_matches_in_a_narrow_terminal_keep_their_words_whole(
    store: Store, spielwerk: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(store, "nim:stacks=1-3-5", 2, keep=True, agents=("mc:iterations=100", "expectimax:depth=2"))
    monkeypatch.setattr(output, "width", lambda: 80)
    text = spielwerk("matches")[1]
    assert max(map(len, text.splitlines())) <= 80
    assert "nim:stacks=1-3-5" in text
    assert all(f" {word} " in text for word in ("mc:iterations=", "100", "expectimax:", "depth=2"))
    assert "began (UTC)" in text.partition("Omitted here")[2]


def test_replay_shows_a_game_and_its_boards(store: Store, spielwerk: Run) -> None:
    number = str(stored(store, "nim", 3, keep=True))
    code, text, _ = spielwerk("replay", number, "1")
    record = replayed(store, 1, 1, sw.agent)
    assert code == 0
    assert text.startswith(record.text())
    assert "Every turn keeps the rules." in text
    boards = spielwerk("replay", number, "1", "--boards", "--from-seed")[1]
    assert all(position.board() in boards for _, position in positions(record))
    assert json.loads(spielwerk("replay", number, "1", "--json")[1])["scores"] == list(record.scores or ())
    assert spielwerk("replay", "9")[0] == spielwerk("replay", number, "3")[0] == 2


@pytest.mark.parametrize("form", ["--jsonl", ""])
@pytest.mark.parametrize("keep", [True, False])
def test_what_is_exported_can_be_imported_elsewhere_and_only_once(
    store: Store, spielwerk: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, keep: bool
) -> None:
    number = stored(store, "einstein:board=4", 70, keep=keep)
    file = tmp_path / "games"
    assert spielwerk("export", str(number), str(file), *filter(None, [form]))[0] == 0
    assert spielwerk("import", str(file)) == (0, "Nothing is new: 70 games are already here.\n", "")
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path / "elsewhere"))
    code, text, error = spielwerk("import", str(file))
    assert (code, error) == (0, "")
    assert "match 1: 70 games of einstein:board=4, random against random" in text
    with Store() as other:
        assert (other.scores(1) == store.scores(number)).all()
        assert [replayed(other, 1, game, sw.agent) for game in range(70)] == [
            replayed(store, number, game, sw.agent) for game in range(70)
        ]
    assert spielwerk("export", "1", "-", *filter(None, [form]))[1] == file.read_text()
    assert json.loads(spielwerk("import", str(file), "--json")[1]) == {"matches": [], "known": 70}


def test_of_a_file_with_a_broken_game_nothing_is_stored(store: Store, spielwerk: Run, tmp_path: Path) -> None:
    file = tmp_path / "games"
    file.write_text(f"{WON}\n{WON.replace('2:1', '2:2')}")
    code, _, error = spielwerk("import", str(file))
    assert (code, error.count("\n")) == (2, 1)
    assert 'Line 8: Turn 2: "2:2" is not legal here' in error
    assert store.matches() == []
    file.write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in spielwerk("import", str(file))[2]
    file.write_text("\n")
    assert "There is no game in the file." in spielwerk("import", str(file))[2]
    assert "cannot be read" in spielwerk("import", str(tmp_path))[2]
    assert "cannot be written" in spielwerk("export", str(stored(store, "nim", 1, keep=True)), str(tmp_path))[2]


def test_unfinished_games_are_stored_and_count_for_nothing(store: Store, spielwerk: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("f5d6c3\ne6f4e3f6g5d6e7f5c5\nf5f6\n")  # the second is played to its end
    assert spielwerk("import", str(file))[1] == "match 1: 3 games of othello, black against white (2 unfinished)\n"
    match = store.match(1)
    assert (match.played, store.numbers(1).tolist(), store.scores(1).tolist()) == (3, [1], [[1, -1]])
    assert store.seats(1).tolist() == [[0, 1]]
    (facts,) = json.loads(spielwerk("matches", "--json")[1])["matches"]
    assert (facts["played"], facts["unfinished"], facts["rate"]) == (3, 2, 1)
    assert "2 unfinished" in spielwerk("matches")[1]
    ranked = json.loads(spielwerk("ladder", "othello", "--json")[1])["ratings"]
    assert [(one["agent"], one["games"], one["draws"]) for one in ranked] == [("black", 1, 0), ("white", 1, 0)]
    assert "The game is unfinished" in spielwerk("replay", "1", "0")[1]
    assert spielwerk("export", "1", "-", "--format", "transcript")[1] == file.read_text()
    assert spielwerk("import", str(file))[1] == "Nothing is new: 3 games are already here.\n"


def test_a_match_of_unfinished_games_alone_has_no_rate(store: Store, spielwerk: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("f5d6c3\n")
    assert spielwerk("import", str(file))[0] == 0
    assert store.scores(1).shape == (0, 2)
    (facts,) = json.loads(spielwerk("matches", "--json")[1])["matches"]
    assert (facts["rate"], facts["score"]) == (None, None)
    assert json.loads(spielwerk("ladder", "othello", "--json")[1])["ratings"] == []


def test_the_games_in_the_documentation_are_right() -> None:
    page = (Path(__file__).parents[1] / "docs" / "records.md").read_text()
    texts = re.findall(r"^```\n(\[Game .*?)^```", page, re.M | re.S)
    lines = re.findall(r"^```json\n(.*?)^```", page, re.M | re.S)
    first, second, same = (parse(text) for text in (*texts, lines[0].replace("\n", " ")))
    check(first)
    check(second)
    assert same == first
