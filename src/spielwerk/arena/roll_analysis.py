"""What an agent thinks of a position before a roll: what each roll is worth, and what it would play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.figures import percent
from spielwerk.arena.plots import DOT, GRID, QUIET, ROW, drawn, quiet
from spielwerk.arena.result import Result, Rows
from spielwerk.games.position import Position
from spielwerk.names import BadInput


@dataclass(frozen=True)
class JudgedRoll:
    """One roll as an agent sees it."""

    roll: str
    probability: float
    move: str  # what the agent would play
    value: float | None  # the score that who rolled it expects then


@dataclass(frozen=True)
class RollAnalysis(Result):
    """A position before a roll as an agent sees it."""

    position: str
    value: float | None  # the score that who rolls expects
    rolls: tuple[JudgedRoll, ...]
    note: ClassVar[str] = ""  # these two as an analysis of moves has them
    distance: ClassVar[int | None] = None

    @property
    def moves(self) -> tuple[Judged, ...]:
        """What the agent would play, in the order of the rolls; the probability is that of the roll."""
        return tuple(Judged(one.move, one.value, probability=one.probability) for one in self.rolls)

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {"position": self.position, "value": self.value, "rolls": [asdict(roll) for roll in self.rolls]}

    def table(self) -> tuple[Sequence[str], Rows]:
        """A row for each roll."""
        rows = [
            [one.roll, percent(one.probability), one.move, "" if one.value is None else f"{one.value:+.3f}"]
            for one in self.rolls
        ]
        return ("roll", ">probability", "move", ">value"), rows

    def plot(self) -> Any:
        """A bar for each roll: its value."""
        from matplotlib.figure import Figure

        if self.value is None:
            raise BadInput("There is nothing to draw: the agent does not value rolls.")
        with drawn():
            figure = Figure(figsize=(6, 1.0 + ROW * len(self.rolls)), layout="constrained")
            axes = figure.add_subplot()
            axes.barh(range(len(self.rolls)), [one.value or 0.0 for one in self.rolls], 0.6, color=DOT)
            axes.axvline(self.value, color=QUIET, linewidth=1)
            axes.set_yticks(range(len(self.rolls)), [f"{one.roll}  {one.move}" for one in self.rolls])
            axes.set_ylim(len(self.rolls) - 0.4, -0.6)
            axes.set_xlabel("value of the roll; the line is the mean")
            axes.grid(axis="x", color=GRID)
            quiet(axes)
        return figure


def roll_analysis(position: Position, analyse: Callable[[Position], Analysis]) -> RollAnalysis:
    """Every roll of a position, judged one after the other."""
    judged = []
    for (outcome, share), roll in zip(position.outcomes(), position.rolls(), strict=True):
        found = analyse(position.roll(outcome))
        judged.append(JudgedRoll(roll, share, found.moves[0].move, found.value))
    known = [one.probability * one.value for one in judged if one.value is not None]
    value = sum(known) if len(known) == len(judged) else None
    return RollAnalysis(str(position), value, tuple(judged))
