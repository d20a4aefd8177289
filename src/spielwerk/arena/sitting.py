"""Sitting: a game in progress, its seats filled by people and agents. No input and no output: others show and ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spielwerk.arena.playing.boards import forfeited
from spielwerk.arena.records.played import Kept, KeptGame
from spielwerk.arena.records.record import Line, Record
from spielwerk.games.position import Position, Turn
from spielwerk.kernel.random import stream
from spielwerk.names import BadInput
from spielwerk.search.playout import random_outcome

HUMAN = "human"


class Step(NamedTuple):
    """One turn that was played: the position after the roll, what was done, by whom, and where the streams stood."""

    here: Position
    line: Line
    end: Position
    by_person: bool
    streams: tuple[int, int] | None = None  # of dice and agents, after it; not known of a game that was resumed


class Sitting:
    """A game as far as it was played; `seats` says who sits where: HUMAN, or the name of an agent."""

    def __init__(self, begin: Position, seats: Sequence[str], seed: int) -> None:
        if len(seats) != begin.game.players:
            raise BadInput(f"{begin.game.name} has {begin.game.players} seats, not {len(seats)}.")
        self.seats = tuple(seats)
        self.people = {player for player, name in enumerate(seats) if name == HUMAN}
        self.dice, self.rng = stream(seed, "terminal"), stream(seed, "opponent")
        self.seed = seed
        self.begin = self.position = begin
        self.steps: list[Step] = []
        self.rolled: str | None = None  # the roll with which the player to act moves
        self.gave_up: tuple[int, str] | None = None

    def resume(self, kept: KeptGame) -> None:
        """Goes on where a kept game was left."""
        self.begin = self.position = kept.record.begin()
        for line in kept.record.turns:
            self.replay(line)
        self.gave_up = kept.record.fault
        self.dice[...], self.rng[...] = kept.streams

    def replay(self, line: Line) -> None:
        """Plays a turn of a record; without a move only its roll."""
        here = self.position if line.roll is None else self.position.roll(line.roll)
        self.position, self.rolled = here, line.roll
        if line.move:
            end = here.play(line.move)
            self.steps.append(Step(here, line, end, here.mover in self.people))
            self.position, self.rolled = end, None

    @property
    def ended(self) -> bool:
        """Whether the game is over, or was given up."""
        return self.position.over or self.gave_up is not None

    @property
    def scores(self) -> tuple[float, ...] | None:
        """The result, once there is one."""
        return self.position.scores or self._given_up()

    def roll(self) -> str:
        """Rolls for the player who acts next."""
        game = self.position.game
        scratch = np.zeros((2, game.constants["MOST_OUTCOMES"]), np.int64)
        outcome = game.kernel(random_outcome)(self.position.state, self.dice, *scratch)
        rolled = game.face.spell_roll(game, outcome)
        self.position, self.rolled = self.position.roll(outcome), rolled
        return rolled

    def play(self, move: str) -> Turn:
        """A person's move, as players write it."""
        end = self.position.play(move)
        turn = next(turn for turn in self.position.turns() if turn.end == end)
        self.played(turn, True)
        return turn

    def played(self, turn: Turn, by_person: bool) -> None:
        """Writes down a turn of the mover."""
        line = Line(self.position.mover, self.rolled, turn.text)
        self.steps.append(Step(self.position, line, turn.end, by_person, self._streams()))
        self.position, self.rolled = turn.end, None

    def resign(self, player: int, how: str = "resigned") -> None:
        """A player gives up."""
        self.gave_up = (player, how)

    def undo(self) -> bool:
        """Back to the last position in which a person moved; what comes then is rolled as it was."""
        own = [place for place, step in enumerate(self.steps) if step.by_person]
        if not own:
            return False
        step = self.steps[own[-1]]
        del self.steps[own[-1] :]
        self.position, self.rolled, self.gave_up = step.here, step.line.roll, None
        if step.streams:
            self.dice[...], self.rng[...] = step.streams
        return True

    def kept(self) -> Kept:
        """The game so far, as it is kept."""
        return Kept(self.record(), self._streams())

    def record(self) -> Record:
        """The game so far."""
        game = self.position.game
        lines = [step.line for step in self.steps]
        if self.rolled is not None:
            lines.append(Line(self.position.mover, self.rolled, ""))
        start = None if self.begin == game.start() else str(self.begin)
        about = {"Seed": str(self.seed)}
        return Record(game.name, self.seats, tuple(lines), self.scores, start, self.gave_up, headers=about)

    def _streams(self) -> tuple[int, int]:
        return int(self.dice[0]), int(self.rng[0])

    def _given_up(self) -> tuple[float, ...] | None:
        return tuple(forfeited(self.position.game, self.gave_up[0]).tolist()) if self.gave_up else None
