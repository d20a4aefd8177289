"""The documents of the server: catalogue, imports, reviews, lessons, the editor; and what it refuses."""

from __future__ import annotations

import itertools
import threading
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spielwerk as sw
from conftest import Run
from spielwerk.arena.records.lessons import WAITS, Lessons
from spielwerk.commands import serve
from spielwerk.web import limits
from spielwerk.web.pages import page_files
from web_client import new_table, seated, server

pytestmark = pytest.mark.usefixtures("home")
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
MISSED = '[Game "nim:stacks=1-3-5"]\n[Agents "human" "Bert"]\n[Result "*"]\n\n  1. A 3:4\n  2. B 2:2\n'


def reviewed(client: Any, number: int, **asked: Any) -> dict[str, Any]:
    job = client.post(f"/api/stored/{number}/review", json=asked).json()
    until = time.monotonic() + 60
    while not job["result"] and not job["problem"] and time.monotonic() < until:
        time.sleep(0.02)
        job = client.get(f"/api/reviews/{job['review']}").json()
    return job


def test_all_games_and_who_plays_them_are_listed() -> None:
    with server() as client:
        games = {game["kind"]: game for game in client.get("/api/games").json()}
        assert set(games) >= {"backgammon", "einstein", "morris", "nim", "othello"}
        assert "morris:rules=six" in [variant["name"] for variant in games["morris"]["variants"]]
        agents = [agent["name"] for agent in client.get("/api/agents?game=nim").json()]
        assert {"human", "mcts", "random", "oracle", "td"} <= set(agents)
        assert "engine" not in agents
        assert "pubeval" not in agents  # it knows backgammon only


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("engine:rm -rf /", "starts a program"),
        ("mcts:value=/etc/passwd.onnx", "There is no run"),
        ("mcts:value=net.onnx", "There is no run"),
        ("td:../../secret", "There is no run"),
        ("mcts:iterations=900000000", "iterations is at most 100,000"),
        ("mc:iterations=6000", "iterations is at most 5,000"),
        ("mcts:milliseconds=999999", "milliseconds is at most 10,000"),
        ("mcts:nodes=900000000", "nodes is at most"),
        ("oracle:otherwise=engine:ls", "starts a program"),
        ("nobody", "There is no agent"),
        ("x" * 201, "at most 200"),
    ],
)
def test_agents_that_the_page_must_not_have_are_refused_in_a_sentence(name: str, sentence: str) -> None:
    with server() as client:
        answer = client.post("/api/tables", json={"game": "nim", "seats": ["you", name]})
        assert answer.status_code in (400, 422)
        assert sentence in answer.json()["detail"]
        assert client.get("/api/stored").json() == []


