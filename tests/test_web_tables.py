"""Tables by WebSocket: whole games, illegal tries, undo, restarts, two people, watchers, the judge, limits."""

from __future__ import annotations

import errno
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocketDisconnect

import spielwerk as sw
from spielwerk.api.truth import Truth
from spielwerk.arena.records.played import PlayedGames
from spielwerk.arena.records.retrace import check
from spielwerk.arena.records.schema import StoreProblem
from spielwerk.arena.reviewing.judge import Judge
from spielwerk.games.position import Position
from spielwerk.web import limits
from spielwerk.web.protocol import message_of
from web_client import ADDRESS, new_table, seated, server

pytestmark = pytest.mark.usefixtures("home")
GAMES = [
    "nim",
    "morris:rules=six",
    "othello:size=4",
    "einstein:board=3",
    "backgammon:checkers=3",
    "einstein:board=4,players=4",
]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_hand_is_played_and_stored(game: str) -> None:
    with server() as client:
        table = new_table(client, game, "you", seed=3)
        assert table["game"] == sw.game(game).name
        new = new_table(client, game, "you", *["random"] * (sw.game(game).players - 1), seed=3)
        with seated(client, new) as player:
            assert player.welcome["yours"] == [0]
            while not player.settled()["ended"]:
                hop = player.state["following"][:1]
                if player.state["complete"]:
                    player.send("confirm")
                else:
                    player.send("touch", source=hop[0][0], target=hop[0][1])
                player.next()
            end = player.state
    with PlayedGames() as games:
        kept = games.game(end["number"])
    assert kept.finished
    assert list(check(kept.record).scores or ()) == end["scores"]
    assert [list(line)[:3] for line in kept.record.turns] == end["turns"]


def test_an_illegal_try_is_answered_and_changes_nothing() -> None:
    with server() as client:
        table = new_table(client, "morris", "you", "random")
        with seated(client, table) as player:
            before = player.settled()
            player.send("move", text="z9")
            assert '"z9" is not legal here. Legal moves: a7' in player.next("error")["text"]
            player.send("touch", source="a7", target="d7")
            assert "cannot be chosen" in player.next("error")["text"]
            player.send("confirm")
            assert player.next("error")["text"] == "The turn is not complete yet."
            assert player.play("d2")["turns"][0] == [0, None, "d2"]
            assert before["turns"] == []


def test_undo_takes_back_the_last_move_and_the_answer() -> None:
    with server() as client, seated(client, new_table(client, "nim", "you", "random", seed=1)) as player:
        after = player.play("4:3")
        player.send("undo")
        while player.next()["turns"]:
            pass
        assert player.state["position"] == "1-3-5-7 A"
        assert player.play("4:3")["turns"] == after["turns"]  # the agent answers as it did


def test_a_checker_can_be_taken_back_before_the_turn_is_confirmed() -> None:
    at = ".b....E.C...eE...c.e....B. X 31"
    with server() as client, seated(client, new_table(client, "backgammon", "you", "random", at=at)) as player:
        player.settled()
        player.send("touch", source="8", target="5")
        assert [piece[1] for piece in player.next()["scene"]["pieces"]].count("5") == 1
        player.send("untouch")
        assert player.next()["hops"] == []
        player.send("touch", source="8", target="5")
        player.next()
        player.send("touch", source="6", target="5")
        assert player.next()["complete"]
        player.send("confirm")
        assert player.next()["turns"] == [[0, None, "8/5 6/5"]]


def test_a_killed_server_restarts_with_the_game(home: Path) -> None:
    with server() as client:
        table = new_table(client, "morris", "you", "random", seed=5)
        with seated(client, table) as player:
            before = player.play("d2", "d6")
    with server() as client, seated(client, table) as player:  # nothing but the store is left
        assert player.welcome["yours"] == [0]
        assert player.settled()["turns"] == before["turns"]
        assert player.state["position"] == before["position"]
        assert player.play("a1" if "a1" not in str(before["turns"]) else "g1")["turns"][:4] == before["turns"]


def test_dice_are_the_same_after_a_restart(home: Path) -> None:
    with server() as client:
        table = new_table(client, "einstein", "you", "random", seed=2)
        with seated(client, table) as player:
            first = player.settled()
            player.send("touch", source=first["following"][0][0], target=first["following"][0][1])
            while len(player.next()["turns"]) < 2 or not player.state["asked"]:
                pass
            roll = player.state["roll"]
    with server() as client, seated(client, table) as player:
        assert player.settled()["roll"] == roll


