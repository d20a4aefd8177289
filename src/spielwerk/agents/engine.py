"""`engine`: another program that plays over a pipe, by the protocol of docs/engines.md."""

from __future__ import annotations

import shlex
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.agents.program import Program
from spielwerk.agents.protocol import VERSION
from spielwerk.arena.agent import Agent, Forfeit, fresh
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.data import MOST_WORD, is_number, is_whole, parsed
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.kernel.random import stream
from spielwerk.names import BadInput, printable, setting

MOST_MILLISECONDS = 86_400_000  # a day
ASIDES = ("", "name", "author", "info")  # what an engine may say besides its answer
MOST_OF_A_SCORE, SLACK = 1e12, 1e-6  # the most that a number may be, and by how much a bounded one may be beyond
LONGEST_MOVE = 200  # letters
QUOTED = 80  # letters of an answer that a reason quotes


class Refused(Exception):
    """The engine has answered `error`; the message is what followed."""


@dataclass(frozen=True)
class EngineSettings:
    """The settings of engine."""

    run: str = setting("", "the program and its arguments, in quotes where it holds commas or equals signs")
    milliseconds: int = setting(10_000, "milliseconds for a move")
    startup: int = setting(60_000, "milliseconds to get ready for a game, or for an analysis")

    def __post_init__(self) -> None:
        for name in ("milliseconds", "startup"):
            if not 1 <= getattr(self, name) <= MOST_MILLISECONDS:
                raise BadInput(f"engine: {name} must be 1 to {MOST_MILLISECONDS}, not {getattr(self, name)}.")


class Engine(Agent):
    """Asks another program, which is started when it is first needed, and anew after every fault.

    Threads that share the agent ask one after the other.
    """

    Settings = EngineSettings

    def __init__(self, game: Game, settings: EngineSettings) -> None:
        super().__init__(game, settings)
        self.command = _command(settings.run)
        self._asking = threading.RLock()  # an analysis may ask for a move
        self.program: Program | None = None
        self.useless: str | None = None  # why it never got ready, and is not tried again; empty once it was ready

    def choose(self, position: Position, rng: np.ndarray | None = None) -> str:
        """The engine's move; whatever it does wrong is a Forfeit."""
        moves = position.moves()
        lines = [*_question(position, moves, fresh(rng)), f"go milliseconds {self.settings.milliseconds}"]
        with self._running() as program:
            try:
                move = _ask(program, lines, "bestmove", self.settings.milliseconds)
            except Refused as refusal:
                raise Forfeit(f"answered {_quoted(f'error {refusal}')}") from None
            if move not in moves and not _understood(position, move):
                raise Forfeit(f"played {_quoted(move)}, which is not legal here")
        return move

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The engine's analysis; where it offers none, only which move it plays."""
        rng = fresh(rng)
        lines = [*_question(position, position.moves(), rng.copy()), "analyse"]
        milliseconds = max(self.settings.milliseconds, self.settings.startup)  # no clock runs, and it may compile
        with self._running() as program:
            try:
                return _read(_ask(program, lines, "analysis", milliseconds), position)
            except Refused:
                return super().analyse(position, rng)

    def ready(self) -> None:
        """Starts the program; one that does not play the game, or cannot be started, is refused."""
        try:
            with self._running():
                return
        except Forfeit as fault:
            raise BadInput(f"{self.name} {fault}.") from None

    def close(self) -> None:
        """Ends the process."""
        with self._asking:
            if self.program:
                self.program.close()
            self.program = None

    @contextmanager
    def _running(self) -> Iterator[Program]:
        """The program, ready to be asked; it does not survive a fault, nor being interrupted."""
        with self._asking:
            try:
                yield self.program or self._started()
            except BaseException:
                if self.program:
                    self.program.kill()
                self.program = None
                raise

    def _started(self) -> Program:
        if self.useless:
            raise Forfeit(self.useless)
        try:
            self.program = Program(self.command)
            for line in (f"spielwerk {VERSION}", f"game {self.game.name}"):
                _ask(self.program, [line], "ready", self.settings.startup)
        except Refused as refusal:
            raise BadInput(f"{self.name} does not play {self.game.name}: {refusal}") from None
        except Forfeit as fault:
            self.useless = str(fault) if self.useless is None else ""
            raise
        self.useless = ""
        return self.program


def _command(run: str) -> list[str]:
    """The program and its arguments, if there is such a program."""
    if not run.isprintable():
        raise BadInput(f"engine: {run} cannot be run: it contains unprintable characters.")
    try:
        command = shlex.split(run)
    except ValueError as problem:
        raise BadInput(f"engine: {run} cannot be run: {str(problem).lower()}.") from None
    if not command:
        raise BadInput('engine needs a program to run, such as engine:"python bot.py".')
    if not shutil.which(command[0]):
        raise BadInput(f'engine: there is no executable program "{command[0]}".')
    return command


def _question(position: Position, moves: Sequence[str], rng: np.ndarray) -> list[str]:
    """What an engine receives before it is asked. Its seed is the stream's word: all that decides a choice of ours.

    The stream then jumps to another place, since one step on it would give the next choice almost the same numbers.
    """
    word = int(rng[0])
    rng[:] = stream(word, "engine")
    return ["new", f"position {position}", f"moves {' | '.join(moves)}", f"seed {word}"]


def _ask(program: Program, lines: Sequence[str], wanted: str, milliseconds: int) -> str:
    """Says some lines, and returns what follows the word `wanted` in the answer."""
    program.say(lines, milliseconds)
    while True:
        line = program.hear()
        word, _, rest = line.partition(" ")
        if word == wanted:
            return rest.strip()
        if word == "error":
            raise Refused(rest)
        if word not in ASIDES:
            raise Forfeit(f'answered {_quoted(line)} instead of "{wanted}"')


def _understood(position: Position, move: str) -> bool:
    """Whether the move is legal, though written in another way than we do."""
    try:
        return bool(position.spelled(move))
    except BadInput:
        return False


def _quoted(text: str) -> str:
    return f'"{printable(text[:QUOTED])}{"…" if len(text) > QUOTED else ""}"'


def _read(text: str, position: Position) -> Analysis:
    """The analysis that an engine has written, as far as it can be one."""
    best = float(position.game.constants["BEST"])
    try:
        facts = parsed(text)
        moves = tuple(_judged(move, best) for move in facts["moves"])
        return Analysis(str(position), _number(facts, "value", best), moves)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Forfeit(f"gave an analysis that cannot be read: {_quoted(text)}") from None


def _judged(move: dict[str, Any], best: float) -> Judged:
    visits, distance = _count(move, "visits"), _count(move, "distance")
    value, score = _number(move, "value", best), _number(move, "score", MOST_OF_A_SCORE)
    name = printable(str(move["move"]))[:LONGEST_MOVE]
    return Judged(name, value, visits, _number(move, "probability", 1.0, 0.0), score, distance)


def _count(facts: dict[str, Any], key: str) -> int | None:
    """A whole number that an engine says, or None."""
    value = facts.get(key)
    if value is not None and not is_whole(value, 0, MOST_WORD):
        raise ValueError
    return value


def _number(facts: dict[str, Any], key: str, most: float, least: float | None = None) -> float | None:
    """A number that an engine says, or None; a value cannot be beyond what a game can score, but for rounding."""
    value = facts.get(key)
    if value is not None and not is_number(value, (-most if least is None else least) - SLACK, most + SLACK):
        raise ValueError
    return value
