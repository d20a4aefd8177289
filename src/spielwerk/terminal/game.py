"""TerminalGame: people at one keyboard, or a person against an agent; every game is kept."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from rich.console import Console

from spielwerk.arena.agent import Agent, Forfeit
from spielwerk.arena.playing.boards import forfeited
from spielwerk.arena.records.played import Kept, KeptGame
from spielwerk.arena.records.record import Line, Record
from spielwerk.games.position import Position, listed
from spielwerk.kernel.random import stream
from spielwerk.names import BadInput, nearest
from spielwerk.search.playout import random_outcome
from spielwerk.terminal import marked, status, waiting

HELP = "Write a move, or: moves, hint, analyse, undo, resign, text, help, quit."
HUMAN = "human"
SHOWN = 5  # moves of an analysis
LEAVE = ("quit", "exit", "q")


class Step(NamedTuple):
    """One turn that was played: the position after the roll, what was done, by whom, and where the streams stood."""

    here: Position
    line: Line
    end: Position
    by_person: bool
    streams: tuple[int, int] | None = None  # of dice and opponent, before it; not known of a game that was resumed


class TerminalGame:
    """A game in progress at the terminal; `keep` is called after every turn."""

    def __init__(self, position: Position, opponent: Agent | None, seat: int | None, seed: int) -> None:
        if seat is not None and not 0 <= seat < position.game.players:
            raise BadInput(f"{position.game.name} has no seat {seat}; possible: 0 to {position.game.players - 1}.")
        self.opponent = opponent  # None: people play all seats
        self.seat = 0 if opponent and seat is None else seat  # whose side of the board is below; None: as it is drawn
        self.people = {self.seat} if opponent else set(range(position.game.players))
        self.dice, self.rng = stream(seed, "terminal"), stream(seed, "opponent")
        self.seed = seed
        self.keep: Callable[[], None] = lambda: None
        self.begin = self.position = position
        self.steps: list[Step] = []
        self.rolled: str | None = None  # the roll with which the player to act moves
        self.gave_up: tuple[int, str] | None = None
        self.shown: Position | None = None
        self.words = {
            **{"moves": self._moves, "hint": self._hint, "analyse": self._analyse, "undo": self._undo},
            **{"resign": self._resign, "text": self._text, "help": self._help, "?": self._help, "": self._help},
        }

    def resume(self, kept: KeptGame) -> None:
        """Goes on where a kept game was left."""
        position = kept.record.begin()
        for line in kept.record.turns:
            here = position if line.roll is None else position.roll(line.roll)
            if line.move:
                end = here.play(line.move)
                self.steps.append(Step(here, line, end, here.mover in self.people))
                position = end
            else:
                position, self.rolled = here, line.roll
        self.position, self.begin = position, kept.record.begin()
        self.dice[...], self.rng[...] = kept.streams

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

    @property
    def ended(self) -> bool:
        """Whether the game is over, or was given up."""
        return self.position.over or self.gave_up is not None

    def kept(self) -> Kept:
        """The game so far, as it is kept."""
        return Kept(self._record(), self._streams())

    def _streams(self) -> tuple[int, int]:
        return int(self.dice[0]), int(self.rng[0])

    def _record(self) -> Record:
        game = self.position.game
        lines = [step.line for step in self.steps]
        if self.rolled is not None:
            lines.append(Line(self.position.mover, self.rolled, ""))
        other = self.opponent.name if self.opponent else HUMAN
        names = tuple(HUMAN if player in self.people else other for player in range(game.players))
        start = None if self.begin == game.start() else str(self.begin)
        scores, about = self.position.scores or self._given_up(), {"Seed": str(self.seed)}
        return Record(game.name, names, tuple(lines), scores, start, self.gave_up, headers=about)

    def _given_up(self) -> tuple[float, ...] | None:
        return tuple(forfeited(self.position.game, self.gave_up[0]).tolist()) if self.gave_up else None

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
        game = self.position.game
        scratch = np.zeros((2, game.constants["MOST_OUTCOMES"]), np.int64)
        outcome = game.kernel(random_outcome)(self.position.state, self.dice, *scratch)
        self.rolled = game.face.spell_roll(game, outcome)
        print(f"{game.player_names[self.position.roller]} rolled {self.rolled}.")
        self.position = self.position.roll(outcome)

    def _played(self, move: str, end: Position, by_person: bool) -> None:
        line = Line(self.position.mover, self.rolled, move)
        self.steps.append(Step(self.position, line, end, by_person, self._streams()))
        self.position, self.rolled = end, None

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
            self.gave_up = (self.position.mover, f"({self.opponent.name}) forfeits: {fault}")
            return
        print(f"{name} plays {turn.text}.")
        self._played(turn.text, turn.end, False)

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
            end = self.position.play(line)
        except BadInput as problem:
            meant = nearest(line.lower(), [word for word in (*self.words, *LEAVE) if len(word) > 1])
            print(f"Did you mean {meant}?" if meant else problem)
            return
        turn = next(turn for turn in self.position.turns() if turn.end == end)
        self._played(turn.text, end, True)

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

        adviser = self.opponent or agent("mcts", self.position.game)
        try:
            with waiting("thinking …"):
                work(adviser)
        except KeyboardInterrupt:
            print("Stopped.")
        except (Forfeit, BadInput) as fault:
            print(f"{adviser.name} has no advice: {fault}")

    def _resign(self) -> None:
        self.gave_up = (self.position.mover, "resigned")

    def _undo(self) -> None:
        """Back to the last position in which a person moved; what comes then is rolled as it was."""
        own = [place for place, step in enumerate(self.steps) if step.by_person]
        if not own:
            print("There is no move to take back.")
            return
        step = self.steps[own[-1]]
        del self.steps[own[-1] :]
        self.position, self.rolled = step.here, step.line.roll
        if step.streams:
            self.dice[...], self.rng[...] = step.streams
