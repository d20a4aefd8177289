"""TerminalGame: people at one keyboard, or a person against an agent; every game is kept."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from contextlib import suppress

from rich.console import Console

from spielwerk.arena.agent import Agent, Forfeit
from spielwerk.arena.sitting import HUMAN, Sitting
from spielwerk.games.position import Position, listed
from spielwerk.kernel.random import stream
from spielwerk.names import BadInput, nearest
from spielwerk.terminal import marked, status, waiting

HELP = "Write a move, or: moves, hint, analyse, undo, resign, text, help, quit."
SHOWN = 5  # moves of an analysis
LEAVE = ("quit", "exit", "q")


class TerminalGame(Sitting):
    """A game in progress at the terminal; `keep` is called after every turn."""

    def __init__(self, position: Position, opponent: Agent | None, seat: int | None, seed: int) -> None:
        if seat is not None and not 0 <= seat < position.game.players:
            raise BadInput(f"{position.game.name} has no seat {seat}; possible: 0 to {position.game.players - 1}.")
        self.opponent = opponent  # None: people play all seats
        self.seat = 0 if opponent and seat is None else seat  # whose side of the board is below; None: as it is drawn
        other = opponent.name if opponent else HUMAN
        seats = [HUMAN if player == self.seat else other for player in range(position.game.players)]
        super().__init__(position, seats, seed)
        self.keep: Callable[[], None] = lambda: None
        self.shown: Position | None = None
        self.words = {
            **{"moves": self._moves, "hint": self._hint, "analyse": self._analyse, "undo": self._undo},
            **{"resign": self._resign, "text": self._text, "help": self._help, "?": self._help, "": self._help},
        }

    def run(self) -> None:
        """Plays until the game ends or the person leaves; Ctrl-C leaves what was kept after the last turn."""
        with suppress(ImportError):
            importlib.import_module("readline")  # gives the prompt its history and arrow keys
        print(f"{self.position.game.title} ({self.position.game.name}), seed {self.seed}.\n{HELP}")
        going = True
        while going and not self.ended:
            going = self._go_on()
            self.keep()
        if not self.ended:
            return
        self._show()
        print(f"\n{self._result()}")

    def _go_on(self) -> bool:
        """One roll, one line from a person, or one turn of the opponent; False when the person leaves."""
        if self.position.chance:
            self._roll()
        elif self.position.mover in self.people:
            return self._ask()
        else:
            self._answer()
        return True

    def _result(self) -> str:
        if self.gave_up:
            return f"{self.position.game.player_names[self.gave_up[0]]} {self.gave_up[1]}."
        return status(self.position)

    def _show(self) -> None:
        """The board, unless it has just been shown; what the last turns changed stands out."""
        if self.position == self.shown:
            return
        before = self.shown.board(self.seat) if self.shown else ""
        Console(soft_wrap=True, highlight=False).print("\n", marked(self.position.board(self.seat), before), sep="")
        self.shown = self.position

    def _roll(self) -> None:
        name = self.position.game.player_names[self.position.roller]
        print(f"{name} rolled {self.roll()}.")

    def _answer(self) -> None:
        """The opponent's turn."""
        assert self.opponent
        if self.shown is None:
            self._show()
            print()
        name = self.position.game.player_names[self.position.mover]
        try:
            with waiting("thinking …"):
                turn = self.opponent.turn(self.position, self.rng)
        except (Forfeit, BadInput) as fault:
            self.resign(self.position.mover, f"({self.opponent.name}) forfeits: {fault}")
            return
        print(f"{name} plays {turn.text}.")
        self.played(turn, False)

    def _ask(self) -> bool:
        """One line from the person to move; False when they leave."""
        self._show()
        name, moves = self.position.game.player_names[self.position.mover], self.position.moves()
        hint = f" (only {moves[0]})" if len(moves) == 1 else ""
        try:
            line = input(f"\n{name}{hint}> ").strip()
        except EOFError:
            return False
        word = line.lower()
        if word in LEAVE:
            return False
        if word in self.words:
            self.words[word]()
        else:
            self._play(line)
        sys.stdout.flush()
        return True

    def _play(self, line: str) -> None:
        try:
            self.play(line)
        except BadInput as problem:
            meant = nearest(line.lower(), [word for word in (*self.words, *LEAVE) if len(word) > 1])
            print(f"Did you mean {meant}?" if meant else problem)

    def _help(self) -> None:
        print(f"{HELP} Moves here are written like this: {listed(self.position.moves(), 3)}.")

    def _moves(self) -> None:
        print(", ".join(self.position.moves()))

    def _text(self) -> None:
        print(self.position)

    def _hint(self) -> None:
        """What the opponent, or a search, would play here."""
        self._with_adviser(lambda adviser: print(f"{adviser.name} would play {adviser.turn(self.position).text}."))

    def _analyse(self) -> None:
        """What the opponent, or a search, thinks of the best moves."""

        def show(adviser: Agent) -> None:
            analysis = adviser.analyse(self.position, stream(self.seed, "analyse"))
            for move in analysis.moves[:SHOWN]:
                value = "" if move.value is None else f"  {move.value:+.3f}"
                print(f"  {move.move}{value}")

        self._with_adviser(show)

    def _with_adviser(self, work: Callable[[Agent], None]) -> None:
        from spielwerk.agents.registry import agent
        from spielwerk.api.judges import usual_judge

        game = self.position.game
        adviser = self.opponent or agent(usual_judge(game), game)
        try:
            with waiting("thinking …"):
                work(adviser)
        except KeyboardInterrupt:
            print("Stopped.")
        except (Forfeit, BadInput) as fault:
            print(f"{adviser.name} has no advice: {fault}")

    def _resign(self) -> None:
        self.resign(self.position.mover)

    def _undo(self) -> None:
        if not self.undo():
            print("There is no move to take back.")