def test_two_people_play_at_one_board_and_a_third_can_only_watch() -> None:
    with server() as client:
        table = new_table(client, "nim", "you", "you")
        one, two = table["seat_keys"]
        with seated(client, table, [one]) as a, seated(client, table, [two]) as b, seated(client, table, ["no"]) as c:
            assert (a.welcome["yours"], b.welcome["yours"], c.welcome["yours"]) == ([0], [1], [])
            b.send("move", text="1:1")
            assert b.next("error")["text"] == "It is not your turn."
            c.send("move", text="1:1")
            assert c.next("error")["text"].startswith("You are watching")
            a.send("move", text="1:1")
            for player in (a, b, c):
                assert player.next()["position"] == "0-3-5-7 B"
            b.send("undo")
            b.next()
            a.next()  # as long as the table is not shared, all seats are one person's
            a.send("move", text="1:1")
            a.next()
            c.send("share")
            assert c.next("error")["text"] == "Only who sits at the table can invite others."
            a.send("share")
            a.send("moves")
            a.next("moves")
            b.send("undo")
            assert b.next("error")["text"] == "The last move was another player's; only they can take it back."
            b.send("move", text="2:3")
            assert a.next()["position"] == "0-0-5-7 A"
            a.send("resign")
            a.next()
            b.send("undo")
            assert b.next("error")["text"] == "The game is over."


@pytest.mark.parametrize("nonsense", ["no", "[]", b"\x00"])
def test_a_connection_that_begins_with_nonsense_is_closed_in_a_sentence(nonsense: str | bytes) -> None:
    with server() as client:
        table = new_table(client, "nim", "you", "random")
        with client.websocket_connect(f"ws://{ADDRESS}/ws/tables/{table['key']}") as socket:
            kind = "bytes" if isinstance(nonsense, bytes) else "text"
            socket.send({"type": "websocket.receive", kind: nonsense})
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_json()
        assert (closed.value.code, closed.value.reason) == (4404, "The first message must be hello.")
        with seated(client, table) as player:
            player.socket.send_bytes(b"\x00")
            assert player.next("error")["text"] == "Messages are text."


def test_the_keys_of_a_shared_table_are_given_to_nobody_else() -> None:
    with server() as client:
        table = new_table(client, "nim", "you", "you")
        with seated(client, table) as player:
            player.play("1:1")
            player.send("share")
            number = player.state["number"]
            player.send("moves")
            player.next("moves")
        assert client.post(f"/api/stored/{number}/open", json={}).json() == {
            "key": table["key"],
            "seat_keys": [],
            "game": "nim",
            "watched": False,
        }


def test_a_game_of_the_terminal_goes_on_at_the_page(spielwerk: Any) -> None:
    spielwerk("play", "nim", "--against", "random", "--seed", "5", typed="1:1\n")
    with server() as client:
        table = client.post("/api/stored/1/open", json={}).json()
        with seated(client, table) as player:
            assert player.settled()["turns"][0] == [0, None, "1:1"]
            assert player.state["seats"] == ["human", "random"]


def test_a_game_of_the_page_goes_on_at_the_terminal_only_with_seats_it_has(spielwerk: Any) -> None:
    with server() as client:
        with seated(client, new_table(client, "nim", "random", "you", seed=1)) as player:
            player.play("4:1")
        seats = ("you", "random", "random", "you")
        with seated(client, new_table(client, "einstein:board=4,players=4", *seats, seed=1)) as player:
            first = player.settled()["following"][0]
            player.send("touch", source=first[0], target=first[1])
            player.next()
    code, text, _ = spielwerk("play", "--resume", "1", typed="moves\n")
    assert (code, "B>" in text) == (0, True)
    code, _, error = spielwerk("play", "--resume", "2")
    assert (code, error) == (2, "Game 2 has seats that only the page can fill; to go on: spielwerk serve\n")