def test_other_hosts_and_other_sites_are_refused() -> None:
    with server() as client:
        assert client.get("/", headers={"Host": "evil.example"}).status_code == 421
        assert client.get("/", headers={"Host": "["}).status_code == 421
        assert client.get("/api/games", headers={"Origin": "http://["}).status_code == 403
        assert client.get("/api/games", headers={"Origin": "http://evil.example"}).status_code == 403
        assert client.post("/api/tables", json={}, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
        assert client.post("/api/import", content=b"x" * (limits.MOST_BODY + 1)).status_code == 413
        own = client.get("/", headers={"Origin": "http://localhost"})
        assert own.status_code == 200
        assert own.headers["content-security-policy"].startswith("default-src 'self'")


def test_beyond_this_machine_a_token_is_due() -> None:
    with server(host="192.0.2.1", token="secret") as client:
        assert client.get("/").status_code == 401
        assert client.get("/?token=wrong").status_code == 401
        first = client.get("/?token=secret")
        assert (first.status_code, "HttpOnly" in first.headers["set-cookie"]) == (200, True)
        assert client.get("/api/stored").status_code == 200  # by the cookie


@pytest.mark.parametrize("path", ["/page/../app.py", "/page/%2e%2e/app.py", "/page/tsconfig.json", "/page/none.js"])
def test_only_files_of_the_page_are_sent(path: str) -> None:
    with server() as client:
        assert client.get(path).status_code == 404


def test_the_page_is_at_most_300_kb() -> None:
    assert sum(len(file.data) for file in page_files().values()) <= 300_000


def test_the_server_describes_itself() -> None:
    with server() as client:
        assert "/api/tables" in client.get("/openapi.json").json()["paths"]


def test_a_position_of_another_program_and_games_are_imported() -> None:
    with server() as client:
        found = client.post("/api/import", json={"text": XGID}).json()
        assert (found["game"], found["position"]) == ("backgammon", ".b....E.C...eE...c.e....B. X 31")
        found = client.post("/api/import", json={"text": "f5d6c3d3c4f4"}).json()
        game = client.get(f"/api/stored/{found['numbers'][0]}").json()
        assert [frame["move"] for frame in game["frames"]] == ["f5", "d6", "c3", "d3", "c4", "f4", ""]
        bad = client.post("/api/import", json={"text": "f5f5"})
        assert bad.status_code == 400
        assert len(client.get("/api/stored").json()) == 1


def test_a_review_finds_the_missed_win_and_makes_it_a_lesson_that_comes_again() -> None:
    with server() as client:
        number = client.post("/api/import", json={"text": MISSED}).json()["numbers"][0]
        job = reviewed(client, number)
        assert job["problem"] == ""
        assert job["result"]["turns"][0]["verdict"] == "missed win"
        assert job["result"]["players"][0]["missed_wins"] == 1
        (lesson,) = job["lessons"]
        assert client.get(f"/api/lessons/{lesson}").json()["played"] == "3:4"
        wrong = client.post(f"/api/lessons/{lesson}/answer", json={"move": "3:5"}).json()
        assert (wrong["well"], wrong["better"]) == (False, "3:3")
        assert wrong["due"] - time.time() == pytest.approx(WAITS[0], abs=5)
        right = client.post(f"/api/lessons/{lesson}/answer", json={"move": "3:3"}).json()
        assert right["well"]
        assert right["due"] - time.time() == pytest.approx(WAITS[0], abs=5)  # just told: it comes again all the same
        assert client.get("/api/lessons").json() == []
        assert len(client.get("/api/lessons?due=false").json()) == 1


def test_a_review_that_is_done_at_once_has_its_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    class AtOnce:
        """Has done what it is given before anybody can ask."""

        def __init__(self, *_: Any) -> None: ...

        def submit(self, work: Any, *given: Any) -> None:
            work(*given)

        def shutdown(self, **_: Any) -> None: ...

    monkeypatch.setattr("spielwerk.web.reviews.ThreadPoolExecutor", AtOnce)
    with server() as client:
        number = client.post("/api/import", json={"text": MISSED}).json()["numbers"][0]
        job = client.post(f"/api/stored/{number}/review", json={}).json()
        assert job["result"]
        assert len(job["lessons"]) == 1


def test_a_review_that_is_stopped_says_so_and_nothing_else() -> None:
    with server() as client:
        number = client.post("/api/import", json={"text": "f5d6c3d3c4f4"}).json()["numbers"][0]
        job = client.post(f"/api/stored/{number}/review", json={"judge": "mcts:milliseconds=10000"}).json()
        while not (job := client.delete(f"/api/reviews/{job['review']}").json())["problem"]:
            time.sleep(0.02)
        assert (job["problem"], job["result"], job["lessons"]) == ("The review was stopped.", None, [])


def test_an_answer_to_a_lesson_does_not_wait_for_a_review(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def endless(*_: Any, **__: Any) -> None:
        begun.set()
        go_on.wait(60)
        raise sw.BadInput("It was stopped.")

    with server() as client:
        number = client.post("/api/import", json={"text": MISSED}).json()["numbers"][0]
        (lesson,) = reviewed(client, number)["lessons"]
        monkeypatch.setattr("spielwerk.web.reviews.review", endless)
        busy = client.post(f"/api/stored/{number}/review", json={}).json()
        assert begun.wait(60)
        assert not client.post(f"/api/lessons/{lesson}/answer", json={"move": "3:5"}).json()["well"]
        assert client.get(f"/api/reviews/{busy['review']}").json()["result"] is None  # it still runs
        go_on.set()


def test_the_last_position_of_a_game_that_was_given_up_says_so() -> None:
    with server() as client:
        with seated(client, new_table(client, "morris", "you", "random")) as player:
            player.settled()
            player.send("resign")
            number = player.next()["number"]
        game = client.get(f"/api/stored/{number}").json()
        assert game["frames"][-1]["status"] == "White resigned. Black won."
        number = client.post("/api/import", json={"text": "f5d6"}).json()["numbers"][0]
        left = client.get(f"/api/stored/{number}").json()
        assert left["frames"][-1]["status"] == "The game was left here. Black to move: place a disc."


def test_a_review_says_how_the_move_played_and_the_better_one_are_made() -> None:
    with server() as client:
        number = client.post("/api/import", json={"text": MISSED}).json()["numbers"][0]
        first, *others = reviewed(client, number)["result"]["turns"]
        assert [(move, verdict) for move, _, _, verdict, _ in first["moves"]] == [
            ("3:3", "best"),
            ("3:4", "missed win"),
        ]
        assert [hops for *_, hops in first["moves"]] == [[["", "3.3"]], [["", "3.2"]]]
        assert all(len(turn["moves"]) == 1 for turn in others if not turn["better"])


def test_a_lesson_is_learned_box_by_box_and_forgotten_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(time.time(), 2 * max(WAITS))  # whenever it is asked, all is due again
    monkeypatch.setattr("spielwerk.arena.records.lessons.time.time", lambda: next(clock))
    with Lessons() as lessons:
        number = lessons.learn("nim", "1-3-5-7 A", "1:1", "2:1", "oracle", 2.0)
        assert lessons.learn("nim", "1-3-5-7 A", "1:1", "2:1", "oracle", 2.0) == number
        assert [lesson.number for lesson in lessons.lessons()] == [number]
        assert [lessons.answered(number, True).box for _ in range(7)] == [1, 2, 3, 4, 5, 5, 5]
        assert lessons.answered(number, False).box == 0
        monkeypatch.undo()
        failed = lessons.lesson(number)
        assert lessons.answered(number, True) == failed  # just told: it comes again all the same
        with pytest.raises(sw.BadInput, match="There is no lesson 9"):
            lessons.lesson(9)


def test_the_editor_says_why_a_board_is_no_position() -> None:
    with server() as client:
        board = {"game": "nim", "pieces": [["1.1", "match"], ["2.1", "match"]], "mover": 1}
        assert client.post("/api/edit", json=board).json()["position"] == "1-1-0-0 B"
        touched = {"game": "othello", "position": str(sw.game("othello").start()), "hops": [["", "d3"]]}
        assert client.post("/api/touch", json=touched).json()["move"] == "d3"
        bad = client.post("/api/edit", json={"game": "othello", "pieces": [["a1", "black"]], "mover": 0}).json()
        assert "empty cell in the centre" in bad["problem"]
        assert len(bad["scene"]["pieces"]) == 1


def test_a_record_can_be_downloaded_in_the_formats_of_its_game() -> None:
    with server() as client:
        with seated(client, new_table(client, "othello", "you", "random", seed=1)) as player:
            player.play("d3")
            number = player.state["number"]
        assert "  1. black d3" in client.get(f"/api/stored/{number}/record").text
        assert client.get(f"/api/stored/{number}/record?form=transcript").text.startswith("d3")
        assert client.get(f"/api/stored/{number}/record?form=../x").status_code == 400


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)
PATHS = ["tables", "position", "touch", "edit", "import", "stored/1/review", "stored/1/open", "lessons/1/answer"]
PATHS += ["lab/train", "lab/match", "lab/tournament", "lab/solve", "lab/study", "lab/runs/x/resume", "lab/jobs/1/stop"]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(PATHS), ANY, ANY)
def test_no_request_ever_breaks_the_server(path: str, value: Any, other: Any) -> None:
    with server() as client:
        for body in (value, {"game": "nim", "position": other, "pieces": value, "text": other, "move": value}):
            answer = client.post(f"/api/{path}", json=body)
            assert answer.status_code < 500
            assert answer.status_code == 200 or answer.json()["detail"]


