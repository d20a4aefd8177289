"""Playing in the terminal: every game is kept, can be left and resumed, and helps who plays it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import spielwerk as sw
from spielwerk.arena.plots import PAPER
from spielwerk.arena.records.played import Kept, PlayedGames
from spielwerk.arena.records.record import Line, Record
from spielwerk.arena.records.retrace import check
from spielwerk.commands.shared import output
from spielwerk.terminal import marked

Run = Callable[..., tuple[int, str, str]]
GAMES = ["nim", "backgammon", "einstein:board=6,players=4", "morris", "othello:size=4"]
pytestmark = pytest.mark.usefixtures("home")


def play(spielwerk: Run, *arguments: str, typed: str) -> str:
    code, text, errors = spielwerk("play", *arguments, typed=typed)
    assert (code, errors) == (0, "")
    return text


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_was_left_is_kept_and_resumed_where_it_was(spielwerk: Run, game: str) -> None:
    whole = play(spielwerk, game, "--against", "random", "--seat", "1", "--seed", "5", typed="moves\n")
    assert "plays" in whole
    assert whole.strip().endswith("Kept as game 1; to resume it: spielwerk play --resume 1")
    with PlayedGames() as games:
        kept = games.game("last")
    assert (kept.record.game, kept.finished) == (sw.game(game).name, False)
    end = check(kept.record)
    resumed = play(spielwerk, "--resume", "1", typed="text\n")
    assert f"> {end}" in resumed
    assert play(spielwerk, game, "--against", "random", "--seat", "1", "--seed", "5", typed="moves\n") == whole.replace(
        "game 1", "game 2"
    ).replace("--resume 1", "--resume 2")


def test_a_game_played_in_pieces_is_the_one_played_at_once(spielwerk: Run) -> None:
    """Dice and opponent go on where they were."""
    options = ("nim:stacks=9-9", "--against", "random", "--seed", "7")
    play(spielwerk, *options, typed="1:1\n2:1\n1:1\n")
    play(spielwerk, *options, typed="1:1\n")
    for move in ("2:1", "1:1"):
        play(spielwerk, "--resume", "2", typed=f"{move}\n")
    with PlayedGames() as games:
        whole, pieces = games.games()
    assert whole.record == pieces.record
    assert whole.streams == pieces.streams


def test_dice_go_on_where_they_were(spielwerk: Run) -> None:
    options = ("einstein", "--against", "random", "--seat", "1", "--seed", "7")
    text = play(spielwerk, *options, typed="moves\n")
    move = text.split("O> ")[1].split(",")[0].split("\n")[0]
    whole = play(spielwerk, *options, typed=f"{move}\n")
    play(spielwerk, "--resume", "1", typed=f"{move}\n")
    assert whole.count("rolled") == 4
    with PlayedGames() as games:
        assert games.game(1).record == games.game(2).record


def test_what_is_typed_wrong_gets_help(spielwerk: Run) -> None:
    text = play(spielwerk, "nim", "--against", "mcts:iterations=50", "--seed", "1", typed="udno\n?\n9:9\n\n")
    assert "Did you mean undo?" in text
    assert text.count("Moves here are written like this") == 2
    assert '"9:9" is not legal here' in text


def test_hint_and_analyse_say_what_the_opponent_would_play(spielwerk: Run) -> None:
    text = play(spielwerk, "nim:stacks=1-2", "--against", "oracle", typed="hint\nanalyse\n")
    assert "oracle would play 2:2." in text
    assert "  2:2  +1.000" in text


def test_undo_takes_back_ones_own_move_and_the_answers_to_it(spielwerk: Run) -> None:
    text = play(spielwerk, "nim", "--against", "random", "--seed", "1", typed="undo\n4:7\nundo\ntext\n")
    assert "There is no move to take back." in text
    assert f"> {sw.game('nim').start()}" in text
    assert text.strip().endswith("No turn was played; there is nothing to keep.")
    with PlayedGames() as games:
        assert games.games() == []


def test_after_an_undo_the_same_is_rolled_and_answered_again(spielwerk: Run) -> None:
    options = ("einstein:board=4", "--against", "random", "--seed", "4")
    moves = play(spielwerk, *options, typed="moves\n").split("X> ")[1].split("\n")[0].split(", ")
    text = play(spielwerk, *options, typed=f"{moves[0]}\nundo\n{moves[0]}\nundo\n{moves[0]}\n")
    answers = re.findall(r"O (?:rolled|plays) \S+", text)
    assert len(answers) == 6
    assert answers == answers[:2] * 3


def test_where_only_the_opponent_has_moved_there_is_nothing_to_undo(spielwerk: Run) -> None:
    text = play(spielwerk, "nim", "--against", "random", "--seat", "1", "--seed", "1", typed="undo\n")
    assert "There is no move to take back." in text
    with PlayedGames() as games:
        record = games.game("last").record
    assert len(record.turns) == 1
    check(record)


def test_who_resigns_has_lost(spielwerk: Run) -> None:
    text = play(spielwerk, "nim", "--against", "random", "--seat", "0", typed="resign\n")
    assert "A resigned." in text
    assert text.strip().endswith("Kept as game 1; to review it: spielwerk review 1")
    with PlayedGames() as games:
        record = games.game("last").record
    check(record)
    assert (record.scores, record.fault) == ((-1, 1), (0, "resigned"))
    code, _, errors = spielwerk("play", "--resume", "1")
    assert (code, errors) == (2, "Game 1 has ended; to review it: spielwerk review 1\n")


def test_a_game_that_was_kept_as_cut_is_still_unfinished(spielwerk: Run) -> None:
    """As games that were left used to be kept."""
    record = Record("nim", ("human", "human"), (Line(0, None, "1:1"),), (0, 0), cut=True, headers={"Seed": "1"})
    with PlayedGames() as games:
        games.begin_game(Kept(record, (1, 2)), {"against": "human", "seat": 0, "seed": 1})
    assert "not finished" in spielwerk("played")[1]
    assert "B> 0-3-5-7 B" in play(spielwerk, "--resume", "1", typed="text\n")


def test_a_finished_game_is_kept_with_its_result(spielwerk: Run) -> None:
    play(spielwerk, "nim:stacks=2", typed="1:1\n1:1\n")
    listed = json.loads(spielwerk("played", "--json")[1])["games"]
    assert [(game["game"], game["agents"], game["finished"]) for game in listed] == [
        ("nim:stacks=2", ["human", "human"], True)
    ]
    assert "+1 -1" in spielwerk("played")[1]


def test_ctrl_c_while_one_waits_or_types_loses_nothing(spielwerk: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    play(spielwerk, "nim", "--against", "random", "--seed", "1", typed="4:1\n")
    with PlayedGames() as games:
        before = games.game(1).record
    monkeypatch.setattr("builtins.input", interrupt)
    stopped = "Stopped. Kept as game {0}; to resume it: spielwerk play --resume {0}\n"
    assert spielwerk("play", "--resume", "1")[::2] == (130, stopped.format(1))
    with PlayedGames() as games:
        assert games.game(1).record == before
    from spielwerk.agents.random import Random

    monkeypatch.setattr(Random, "turn", interrupt)
    nothing = "Stopped. No turn was played; there is nothing to keep.\n"
    assert spielwerk("play", "nim", "--against", "random", "--seat", "1")[::2] == (130, nothing)


@pytest.mark.parametrize("game", ["nim", "backgammon"])  # also where there was a roll
def test_a_game_left_before_its_first_turn_is_not_kept(spielwerk: Run, game: str) -> None:
    play(spielwerk, "nim", typed="1:1\n")
    text = play(spielwerk, game, "--against", "random", "--seed", "1", typed="moves\nquit\n")
    assert text.strip().endswith("No turn was played; there is nothing to keep.")
    with PlayedGames() as games:
        assert [(one.number, one.record.game) for one in games.games()] == [(1, "nim")]


def test_people_at_one_terminal_may_turn_the_board(spielwerk: Run) -> None:
    start = sw.game("einstein").start()
    for seat in (0, 1):
        text = play(spielwerk, "einstein", "--seat", str(seat), typed="moves\n")
        assert start.board(seat).splitlines()[4] in text.splitlines()
        first = text.split("X> ")[1].split(",")[0].split("\n")[0]
        play(spielwerk, "einstein", "--seat", str(seat), "--seed", "3", typed=f"{first}\n")
    code, _, errors = spielwerk("play", "nim", "--seat", "2")
    assert (code, errors) == (2, "nim has no seat 2; possible: 0 to 1.\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("play",), "Name a game to play"),
        (("play", "nim", "--resume", "last"), "A game is resumed as it was"),
        (("play", "--resume", "last"), "No game has been played here yet"),
        (("play", "--resume", "7"), "There is no game 7, nor any other yet."),
        (("play", "--resume", "x"), '"x" is not the number of a game'),
        (("review",), "No game has been played here yet"),
        (("review", "no/such/file"), "cannot be read"),
    ],
)
def test_what_cannot_be_resumed_or_reviewed_is_said(spielwerk: Run, arguments: tuple[str, ...], sentence: str) -> None:
    code, _, errors = spielwerk(*arguments)
    assert code == 2
    assert sentence in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("game", ["backgammon", "einstein", "einstein:board=6,players=4", "morris", "nim"])
def test_every_seat_sees_the_whole_board_and_its_own_side_below(game: str) -> None:
    position = sw.game(game).start()
    boards = [position.board(seat) for seat in range(position.game.players)]
    assert all(sorted(board) == sorted(boards[0]) for board in boards)
    if game == "backgammon":
        assert [board.splitlines()[-4].split("|")[3].split()[0] for board in boards] == ["X", "O"]  # on its 6-point
    if game == "einstein":
        assert ["X1" in board.splitlines()[-4] for board in boards] == [True, False]
        assert ["O1" in board.splitlines()[-4] for board in boards] == [False, True]


def test_what_the_last_move_changed_stands_out() -> None:
    before = sw.game("othello").start()
    text = marked(before.play("d3").board(), before.board())
    changed = "".join(text.plain[span.start : span.end] for span in text.spans if span.style)
    assert changed.count("●") == 2  # the disc that was placed, and the one that was turned
    assert text.plain == before.play("d3").board()


def test_a_review_judges_every_turn_and_draws_the_value(spielwerk: Run, home: Path) -> None:
    play(spielwerk, "nim:stacks=1-2", "--against", "random", "--seed", "1", typed="1:1\n2:1\n2:1\n")
    found = json.loads(spielwerk("review", "--json", "--plot", str(home / "value.svg"))[1])
    assert found["judges"] == ["oracle"]
    assert found["turns"][0]["verdict"] == "missed win"
    assert found["turns"][0]["better"] == "2:2"
    assert found["turns"][0]["regret"] == 2
    assert found["players"][0]["missed_wins"] == 1
    assert (home / "value.svg").read_text().startswith("<?xml")
    assert "missed win" in spielwerk("review")[1]
    assert json.loads(sw.review().to_json()) == json.loads(sw.review(1).to_json()) == found


def test_records_of_others_are_reviewed(spielwerk: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("e6f4e3f6g5d6e7f5c5\nf5d6c3\n")
    whole = json.loads(spielwerk("review", str(file), "--judge", "mcts:iterations=50", "--json")[1])
    assert len(whole["turns"]) == 9
    assert whole["turns"][-1]["value"] == 1
    second = json.loads(spielwerk("review", str(file), "--number", "2", "--judge", "mcts:iterations=50", "--json")[1])
    assert len(second["turns"]) == 3
    code, _, errors = spielwerk("review", str(file), "--number", "3")
    assert (code, errors) == (2, f"{file}: there is no game 3; the file holds 2 games.\n")
    code, _, errors = spielwerk("review", str(file), "--judge", "random")
    assert code == 2
    assert "random does not value moves" in errors


NARROW = 80
LONG = """[Game "backgammon:scoring=full"]
[Agents "mcts:iterations=2000" "human"]
[Result "*"]

  1. X 6-5: 24/13
  2. O 6-6: 24/18(2) 13/7(2)
  3. X 3-3: 24/21 13/10(2) 6/3
