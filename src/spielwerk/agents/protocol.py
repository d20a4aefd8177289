"""The engine protocol, the engine's side: one of our agents answers lines. docs/engines.md describes it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from typing import BinaryIO

import numpy as np

from spielwerk import names
from spielwerk.agents.registry import agent, understood
from spielwerk.arena.agent import Agent, first_decision
from spielwerk.data import json_text
from spielwerk.games.position import Position
from spielwerk.games.registry import game
from spielwerk.kernel.random import stream
from spielwerk.names import BadInput, printable

VERSION = 1
COMMANDS = ("spielwerk", "game", "new", "position", "moves", "seed", "go", "analyse", "quit")
MOST_SEED = 2**64 - 1
LONGEST_LINE = 1 << 20  # bytes
LONGEST_ERROR = 500  # letters, since it may quote a line that has no end


class Server:
    """An agent that is spoken to in lines. Nothing that it receives ends it but `quit`."""

    def __init__(self, name: str) -> None:
        _, kind, settings = understood(name)
        self.name = names.write(kind, settings)
        self.agent: Agent | None = None
        self.position: Position | None = None
        self.rng = stream(0, "engine")
        self.done = False

    def answer(self, line: str) -> Iterable[str]:
        """What the engine says to one line."""
        word, _, rest = line.strip().partition(" ")
        try:
            if word and word not in COMMANDS:
                raise names.unknown("There is no command", word, COMMANDS, "Commands")
            return getattr(self, f"_{word}")(rest.strip()) if word else ()
        except Exception as problem:  # whatever an agent's own code does
            return [f"error {printable(str(problem) or repr(problem))[:LONGEST_ERROR]}"]

    def close(self) -> None:
        """Gives back what the agent holds."""
        if self.agent:
            self.agent.close()

    def _spielwerk(self, version: str) -> Iterable[str]:
        if version != str(VERSION):
            raise BadInput(f'This engine speaks version {VERSION} of the protocol, not "{version}".')
        return f"name {self.name}", "author Spielwerk", "ready"

    def _game(self, name: str) -> Iterable[str]:
        made = agent(self.name, game(name))
        _try(made)
        self.close()
        self.agent, self.position = made, None
        return ("ready",)

    def _new(self, rest: str) -> Iterable[str]:
        return ()  # our agents remember nothing from one choice to the next

    def _position(self, text: str) -> Iterable[str]:
        self.position = None
        self.position = self._playing().game.parse(text)
        return ()

    def _moves(self, moves: str) -> Iterable[str]:
        return ()  # our agents know the rules

    def _seed(self, number: str) -> Iterable[str]:
        if not (number.isascii() and number.isdecimal()) or not 0 < int(number) <= MOST_SEED:
            raise BadInput(f'A seed is a whole number from 1 to {MOST_SEED}, not "{number}".')
        self.rng = np.array([int(number)], np.uint64)
        return ()

    def _go(self, limit: str) -> Iterable[str]:
        words = limit.split()
        if words and (len(words) != 2 or words[0] != "milliseconds" or not words[1].isdecimal()):
            raise BadInput(f'"go" can be followed by "milliseconds" and a number, not by "{limit}".')
        return (f"bestmove {self._playing().turn(self._asked(), self.rng).text}",)

    def _analyse(self, rest: str) -> Iterable[str]:
        return (f"analysis {json_text(self._playing().analyse(self._asked(), self.rng).facts())}",)

    def _quit(self, rest: str) -> Iterable[str]:
        self.done = True
        return ()

    def _playing(self) -> Agent:
        if not self.agent:
            raise BadInput('No game is set: send "game NAME" first.')
        return self.agent

    def _asked(self) -> Position:
        if not self.position:
            raise BadInput('No position is set: send "position TEXT" first.')
        if self.position.mover < 0:
            raise BadInput(f'Nobody is to move in "{self.position}".')
        return self.position


def serve(name: str, lines: BinaryIO, out: BinaryIO) -> None:
    """Answers every line until `quit` or the end."""
    server = Server(name)
    try:
        for line in iter(lambda: lines.readline(LONGEST_LINE), b""):
            with redirect_stdout(sys.stderr):  # what an agent's code prints is no answer
                answers = server.answer(line.decode("utf-8", "replace"))
            out.write("".join(f"{answer}\n" for answer in answers).encode())
            out.flush()
            if server.done:
                break
    finally:
        server.close()


def _try(agent: Agent) -> None:
    """Chooses once, so that no later choice, whose time may be short, waits for compiling."""
    agent.turn(first_decision(agent.game), stream(0, "try"))
