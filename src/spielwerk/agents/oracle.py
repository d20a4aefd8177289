"""`oracle`: plays perfectly where the truth is known; elsewhere another agent plays for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk import names
from spielwerk.agents import registry
from spielwerk.arena.agent import Agent
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.grading.questions import worths
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.names import BadInput, setting
from spielwerk.solvers.oracle import Truth, oracle, truth_after

KIND = "oracle"


@dataclass(frozen=True)
class Settings:
    """The settings of the oracle as an agent."""

    otherwise: str = setting("mcts", "the agent that plays where the oracle does not know")
    knows: str = setting("", "settings of the game's own oracle, such as stones=5")

    def __post_init__(self) -> None:
        if registry.understood(self.otherwise)[1] == KIND:
            raise BadInput("oracle: otherwise must be another agent, which plays what the oracle does not know.")


@dataclass(frozen=True)
class Seen:
    """A turn, the truth about it, and its place among the turns that are known; the higher, the better."""

    turn: Turn
    truth: Truth | None
    place: float

    @property
    def value(self) -> float:
        """What the mover expects."""
        return self.truth.value + 0.0 if self.truth else 0.0  # and never -0.0


class OracleAgent(Agent):
    """Plays perfectly where the truth is known: wins soonest, loses latest, draws where it is hard for the other side.

    Of drawn turns it takes the one after which the largest share of the replies loses.
    """

    Settings = Settings

    def __init__(self, game: Game, settings: Any) -> None:
        super().__init__(game, settings)
        self.oracle = oracle(game, **names.split(f"{KIND}:{settings.knows}")[1])
        self.otherwise = registry.agent(settings.otherwise, game)

    @property
    def draws(self) -> bool:
        """Where it does not know, the other agent may."""
        return self.otherwise.draws and not self.oracle.complete

    def choose(self, position: Position, rng: np.ndarray | None = None) -> str | int:
        """The best turn, or what the other agent plays."""
        best = self._best(self._seen(position))
        return self.otherwise.choose(position, rng) if best is None else best.turn.text

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """The exact value of every turn, None where it is not known; the turn that is played comes first."""
        truth = None if position.over else self.oracle.truth(position)
        seen = self._seen(position)
        if seen:
            best = self._best(seen)
            taken = (best.turn if best else self.otherwise.turn(position, rng)).end
            seen.sort(key=lambda one: (one.turn.end == taken, one.truth is not None, one.place), reverse=True)
        judged = tuple(
            Judged(one.turn.text, one.value, distance=one.truth.distance) if one.truth else Judged(one.turn.text)
            for one in seen
        )
        unknown = f"The oracle knows {self.oracle.limits()}; elsewhere {self.otherwise.name} plays."
        note = "" if all(one.truth for one in seen) else unknown
        known = (truth.value, truth.distance) if truth else (None, None)
        return Analysis(str(position), known[0], judged, note, known[1])

    def ready(self) -> None:
        """Where a game cannot be solved, or the other agent cannot play, that is found out before the first game."""
        self.oracle.ready()
        self.otherwise.ready()

    def close(self) -> None:
        """The other agent may hold something."""
        self.otherwise.close()

    def _seen(self, position: Position) -> list[Seen]:
        """Every turn of the mover."""
        turns = position.turns()
        truths = [truth_after(self.oracle, turn.end, position.mover) for turn in turns]
        places = iter(worths([truth for truth in truths if truth]))
        return [
            Seen(turn, truth, next(places).place if truth else 0.0) for turn, truth in zip(turns, truths, strict=True)
        ]

    def _best(self, seen: Sequence[Seen]) -> Seen | None:
        """The best of all turns; None where one that is not known may be better."""
        known = [one for one in seen if one.truth]
        if len(known) < len(seen):
            known = [one for one in known if one.value == self.game.constants["BEST"]]
        if not known:
            return None
        most = max(one.place for one in known)
        best = [one for one in known if one.place == most]
        if len(best) > 1 and best[0].value == 0:
            return max(best, key=lambda one: self._temptation(one.turn.end))
        return max(best, key=lambda one: one.turn.end.over and one.value > 0)  # where chance decides, places are alike

    def _temptation(self, position: Position) -> float:
        """The share of the mover's turns that lose something."""
        values = [one.value for one in self._seen(position) if one.truth]
        return sum(value < max(values) for value in values) / len(values) if values else 0.0
