"""`gnubg`: GNU Backgammon, a free program of near-perfect play, through the optional package of that name.

The package is under the GPL; it is imported only here, and only when the agent is asked for. It keeps memory for the
thread that has imported it, and looks ahead in no other one without a crash: a thread of its own does both.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.games.face.backgammon import checkers
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.names import BadInput, choice

THREAD = ThreadPoolExecutor(1, "gnubg")  # it begins with the first work that it gets
GAMMONS = {"win": (0, 0), "gammon": (1, 0), "full": (1, 1)}  # what a gammon and a backgammon add to a win


@dataclass(frozen=True)
class Settings:
    """The settings of gnubg."""

    plies: int = choice(0, 1, 2, 3, help="turns to look ahead as GNU Backgammon counts; 0 takes the best next position")


class Gnubg(Agent):
    """Values the ends of our own turns by GNU Backgammon, without a cube, and takes the best one."""

    Settings = Settings

    @property
    def draws(self) -> bool:
        """It does not."""
        return False

    def __init__(self, game: Game, settings: Any) -> None:
        super().__init__(game, settings)
        if game.kind != "backgammon":
            raise BadInput(f"gnubg plays backgammon, not {game.kind}.")
        if game.constants["CHECKERS"] != 15:
            raise BadInput("gnubg plays only backgammon with 15 checkers.")
        self.engine = THREAD.submit(_engine).result()
        self.cube = self.engine.cubeinfo(1, -1, 1, 0, (0, 0), 0, 0)  # centred and dead, in a game for money
        self.context = self.engine.evalcontext(0, settings.plies, 1, 1, 0.0)  # cubeless, deterministic, no noise

    def choose(self, position: Position, rng: np.ndarray | None = None) -> str:
        """The turn of the highest value."""
        return self.analyse(position).moves[0].move

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The value of every turn, of the kind that the game scores; before a roll, of the position only."""
        if position.over:
            return Analysis(str(position), None, ())
        if position.chance:
            return Analysis(str(position), self._values([position], position.roller)[0], ())
        turns = position.turns()
        values = self._values([turn.end for turn in turns], position.mover)
        judged = [Judged(turn.text, value) for turn, value in zip(turns, values, strict=True)]
        judged.sort(key=lambda move: -(move.value or 0.0))
        return Analysis(str(position), judged[0].value, tuple(judged))

    def _values(self, positions: Sequence[Position], player: int) -> list[float]:
        """What `player` expects in each position, asked in the engine's thread."""
        return THREAD.submit(lambda: [self._value(position, player) for position in positions]).result()

    def _value(self, position: Position, player: int) -> float:
        """What `player` expects where the game is over or a roll is due."""
        if position.scores is not None:
            return position.scores[player]
        found = self.engine.evaluate(self.board(position), self.cube, self.context)
        win, gammon, backgammon, lost, lost_double, _ = found
        double, triple = GAMMONS[self.game.settings.scoring]
        value = 2 * win - 1 + double * (gammon - lost) + triple * (backgammon - lost_double)
        return value if player == position.roller else -value

    def board(self, position: Position) -> tuple[tuple[int, ...], ...]:
        """A position before a roll as the engine takes it: the other's checkers, then those of who rolls."""
        roller = position.roller
        return tuple(tuple(checkers(position.words, side)) for side in (1 - roller, roller))


def _engine() -> Any:
    try:
        return importlib.import_module("gnubg")
    except ImportError:
        raise BadInput("gnubg needs the Python package gnubg: pip install 'spielwerk[peers]'.") from None