"""


def test_a_review_fits_a_narrow_terminal_and_says_what_it_leaves_out(
    spielwerk: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(LONG)
    arguments = ("review", str(file))
    assert "Omitted" not in spielwerk(*arguments)[1]
    monkeypatch.setattr(output, "width", lambda: NARROW)
    text = spielwerk(*arguments)[1]
    assert max(map(len, text.splitlines())) <= NARROW
    assert "by --json: luck" in text
    assert "by --json: decisions" in text
    assert "24/18(2)" in text


def test_the_games_played_fit_a_narrow_terminal_in_whole_words(spielwerk: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    game = "einstein:board=6,players=4"
    play(spielwerk, game, "--against", "random", "--seat", "1", "--seed", "5", typed="")
    monkeypatch.setattr(output, "width", lambda: NARROW)
    text = spielwerk("played")[1]
    assert max(map(len, text.splitlines())) <= NARROW
    assert game in text
    assert "began (UTC)" in text.partition("Omitted here")[2]


def test_the_value_is_drawn_light_or_dark(spielwerk: Run, home: Path) -> None:
    play(spielwerk, "nim:stacks=1-2", typed="1:1\n2:1\n2:1\n")
    for theme in ("light", "dark"):
        assert spielwerk("review", "--plot", str(home / f"{theme}.svg"), "--theme", theme)[0] == 0
    light, dark = ((home / f"{theme}.svg").read_text() for theme in ("light", "dark"))
    assert (PAPER in light, PAPER in dark) == (False, True)
    assert ("#ffffff" in light, "#ffffff" in dark) == (True, False)  # also behind the names of moves
    code, _, errors = spielwerk("review", "--theme", "blue")
    assert (code, errors) == (2, 'There is no theme "blue"; possible: light, dark.\n')


@pytest.mark.parametrize(("command", "usage"), [("play", "[GAME] [POSITION]"), ("review", "[GAME|FILE]")])
def test_the_usage_has_brackets_once(spielwerk: Run, command: str, usage: str) -> None:
    assert f"Usage: spielwerk {command} [OPTIONS] {usage} " in spielwerk(command, "--help")[1]