def test_the_api_keeps_to_its_own_description() -> None:
    import schemathesis

    with server() as client:
        schema = schemathesis.openapi.from_dict(client.get("/openapi.json").json())

        for operation in schema.get_all_operations():
            quickly = settings(
                max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
            )
            given(_strategy(operation))(quickly(answers_of(client)))()


def _strategy(operation: Any) -> Any:
    return operation.ok().as_strategy()


def answers_of(client: Any) -> Any:
    """A test of one request, made from the description."""

    def answers(case: Any) -> None:
        request = case.as_transport_kwargs(base_url="http://localhost")
        kept = {name: request[name] for name in ("method", "url", "params", "json") if request.get(name) is not None}
        assert client.request(**kept).status_code < 500

    return answers


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], 'There is no game "chess".'),
        (["morris", "--against", "nobody"], 'There is no agent "nobody".'),
        (["morris", "--against", "mcts:iterations=x"], "mcts: iterations"),
        (["--port", "70000"], "--port"),
    ],
)
def test_a_server_is_not_started_for_what_is_not_there(spielwerk: Run, words: list[str], said: str) -> None:
    code, _, text = spielwerk("serve", *words, "--no-browser")
    assert code == 2
    assert said in text


def test_a_game_is_opened_with_an_opponent_on_every_other_seat() -> None:
    assert serve._path("", "") == "/"
    assert serve._path("morris", "td:depth=2,candidates=8") == "/play/morris?seats=you;td:depth=2,candidates=8"
    four = serve._path("einstein:board=4,players=4", "mcts")
    assert four == "/play/einstein:board=4,players=4?seats=you;mcts;mcts;mcts"
