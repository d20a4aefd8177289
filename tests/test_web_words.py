"""The sentences of the server: the status of a game in the words of its game, and every refusal as one sentence."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import spielwerk as sw
from spielwerk.games.scenes import plain
from spielwerk.web import limits, stored
from spielwerk.web.pages import page_files
from spielwerk.web.views import status
from web_client import new_table, seated, server

pytestmark = pytest.mark.usefixtures("home")
TRANSCRIPT = "f5d6c3d3c4f4f6"  # as long as an id of GNU Backgammon
OPENING = ".b....E.C...eE...c.e....B. X 31"
XGID = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
GNU = ("4HPwATDgc/ABMA", "MIEFAAAAAAAA")
NIM = '[Game "nim:stacks=1-3-5"]\n[Agents "human" "Bert"]\n[Result "*"]\n\n  1. A 3:{}\n\n'


def test_a_closed_mill_is_announced() -> None:
    with server() as client:
        table = new_table(client, "morris", "you", "you", line=["a1", "a7", "d1", "d7"])
        with seated(client, table) as player:
            assert player.settled()["status"] == "White to move: place a man."
            player.send("touch", target="g1")
            assert player.next()["status"] == "White to move: a mill, take a man."
            player.send("touch", target="a7")
            assert player.next()["status"] == "Black to move: place a man."


def test_a_roll_and_what_is_left_of_it_are_announced() -> None:
    with server() as client:
        table = new_table(client, "backgammon", "you", "you", line=["3-1: 8/5 6/5", "4-2: 8/4 6/4"], seed=1)
        with seated(client, table) as player:
            state = player.settled()
            roll = state["roll"]
            assert state["status"] == f"X rolled {roll}: move a checker."
            source, target = state["following"][0]
            player.send("touch", source=source, target=target)
            assert player.next()["status"].startswith(f"X rolled {roll}: move a checker by ")


def test_that_the_other_side_had_to_pass_is_said() -> None:
    with server() as client:
        table = new_table(client, "othello:size=4", "you", "you", line=["b1", "c1", "d3", "a1"])
        with seated(client, table) as player:
            assert player.settled()["status"] == "Black to move: no disc can be placed, pass."
            assert player.play("pass")["status"] == "Black had to pass. White to move: place a disc."


def test_a_game_without_words_says_who_moves_and_what_was_rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    here = sw.game("einstein:board=3,stones=1").parse("X1../.../..O1 X 1")
    assert status(here) == "X to move: move 1."
    assert status(here, "1") == "X rolled 1: move 1."
    monkeypatch.setattr(here.game, "scene", plain.__name__)
    assert status(here) == "X to move."
    assert status(here, "1") == "X rolled 1. X to move."


@pytest.mark.parametrize(
    ("game", "text", "sentence"),
    [
        ("backgammon:scoring=full", "o......................... X wins", "X won a backgammon (3 points)."),
        ("backgammon", "o......................... X wins", "X won."),
        ("othello:size=4", "XXXX/XXXX/XXXX/XXXO -", "Black won 15–1."),
        ("othello:size=4", "XXXX/XXXX/OOOO/OOOO -", "A draw, 8–8."),
    ],
)
def test_how_a_game_ended_is_said(game: str, text: str, sentence: str) -> None:
    assert status(sw.game(game).parse(text)) == sentence


def imported(client: Any, text: str) -> Any:
    return client.post("/api/import", json={"text": text})


def test_a_transcript_as_long_as_a_position_id_is_a_game() -> None:
    with server() as client:
        found = imported(client, TRANSCRIPT).json()
        assert (found["game"], len(found["numbers"])) == ("othello", 1)
        assert len(client.get(f"/api/stored/{found['numbers'][0]}").json()["frames"]) == 8


@pytest.mark.parametrize(
    ("text", "position"),
    [
        (XGID, OPENING),
        (f"XGID={XGID}", OPENING),
        (GNU[0], f"{OPENING[:26]} X roll"),
        (f"Position ID: {GNU[0]}", f"{OPENING[:26]} X roll"),
        (f"Position ID: {GNU[0]} Match ID: {GNU[1]}", f"{OPENING[:26]} O 31"),
        (f" Position ID: {GNU[0]}\n                 Match ID   : {GNU[1]}\n", f"{OPENING[:26]} O 31"),
    ],
)
def test_ids_are_read_as_other_programs_show_them(text: str, position: str) -> None:
    with server() as client:
        assert imported(client, text).json()["position"] == position


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Position ID: nonsense", "is not an id of GNU Backgammon; one looks like"),
        (XGID.replace(":31:", ":99:"), "is not an XGID; one looks like"),
        ("4HPwATDgc/ABMB", "is not a position id"),
        ("good morning", '"good morning" is neither a position nor a game'),
        ("f5f5", '"f5" is not legal here'),
    ],
)
def test_what_cannot_be_read_is_explained(text: str, sentence: str) -> None:
    with server() as client:
        answer = imported(client, text)
        assert answer.status_code == 400
        assert sentence in answer.json()["detail"]


def test_all_games_of_a_text_are_imported_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with server() as client:
        assert len(imported(client, NIM.format(1) * 60).json()["numbers"]) == 60
        monkeypatch.setattr(stored, "MOST_IMPORTED", 3)
        answer = imported(client, NIM.format(1) * 4)
        assert answer.status_code == 400
        assert "This text has more than 3 games" in answer.json()["detail"]
        assert len(client.get("/api/stored").json()) == 60


def test_older_games_are_listed_page_by_page() -> None:
    with server() as client:
        numbers = imported(client, NIM.format(1) * 7).json()["numbers"]
        pages, before = [], ""
        for _ in range(4):
            pages.append([one["number"] for one in client.get(f"/api/stored?most=3{before}").json()])
            before = f"&before={pages[-1][-1]}" if pages[-1] else before
        assert [len(one) for one in pages] == [3, 3, 1, 0]
        assert list(itertools.chain(*pages)) == numbers[::-1]
        assert client.get("/api/stored?before=x").status_code == 422


def test_what_is_too_large_is_refused_in_a_sentence_that_the_page_can_show() -> None:
    with server() as client:
        answer = imported(client, "x" * limits.MOST_BODY)
        assert answer.status_code == 413
        assert answer.json() == {"detail": "This is too large; the server takes at most 256 kB at once."}
        other = client.get("/api/games", headers={"Origin": "http://evil.example"})
        assert other.json() == {"detail": "Pages of other sites cannot use this server."}


def test_an_unknown_address_is_the_page_and_an_unknown_document_a_sentence() -> None:
    with server() as client:
        page = client.get("/nosuch/place")
        assert (page.status_code, page.content) == (404, page_files()["index.html"].data)
        assert page.headers["content-type"].startswith("text/html")
        document = client.get("/api/nosuch")
        assert (document.status_code, document.json()) == (404, {"detail": "There is no such document."})
