"""What rollouts found: the value of a position, or of the best turns in it, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.arena.figures import percent
from spielwerk.arena.plots import DOT, GRID, QUIET, ROW, drawn, quiet
from spielwerk.arena.result import Result, Rows

SURE = 1.959963984540054  # standard errors on each side of an interval of 95 %


@dataclass(frozen=True)
class Mean:
    """A mean over games, and half the width of its interval of 95 %."""

    value: float
    margin: float

    @classmethod
    def of(cls, numbers: np.ndarray) -> Mean:
        """The mean of some numbers."""
        spread = float(numbers.std(ddof=1)) if len(numbers) > 1 else 0.0
        return cls(float(numbers.mean()), SURE * spread / len(numbers) ** 0.5)

    def facts(self) -> dict[str, float]:
        """What `--json` prints."""
        return {"mean": self.value, "low": self.value - self.margin, "high": self.value + self.margin}


@dataclass(frozen=True)
class RolledOut:
    """One turn, or the position itself (""), played out many times."""

    move: str
    value: Mean  # the score of the mover, or of who rolls
    chances: Mapping[str, Mean]  # in games with several kinds of wins, by name

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        chances = {name: mean.facts() for name, mean in self.chances.items()}
        return {"move": self.move, "value": self.value.facts(), **({"chances": chances} if chances else {})}


@dataclass(frozen=True)
class RolloutResult(Result):
    """Rollouts of a position, the best turn first."""

    game: str
    position: str
    estimator: str  # what chose all turns
    games: int  # of each row
    turns: int  # after which they were cut; 0: never
    seed: int
    rows: tuple[RolledOut, ...]

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        about = {"game": self.game, "position": self.position, "value_by": self.estimator, "games": self.games}
        return {**about, "turns": self.turns, "seed": self.seed, "rows": [row.facts() for row in self.rows]}

    def table(self) -> tuple[Sequence[str], Rows]:
        """A row for each turn."""
        names = list(self.rows[0].chances)
        heads = ("move", ">value", *(f">{name}" for name in names))
        rows = [
            [
                row.move or "(to roll)",
                f"{row.value.value:+.3f} ± {row.value.margin:.3f}",
                *(f"{percent(row.chances[name].value)} ± {100 * row.chances[name].margin:.1f}" for name in names),
            ]
            for row in self.rows
        ]
        return heads, rows

    def plot(self) -> Any:
        """The value of each turn, with its interval."""
        from matplotlib.figure import Figure

        with drawn():
            figure = Figure(figsize=(6, 1.0 + ROW * len(self.rows)), layout="constrained")
            axes, places = figure.add_subplot(), range(len(self.rows))
            values, margins = ([getattr(row.value, part) for row in self.rows] for part in ("value", "margin"))
            axes.errorbar(values, places, xerr=margins, fmt="o", color=DOT, capsize=3)
            axes.axvline(0, color=QUIET, linewidth=1)
            axes.set_yticks(places, [row.move or "to roll" for row in self.rows])
            axes.set_ylim(len(self.rows) - 0.4, -0.6)
            axes.set_xlabel("value, with an interval of 95 %")
            axes.grid(axis="x", color=GRID)
            quiet(axes)
        return figure