def test_the_judge_is_the_oracle_where_it_knows_and_an_agent_elsewhere() -> None:
    with server() as client:
        with seated(client, new_table(client, "nim", "you", "random", at="0-3-5-6 A")) as player:
            player.settled()
            player.send("judge", on=True)
            truth = player.next("truth")
            assert (truth["by"], truth["value"], truth["moves"][0][3]) == ("oracle", -1.0, "best")
        at = "1-3-5-6 A"  # 1 ^ 3 ^ 5 ^ 6 = 1: a win, by making the sum 0
        with seated(client, new_table(client, "nim", "you", "random", at=at)) as player:
            player.settled()
            player.send("judge", on=True)
            truth = player.next("truth")
            assert truth["value"] == 1.0
            wins = {move for move, value, _, _, _ in truth["moves"] if value == 1.0}
            assert wins == {"1:1", "2:1", "3:1"}
            assert {verdict for _, value, _, verdict, _ in truth["moves"] if value == -1.0} == {"missed win"}
        with seated(client, new_table(client, "othello", "you", "random")) as player:
            player.settled()
            player.send("judge", on=True, agent="mcts:iterations=50")
            truth = player.next("truth")
            assert truth["by"] == "mcts:iterations=50"
            assert len(truth["moves"]) == 4
            player.send("judge", on=True, agent="engine:ls")
            assert "starts a program" in player.next("error")["text"]


def test_a_hint_is_a_legal_move_that_says_who_gave_it() -> None:
    with server() as client, seated(client, new_table(client, "nim", "you", "random", at="1-3-5-6 A")) as player:
        player.settled()
        player.send("hint")
        hint = player.next("hint")
        assert hint["by"] == "oracle"
        assert hint["move"] in ("1:1", "2:1", "3:1")


@pytest.mark.parametrize("asked", [{"type": "hint"}, {"type": "judge", "on": True}], ids=["hint", "judge"])
def test_who_moves_while_the_judge_thinks_moves_at_once_and_the_thought_is_given_up(
    asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, given_up = threading.Event(), threading.Event()

    def endless(_: Position, judge: Judge) -> Truth:
        begun.set()
        assert judge.stop
        while not judge.stop.is_set:
            time.sleep(0.01)
        given_up.set()
        raise sw.BadInput("It was stopped.")

    monkeypatch.setattr("spielwerk.web.play.advice.truth", endless)
    with server() as client, seated(client, new_table(client, "nim", "you", "you")) as player:
        player.settled()
        player.send(**asked)
        assert begun.wait(60)
        player.send("move", text="1:1")
        assert len(player.next()["turns"]) == 1
        assert given_up.wait(60)
        player.send("moves")
        player.next("moves")
        assert "hint" not in player.heard
        assert "error" not in player.heard


def test_the_judge_is_shown_at_the_turns_of_the_sides_that_asked_for_it() -> None:
    with server() as client, seated(client, new_table(client, "nim", "you", "you")) as player:
        player.settled()
        player.send("judge", on=True, sides=[1])
        player.play("4:1")
        assert player.next("truth")["mover"] == 1
        player.play("3:1")
        player.send("moves")
        player.next("moves")
        assert player.heard["truth"]["mover"] == 1  # nothing is said at the turns of the other side
        player.send("judge", on=True)
        assert player.next("truth")["mover"] == 0


def test_who_resigns_has_lost() -> None:
    with server() as client, seated(client, new_table(client, "morris", "you", "random")) as player:
        player.settled()
        player.send("resign")
        state = player.next()
        assert (state["ended"], state["scores"], state["status"]) == (True, [-1.0, 1.0], "White resigned. Black won.")


def test_a_search_can_be_interrupted_by_undo() -> None:
    with server() as client:
        slow = "mcts:iterations=100000,milliseconds=10000"
        with seated(client, new_table(client, "othello", "you", slow, seed=1)) as player:
            player.settled()
            player.send("move", text="d3")
            player.next()
            player.send("undo")
            while player.next()["turns"]:
                pass
            assert player.state["asked"]


def test_a_refused_undo_or_resign_leaves_the_agent_thinking() -> None:
    with server() as client:
        table = new_table(client, "othello", "mcts:milliseconds=600", "you", seed=1)
        with seated(client, table) as player, seated(client, table, keys=[]) as watcher:
            player.send("undo")
            assert player.next("error")["text"] == "There is no move to take back."
            watcher.send("resign")
            assert watcher.next("error")["text"].startswith("You are watching this game")
            assert len(player.settled()["turns"]) == 1


@pytest.mark.parametrize("work", ["turn", "thoughts"])
def test_an_agent_that_fails_forfeits_and_says_why(work: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("of another package")

    with server() as client:
        monkeypatch.setattr("spielwerk.arena.compiled.Compiled.turn", broken)
        monkeypatch.setattr("spielwerk.web.searches.thoughts", broken)
        seats = ("you", "random") if work == "turn" else ("random", "random")
        with seated(client, new_table(client, "nim", *seats, seed=1)) as player:
            if work == "turn":
                player.play("1:1")
            while not player.state["ended"]:
                player.next()
            assert "random failed: ValueError: of another package" in player.state["status"]


def test_a_game_that_cannot_be_stored_goes_on_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: Any) -> None:
        raise StoreProblem(errno.ENOSPC, "No space left on device")

    with server() as client:
        table = new_table(client, "nim", "random", "you", seed=1)
        monkeypatch.setattr("spielwerk.web.storage.Storage.keep", full)
        with seated(client, table) as player:
            for _ in ("the agent's turn", "one's own"):
                assert player.next("error")["text"] == "The game goes on, but is not stored: No space left on device."
                player.send("move", text="1:1")
            assert len(player.next()["turns"]) >= 2


def test_a_game_that_cannot_go_on_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any) -> None:
        raise RuntimeError("for some reason")

    with server() as client:
        table = new_table(client, "nim", "random", "you", seed=1)
        monkeypatch.setattr("spielwerk.web.play.table.Table._take", broken)
        with seated(client, table) as player:
            assert player.next("error")["text"] == "The game cannot go on: for some reason"


