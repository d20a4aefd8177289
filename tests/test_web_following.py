"""The laboratory by WebSocket: topics are told once, again when they change, and to nobody who has gone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocketDisconnect

import spielwerk as sw
from fake_learner import FakeLearner
from spielwerk.web import limits
from spielwerk.web.laboratory import following as topics_followed
from spielwerk.web.laboratory.follower import MOST_FOLLOWED, FollowingLine
from spielwerk.web.laboratory.topics import ALL, ONE
from web_client import ADDRESS, server

pytestmark = pytest.mark.usefixtures("home")
SMALL: dict[str, Any] = {"episodes": 20, "evaluation": {"games": 10, "grade": "no"}}


@pytest.fixture
def client() -> Iterator[Any]:
    with server() as found:
        yield found


def following(client: Any, *topics: str) -> Any:
    socket = client.websocket_connect(f"ws://{ADDRESS}/ws/lab")
    return _Following(socket, topics)


class _Following:
    def __init__(self, socket: Any, topics: tuple[str, ...]) -> None:
        self.socket, self.topics = socket, topics

    def __enter__(self) -> Any:
        opened = self.socket.__enter__()
        opened.send_json({"type": "follow", "topics": list(self.topics)})
        return opened

    def __exit__(self, *fault: object) -> None:
        self.socket.__exit__(*fault)


def told(socket: Any, count: int) -> dict[str, Any]:
    """So many messages, by topic."""
    messages = [socket.receive_json() for _ in range(count)]
    return {message["topic"]: message.get("facts", message.get("text")) for message in messages}


def test_topics_are_the_documents_and_are_told_again_when_they_change(client: Any) -> None:
    sw.train(FakeLearner.kind, "nim", name="first", **SMALL)
    names = ["jobs", "runs", "runs/first", "curves/first", "matches", "tournaments"]
    with following(client, *names) as one, following(client, "runs") as other:
        first = told(one, len(names))
        assert set(first) == set(names)
        for name in ("jobs", "runs", "runs/first", "matches", "tournaments"):
            assert first[name] == client.get(f"/api/lab/{name}").json()
        assert first["curves/first"] == client.get("/api/lab/curves?names=first").json()
        assert told(other, 1)["runs"] == first["runs"]
        sw.train(FakeLearner.kind, "nim", name="second", **SMALL)
        for socket in (one, other):
            while {run["run"] for run in told(socket, 1)["runs"]} != {"first", "second"}:
                pass


def test_a_job_is_followed_from_its_start_to_its_end(client: Any) -> None:
    match = {"game": "nim", "first": "random", "second": "mc:iterations=5", "games": 300}
    number = client.post("/api/lab/match", json=match).json()["job"]
    with following(client, f"jobs/{number}") as socket:
        while (job := told(socket, 1)[f"jobs/{number}"])["state"] == "running":
            pass
    assert (job["state"], job["done"], job["result"]["games"]) == ("finished", 300, 300)


@pytest.mark.parametrize(
    ("topic", "sentence"),
    [
        ("runs/none", "There is no run"),
        ("runs/../../etc", "There is no run"),
        ("curves/", "There is no topic"),
        ("jobs/7", "There is no job 7"),
        ("jobs/x", "is no number"),
        ("tournaments/9", "There is no tournament 9"),
        ("nonsense", "There is no topic"),
    ],
)
def test_a_topic_that_there_is_not_is_answered_in_a_sentence(client: Any, topic: str, sentence: str) -> None:
    with following(client, topic) as socket:
        assert sentence in told(socket, 1)[topic]


def closed(client: Any, first: Any) -> tuple[int, str]:
    with client.websocket_connect(f"ws://{ADDRESS}/ws/lab") as socket:
        socket.send_json(first)
        with pytest.raises(WebSocketDisconnect) as ended:
            socket.receive_json()
    return ended.value.code, ended.value.reason


def test_what_is_followed_is_bounded(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert closed(client, {"type": "hello"})[0] == 4404
    assert closed(client, {"type": "follow", "topics": []})[0] == 4404
    assert closed(client, {"type": "follow", "topics": ["jobs"] * (MOST_FOLLOWED + 1)})[0] == 4404
    assert closed(client, {"type": "follow", "topics": ["x" * limits.MOST_MESSAGE]})[0] in (4404, 4413)
    monkeypatch.setattr(topics_followed, "MOST_TOPICS", 1)
    code, reason = closed(client, {"type": "follow", "topics": ["runs", "jobs"]})
    assert (code, reason) == (4404, "This server follows at most 1 topics; try again later.")


def test_what_nobody_follows_is_not_looked_at(client: Any) -> None:
    with following(client, "jobs") as socket:
        told(socket, 1)
        assert set(client.app.state.following._topics) == {"jobs"}
    with following(client, "runs") as socket:
        told(socket, 1)
        assert set(client.app.state.following._topics) == {"runs"}


def test_of_each_topic_only_the_newest_waits_for_a_slow_browser() -> None:
    async def sent() -> list[str]:
        line = FollowingLine(None, None)  # type: ignore[arg-type] - nothing is sent
        for number in range(1000):
            line.tell("jobs", f"jobs {number}")
            line.tell("runs", f"runs {number}")
        return [line.unwrapped(str(line._unsent.get_nowait())) for _ in range(line._unsent.qsize())]

    assert asyncio.run(sent()) == ["jobs 999", "runs 999"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.text(max_size=30) | st.tuples(st.sampled_from([*ALL, *ONE]), st.text(max_size=20)).map("/".join),
        min_size=1,
        max_size=3,
        unique=True,
    )
)
def test_no_topic_ever_breaks_the_server(client: Any, topics: list[str]) -> None:
    with following(client, *topics) as socket:
        assert set(told(socket, len(topics))) == set(topics)
