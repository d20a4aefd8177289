"""Playing in the terminal: people at one keyboard, or a person against an agent."""

from __future__ import annotations

import importlib
import shlex
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np
from rich.console import Console

from spielwerk.arena.agent import Agent, Forfeit
from spielwerk.games.position import Position, listed
from spielwerk.kernel.random import stream
from spielwerk.names import BadInput
from spielwerk.search.playout import random_outcome

HELP = "Write a move, or: moves, undo, text, help, quit."
LISTED = 40
PATIENCE = 1.0  # seconds that nobody minds


def described(position: Position) -> str:
    """A position for people: the board, whose turn it is, what can be played, and the text."""
    return "\n".join([position.board(), "", status(position), str(position)])


def status(position: Position) -> str:
    """Whose turn it is and what can be played, or how the game ended."""
    names = position.game.player_names
    if position.scores:
        best = max(position.scores)
        winners = [name for name, score in zip(names, position.scores, strict=True) if score == best]
        scores = ", ".join(f"{name} {score:+g}" for name, score in zip(names, position.scores, strict=True))
        draw = len(set(position.scores)) == 1
        return f"A draw ({scores})." if draw else f"{' and '.join(winners)} won ({scores})."
    if position.chance:
        return f"{names[position.roller]} rolls: {', '.join(position.rolls())}"
    return f"{names[position.mover]} to move: {listed(position.moves(), LISTED)}"


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Says at the terminal what one waits for, once it takes longer than a moment."""
    status = Console(stderr=True).status(what)
    later = threading.Timer(PATIENCE, status.start)
    later.start()
    try:
        yield
    finally:
        later.cancel()
        later.join()
        status.stop()


class TerminalGame:
    """A game in progress at the terminal."""

    def __init__(self, position: Position, opponent: Agent | None, seat: int, seed: int) -> None:
        if not 0 <= seat < position.game.players:
            raise BadInput(f"{position.game.name} has no seat {seat}; possible: 0 to {position.game.players - 1}.")
        self.opponent = opponent  # None: people play all seats
        self.people = {seat} if opponent else set(range(position.game.players))
        self.dice, self.rng = stream(seed, "terminal"), stream(seed, "opponent")
        self.seed = seed
        self.past: list[Position] = []  # the positions in which a person moved
        self.position = position
        self.shown: Position | None = None

    def run(self) -> None:
        """Plays until the game ends or the person leaves."""
        with suppress(ImportError):
            importlib.import_module("readline")  # gives the prompt its history and arrow keys
        print(f"{self.position.game.title} ({self.position.game.name}), seed {self.seed}.\n{HELP}")
        while not self.position.over:
            if self.position.chance:
                self._roll()
            elif self.position.mover in self.people:
                if not self._ask():
                    print(f"\nTo resume: {self._command()}")
                    return
            elif not self._answer():
                return
        self._show()
        print(f"\n{status(self.position)}")

    def _show(self) -> None:
        """The board, unless it has just been shown."""
        if self.position != self.shown:
            print(f"\n{self.position.board()}")
            self.shown = self.position

    def _command(self) -> str:
        """What to type to resume from here."""
        options = f" --against {shlex.quote(self.opponent.name)} --seat {min(self.people)}" if self.opponent else ""
        program = "spielwerk" if shutil.which("spielwerk") else sys.argv[0]
        return f'{program} play {self.position.game.name} "{self.position}"{options}'

    def _roll(self) -> None:
        game = self.position.game
        scratch = np.zeros((2, game.constants["MOST_OUTCOMES"]), np.int64)
        outcome = game.kernel(random_outcome)(self.position.state, self.dice, *scratch)
        print(f"{game.player_names[self.position.roller]} rolls {game.face.spell_roll(game, outcome)}.")
        self.position = self.position.roll(outcome)

    def _answer(self) -> bool:
        """The opponent's turn; False where it cannot go on."""
        assert self.opponent
        if self.shown is None:
            self._show()
            print()
        name = self.position.game.player_names[self.position.mover]
        try:
            with waiting("thinking …"):
                turn = self.opponent.turn(self.position, self.rng)
        except (Forfeit, BadInput) as fault:
            print(f"{name} ({self.opponent.name}) forfeits: {fault}")
            return False
        print(f"{name} plays {turn.text}.")
        self.position = turn.end
        return True

    def _ask(self) -> bool:
        """One line from the person to move; False when they leave."""
        self._show()
        name, moves = self.position.game.player_names[self.position.mover], self.position.moves()
        hint = f" (only {moves[0]})" if len(moves) == 1 else ""
        try:
            line = input(f"\n{name}{hint}> ").strip()
        except (EOFError, KeyboardInterrupt):
            return False
        word = line.lower()
        if word in ("quit", "exit", "q"):
            return False
        if word in ("", "help"):
            print(f"{HELP} Moves here are written like this: {listed(moves, 3)}.")
        elif word == "moves":
            print(", ".join(moves))
        elif word == "text":
            print(self.position)
        elif word == "undo":
            self._undo()
        else:
            self._play(line)
        sys.stdout.flush()
        return True

    def _undo(self) -> None:
        if not self.past:
            print("There is no move to take back.")
            return
        self.position = self.past.pop()

    def _play(self, line: str) -> None:
        try:
            after = self.position.play(line)
        except BadInput as problem:
            print(problem)
            return
        self.past.append(self.position)
        self.position = after
