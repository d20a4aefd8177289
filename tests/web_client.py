"""A browser without a window: a client of the page's server, and a table played by its messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient

from spielwerk.web.app import make_app

ADDRESS = "localhost"


@contextmanager
def server(**options: Any) -> Iterator[TestClient]:
    """The server, and who asks it."""
    with TestClient(make_app(**options), base_url=f"http://{ADDRESS}") as client:
        yield client


def new_table(client: TestClient, game: str, *seats: str, **more: Any) -> dict[str, Any]:
    """A new table: its key and the keys of its seats."""
    answer = client.post("/api/tables", json={"game": game, "seats": list(seats), **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


class Player:
    """One connection to a table, and the last state it has seen."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.welcome: dict[str, Any] = {}
        self.heard: dict[str, dict[str, Any]] = {}  # the last message of each type

    def send(self, type: str, **more: Any) -> None:
        """Sends a message."""
        self.socket.send_json({"type": type, **more})

    def next(self, type: str = "state") -> dict[str, Any]:
        """The next message of that type."""
        while True:
            message = self.socket.receive_json()
            self.heard[message["type"]] = message
            if message["type"] == "state":
                self.state = message
            if message["type"] == type:
                return message

    def settled(self) -> dict[str, Any]:
        """The state once a person is asked, or the game has ended."""
        while not (self.state and (self.state["asked"] or self.state["ended"])):
            self.next()
        return self.state

    def play(self, *moves: str) -> dict[str, Any]:
        """Plays typed moves, each once it is asked for."""
        for move in moves:
            self.settled()
            self.send("move", text=move)
            before = len(self.state["turns"])
            while len(self.next()["turns"]) <= before:
                pass
        return self.settled()


@contextmanager
def seated(client: TestClient, table: dict[str, Any], keys: list[str] | None = None) -> Iterator[Player]:
    """Sits down at a table, by default in all its seats for people."""
    with client.websocket_connect(f"ws://{ADDRESS}/ws/tables/{table['key']}") as socket:
        player = Player(socket)
        player.send("hello", keys=[key for key in table["seat_keys"] if key] if keys is None else keys)
        player.welcome = player.next("welcome")
        player.next()
        yield player
