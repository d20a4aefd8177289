"""How quickly the page's server answers: many games at once by WebSocket, and a search of 1,000 simulations.

    python benchmarks/page.py --games 200 --seconds 20

Each game is a connection of its own, whose person thinks for `--pause` seconds (on average, evenly spread) before each
move; agents are `random`. A reply is the time from a move to the state in which the person is asked again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from typing import Any

import websockets

GAMES = ("morris", "othello", "nim", "einstein")


def created(address: str, game: str, agent: str) -> dict[str, Any]:
    """A new table."""
    body = json.dumps({"game": game, "seats": ["you", agent]}).encode()
    asked = urllib.request.Request(f"http://{address}/api/tables", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)


async def asked_again(socket: Any) -> dict[str, Any]:
    """The next state in which the person is to move, or the game has ended."""
    while True:
        state = json.loads(await socket.recv())
        if state["type"] == "state" and (state["asked"] or state["ended"]):
            return state


async def play(address: str, agent: str, number: int, until: float, pause: float, replies: list[float]) -> int:
    """Plays game after game until the time is over; returns how many moves were made."""
    moves, rng = 0, random.Random(number)
    await asyncio.sleep(rng.random() * pause)
    while time.perf_counter() < until:
        table = await asyncio.to_thread(created, address, GAMES[number % len(GAMES)], agent)
        async with websockets.connect(f"ws://{address}/ws/tables/{table['key']}") as socket:
            await socket.send(json.dumps({"type": "hello", "keys": [key for key in table["seat_keys"] if key]}))
            state = await asked_again(socket)
            while not state["ended"] and time.perf_counter() < until:
                await asyncio.sleep(2 * pause * rng.random())
                source, target = rng.choice(state["following"])
                began = time.perf_counter()
                await socket.send(json.dumps({"type": "touch", "source": source, "target": target}))
                state = await asked_again(socket)
                replies.append(time.perf_counter() - began)
                moves += 1
    return moves


async def measure(address: str, games: int, agent: str, seconds: float, pause: float) -> dict[str, Any]:
    """The replies of so many games at once."""
    replies: list[float] = []
    until = time.perf_counter() + seconds
    await asyncio.gather(*(play(address, agent, number, until, pause, replies) for number in range(games)))
    replies.sort()
    share = {f"p{part}_ms": round(1000 * replies[int(len(replies) * part / 100)], 1) for part in (50, 95, 99)}
    return {"games": games, "agent": agent, "pause_s": pause, "replies": len(replies), **share}


def main() -> None:
    """Starts a server with a store of its own, and prints what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pause", type=float, default=2.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "spielwerk", "serve", "--no-browser", "--port", "0"]
        environment = {**os.environ, "SPIELWERK_HOME": home, "PYTHONUNBUFFERED": "1"}
        server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout
            address = server.stdout.readline().split("http://")[1].strip().rstrip("/")
            for warming in ("random", "mcts"):
                asyncio.run(measure(address, len(GAMES), warming, 4, 0.05))
            print(json.dumps(asyncio.run(measure(address, given.games, "random", given.seconds, given.pause))))
            print(json.dumps(asyncio.run(measure(address, 1, "mcts", 8, 0.1))))  # 1,000 simulations, the default
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