def test_a_line_of_play_is_played_before_the_game_begins() -> None:
    with server() as client:
        table = new_table(client, "morris", "you", "you", line=["d2", "d6", "a1"])
        with seated(client, table) as player:
            assert [turn[2] for turn in player.settled()["turns"]] == ["d2", "d6", "a1"]
        rolled = new_table(client, "backgammon", "you", "you", line=["3-1: 8/5 6/5"])
        with seated(client, rolled) as player:
            assert player.settled()["turns"] == [[0, "3-1", "8/5 6/5"]]
        answer = client.post("/api/tables", json={"game": "morris", "seats": ["you", "you"], "line": ["d2", "d2"]})
        assert (answer.status_code, answer.json()["detail"][:8]) == (400, "Turn 2: ")


def test_a_table_that_does_not_exist_is_refused_in_a_sentence() -> None:
    with server() as client, client.websocket_connect(f"ws://{ADDRESS}/ws/tables/none") as socket:
        socket.send_json({"type": "hello", "keys": []})
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert (closed.value.code, closed.value.reason) == (4404, "This table is no more; begin a new game.")


@pytest.mark.parametrize(
    "text",
    ["{}", "[]", "no", '{"type": "move"}', '{"type": "hello", "path": "/etc"}', '{"type": 1}', '{"type": "ping"}'],
)
def test_what_is_no_message_is_answered_in_a_sentence(text: str) -> None:
    with pytest.raises(sw.BadInput, match="This message is not understood: "):
        message_of(text)


def ended(client: Any, table: dict[str, Any], messages: list[dict[str, Any]]) -> int:
    """The code with which a connection ends after these messages."""
    with seated(client, table) as player:
        for message in messages:
            player.socket.send_json(message)
        with pytest.raises(WebSocketDisconnect) as closed:
            player.next("nothing")
    return closed.value.code


def test_messages_that_come_too_fast_or_are_too_large_end_the_connection() -> None:
    with server() as client:
        table = new_table(client, "nim", "you", "random")
        assert ended(client, table, [{"type": "moves"}] * (limits.BURST + 10 * limits.MESSAGES_PER_SECOND)) == 4429
        assert ended(client, table, [{"type": "move", "text": "x" * limits.MOST_MESSAGE}]) == 4413


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=30),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    ),
    st.sampled_from(["touch", "move", "judge", "undo", "confirm", "untouch", "hello", "share", "nonsense"]),
)
def test_no_message_ever_breaks_a_table(value: Any, type: str) -> None:
    with server() as client, seated(client, new_table(client, "nim", "you", "random")) as player:
        player.settled()
        for message in (
            value,
            {"type": type, "text": value},
            {"type": type, "source": value, "target": value},
            {"type": type, "on": value, "agent": value},
        ):
            player.socket.send_json(message)
        player.send("moves")
        assert player.next("moves")["moves"]
