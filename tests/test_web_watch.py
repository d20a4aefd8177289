"""Watched games by WebSocket: pace, pause and steps, what agents think, restarts; and agents that do not stop."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

import spielwerk as sw
from spielwerk.api.thoughts import thoughts
from spielwerk.arena.records.played import PlayedGames
from spielwerk.kernel.random import stream
from spielwerk.learn.evolution.activity import activity, graph_of
from spielwerk.learn.evolution.genome.wiring import outputs_of
from spielwerk.names import BadInput
from spielwerk.web import searches, workers
from spielwerk.web.play import table
from spielwerk.web.play import watched as watched_table
from spielwerk.web.play.watched import Pace
from spielwerk.web.searches import Searches
from web_client import Player, new_table, seated, server

pytestmark = pytest.mark.usefixtures("home")
QUICK = 0.05


def watched(client: Any, game: str, *agents: str, **more: Any) -> dict[str, Any]:
    return new_table(client, game, *agents, watch=True, **more)


def paused(player: Player) -> None:
    player.send("pace", playing=False, pause=QUICK)
    player.next("pace")


def thought(player: Player) -> dict[str, Any]:
    """What is thought about the position that was seen last."""
    while player.heard.get("thoughts", {}).get("version") != player.state["version"]:
        player.next("thoughts")
    return player.heard["thoughts"]


def until_over(player: Player) -> dict[str, Any]:
    while not player.state["ended"]:
        player.next()
    return player.state


@pytest.mark.parametrize("game", ["nim", "einstein:board=3", "einstein:board=4,players=4", "othello:size=4"])
def test_a_watched_game_plays_itself_to_the_end_is_stored_and_can_be_reviewed(game: str) -> None:
    with server() as client:
        with seated(client, watched(client, game, "random", "mcts:iterations=20", seed=4)) as player:
            assert player.welcome["watch"] == {"playing": True, "pause": 1.0}
            assert player.welcome["yours"] == []
            player.send("pace", playing=True, pause=QUICK)
            end = until_over(player)
        kept = next(one for one in client.get("/api/stored").json() if one["number"] == end["number"])
        assert (kept["finished"], kept["turns"]) == (True, len(end["turns"]))
        assert "human" not in kept["agents"]
        assert client.get(f"/api/stored/{end['number']}").json()["frames"][-1]["status"] == end["status"]


def test_a_tree_search_plays_the_move_that_its_thoughts_put_first() -> None:
    with server() as client, seated(client, watched(client, "othello", "mcts:iterations=60", "random")) as player:
        paused(player)
        for _ in range(3):
            said = thought(player)
            before = len(player.state["turns"])
            player.send("step")
            while len(player.state["turns"]) <= before:
                player.next()
            assert player.state["turns"][-1][2] == said["turn"]
            if said["by"].startswith("mcts"):
                assert said["turn"] == said["moves"][0]["move"]
                assert said["simulations"] == 60 == sum(one["visits"] for one in said["moves"])


def test_heat_lies_on_the_places_to_which_moves_lead_and_adds_up() -> None:
    with server() as client, seated(client, watched(client, "morris", "alphazero:iterations=30", "random")) as player:
        said = thought(player)
        heats = dict(said["heats"])
        assert list(heats) == ["visits", "policy", "value"]
        places = {place[0] for place in player.welcome["stage"]["places"]}
        for kind in ("visits", "policy"):
            assert {place for place, _ in heats[kind]} <= places
            assert sum(share for _, share in heats[kind]) == pytest.approx(1, abs=0.05)
        assert max(heats["visits"], key=lambda one: one[1])[0] == said["moves"][0]["hops"][0][1]


def test_a_paused_game_rests_until_a_step_is_asked_for() -> None:
    with server() as client, seated(client, watched(client, "nim", "random", "random")) as player:
        paused(player)
        before = len(player.state["turns"])
        player.send("step")
        player.send("moves")
        player.next("moves")
        while len(player.state["turns"]) <= before:
            player.next()
        thought(player)
        player.send("moves")  # answered at once: no turn comes before it
        player.next("moves")
        assert len(player.state["turns"]) == before + 1
        player.send("pace", playing=True, pause=QUICK)
        assert until_over(player)["ended"]


def test_all_who_watch_see_the_same_pace_and_nobody_can_move() -> None:
    with server() as client:
        new = watched(client, "nim", "random", "random")
        with seated(client, new) as one, seated(client, new) as two:
            one.send("pace", playing=False, pause=3)
            assert two.next("pace") == {"type": "pace", "playing": False, "pause": 3.0}
            two.send("move", text="1:1")
            assert two.next("error")["text"].startswith("You are watching")
            two.send("pace", playing=True, pause=1e9)
            assert "not understood" in two.next("error")["text"]


def test_a_killed_server_goes_on_with_a_watched_game_at_its_pace(home: Path) -> None:
    with server() as client:
        new = watched(client, "morris", "random", "mcts:iterations=10", seed=2)
        with seated(client, new) as player:
            paused(player)
            player.send("step")
            while not player.state["turns"]:
                player.next()
            before = player.state
    with server() as client, seated(client, new) as player:  # nothing but the store is left
        assert player.welcome["watch"] == {"playing": False, "pause": QUICK}
        assert player.state["turns"] == before["turns"]
        assert thought(player)["by"] == "mcts:iterations=10"
        player.send("pace", playing=True, pause=QUICK)
        while len(player.state["turns"]) < 4:
            player.next()


def test_a_table_without_a_turn_survives_a_killed_server_and_is_not_listed(home: Path) -> None:
    with server() as client:
        new, seen = new_table(client, "morris", "you", "you"), watched(client, "nim", "random", "random")
        assert client.get("/api/stored").json() == []
    with server() as client:
        with seated(client, new) as player:
            assert player.welcome["yours"] == [0, 1]
            assert player.settled()["turns"] == []
            assert player.play("d2")["turns"] == [[0, None, "d2"]]
        with seated(client, seen) as player:
            assert "watch" in player.welcome
        assert [one["game"] for one in client.get("/api/stored").json()][-1:] == ["morris"]


def test_old_tables_without_a_turn_are_forgotten() -> None:
    with server() as client:
        tables = [new_table(client, "nim", "you", "random") for _ in range(3)]
        with seated(client, tables[0]) as player:
            player.play("1:1")
    with PlayedGames() as games:
        games.forget_unbegun("2000-01-01T00:00:00+00:00", 1)
        assert [games.numbered(one["key"]) for one in tables] == [1, None, 3]
        games.forget_unbegun("9999-01-01T00:00:00+00:00", 10)
        assert [games.numbered(one["key"]) for one in tables] == [1, None, None]
        assert games.game("last").number == 1


def test_people_are_refused_at_a_watched_table_and_a_pace_at_others() -> None:
    with server() as client:
        asked = {"game": "nim", "seats": ["you", "random"], "watch": True}
        answer = client.post("/api/tables", json=asked)
        assert (answer.status_code, "Only agents play" in answer.json()["detail"]) == (400, True)
        asked["seats"] = ["mcts:iterations=900000000"]
        assert "at most 100,000" in client.post("/api/tables", json=asked).json()["detail"]
        with seated(client, new_table(client, "nim", "you", "random")) as player:
            player.settled()
            player.send("step")
            assert "has a pace" in player.next("error")["text"]


@pytest.mark.parametrize("facts", [None, {}, {"pause": "x"}, {"pause": 1e9}, {"pause": float("nan")}, {"playing": 1}])
def test_a_damaged_pace_in_the_store_is_as_at_first(facts: Any) -> None:
    assert Pace.of(facts) == Pace(True, 1.0)


def test_an_evolved_network_lights_up_for_each_move() -> None:
    with server() as client:
        graph = client.get("/api/network?game=nim&agent=evolution").json()
        assert (graph["inputs"], graph["outputs"], len(graph["nodes"])) == (9, 1, 17)
        assert [node[3] for node in graph["nodes"]][:1] == ["stack1·1"]
        refused = client.get("/api/network?game=nim&agent=random")
        assert (refused.status_code, "evolved network" in refused.json()["detail"]) == (400, True)
        assert client.get("/api/network?game=nim&agent=engine:ls").status_code == 400
        with seated(client, watched(client, "nim", "evolution", "random")) as player:
            said = thought(player)
            assert set(said["lit"]) >= {said["turn"]}
            assert {len(values) for values in said["lit"].values()} == {17}


def test_the_values_of_an_evolved_networks_nodes_are_those_it_computes() -> None:
    agent: Any = sw.agent("evolution", "nim")
    position = sw.game("nim").start()
    for turn in position.turns()[:5]:
        values = activity(agent, position, turn.end)
        row = values[None, : agent.genome.inputs]
        assert values[agent.genome.inputs] == pytest.approx(outputs_of(agent.genome, row)[0, 0])
        assert agent.analyse(position).moves
    drawn = graph_of(agent)
    assert all(0 <= edge.origin < len(drawn.nodes) for edge in drawn.edges)


@pytest.mark.parametrize("name", ["random", "mcts:iterations=30", "td", "mc:iterations=5", "oracle", "evolution"])
def test_thoughts_end_in_a_legal_turn_and_weigh_legal_moves(name: str) -> None:
    position = sw.game("nim").parse("1-2-3-1 A")
    found = thoughts(sw.agent(name, "nim"), position, stream(1, "test"))
    legal = set(position.moves())
    assert found.turn.text in legal
    for kind in found.kinds:
        assert set(found.weights(kind)) <= legal
        assert all(0 <= weight <= 1 for weight in found.weights(kind).values())


def test_a_busy_server_forfeits_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "AGAIN", 0.01)
    monkeypatch.setattr(watched_table, "AGAIN", 0.01)
    monkeypatch.setattr(searches, "MOST_WAITING", 0)
    with server() as client:
        seen, own = watched(client, "nim", "random", "random"), new_table(client, "nim", "random", "you")
        with seated(client, seen) as watcher, seated(client, own) as player:
            for _ in range(20):
                player.send("moves")
                player.next("moves")
            monkeypatch.setattr(searches, "MOST_WAITING", 256)
            assert player.settled()["asked"]
            assert thought(watcher)["problem"] == ""


def test_an_agent_that_does_not_stop_is_given_up_and_costs_nobody_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "PATIENCE", 0.05)
    monkeypatch.setattr(workers, "MOST_STUCK", 2)
    release, begun = threading.Event(), list[int]()

    def stubborn(stop: Any) -> bool:
        begun.append(1)
        return release.wait(60)

    async def until(ready: Any) -> None:
        async with asyncio.timeout(30):
            while not ready():
                await asyncio.sleep(0.01)

    async def asked() -> None:
        pool = Searches(1)
        with pytest.raises(BadInput, match="no answer within"):
            await pool.run(stubborn, 0.5)
        assert pool.stuck == 1
        assert await pool.run(lambda stop: 7) == 7  # though the only thread is lost
        cancelled = asyncio.create_task(pool.run(stubborn))
        await until(lambda: len(begun) == 2)
        cancelled.cancel()
        await until(lambda: pool.stuck == 2)
        with pytest.raises(BadInput, match="do not stop"):
            await pool.run(lambda stop: 7)
        release.set()
        await until(lambda: pool.stuck == 0)
        assert await pool.run(lambda stop: 7) == 7
        pool.close()

    asyncio.run(asked())
