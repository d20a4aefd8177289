"""What an agent thinks of a position: its value, and what it thinks of each move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from spielwerk.arena.figures import percent
from spielwerk.arena.plots import DOT, GRID, QUIET, ROW, drawn, quiet
from spielwerk.arena.result import Result, Rows

HEADS = ("move", ">value", ">turns to the end", ">score", ">visits", ">probability")
PARTS = ("part", "value", ">probability", "by the rules")
SHOWN = ("value", "probability", "score")  # what a plot shows, the first that is known
SELDOM = ("score", "distance", "chances")  # left out where the agent does not know
MOST_BARS = 20


@dataclass(frozen=True)
class Judged:
    """One move as an agent sees it; what the agent does not know is None."""

    move: str
    value: float | None = None  # the score that the mover expects
    visits: int | None = None  # of a tree search
    probability: float | None = None  # that the agent plays it
    score: float | None = None  # where the agent ranks moves without expecting anything: the higher the better
    distance: int | None = None  # turns to the end, this one included, where both sides play perfectly
    chances: Mapping[str, float] | None = None  # of the mover, by name, in games with several kinds of wins

    def facts(self) -> dict[str, Any]:
        """What is printed of it; few agents have a score or chances, and only oracles a distance."""
        return {key: one for key, one in asdict(self).items() if key not in SELDOM or one is not None}


@dataclass(frozen=True)
class Said:
    """One value of one part of a move, as an agent sees it that says moves in parts and does not know the rules."""

    part: str
    value: str
    probability: float
    legal: bool  # whether a legal move begins so


@dataclass(frozen=True)
class Analysis(Result):
    """A position as an agent sees it, the best move first."""

    position: str
    value: float | None  # the score that the mover expects
    moves: tuple[Judged, ...]
    note: str = ""  # what else a reader should know, in a sentence
    distance: int | None = None  # turns to the end, where both sides play perfectly
    chances: Mapping[str, float] | None = None  # of the mover, or of who rolls
    said: tuple[Said, ...] = ()  # of an agent that says moves in parts: the most likely values of each
    rolls: ClassVar[tuple[()]] = ()  # a move is due; see `RollAnalysis`

    def facts(self) -> dict[str, Any]:
        """What `--json` and the engine protocol print."""
        facts = {"position": self.position, "value": self.value, "moves": [move.facts() for move in self.moves]}
        facts |= {} if self.distance is None else {"distance": self.distance}
        facts |= {} if self.chances is None else {"chances": dict(self.chances)}
        facts |= {"parts": [asdict(one) for one in self.said]} if self.said else {}
        return facts | ({"note": self.note} if self.note else {})

    def table(self) -> tuple[Sequence[str], Rows]:
        """A row for each move."""
        rows = [
            [
                judged.move,
                "" if judged.value is None else f"{judged.value:+.3f}",
                "" if judged.distance is None else f"{judged.distance:,}",
                "" if judged.score is None else f"{judged.score:+.4f}",
                "" if judged.visits is None else f"{judged.visits:,}",
                "" if judged.probability is None else percent(judged.probability),
                *(percent((judged.chances or {}).get(name, 0.0)) for name in self.chances or ()),
            ]
            for judged in self.moves
        ]
        return (*HEADS, *(f">{name}" for name in self.chances or ())), rows

    def parts_table(self) -> tuple[Sequence[str], Rows]:
        """A row for each value of a part that was said; a part is named once."""
        rows, before = [], ""
        for one in self.said:
            rows.append(["" if one.part == before else one.part, one.value, percent(one.probability), _legal(one)])
            before = one.part
        return PARTS, rows

    def plot(self) -> Any:
        """A bar for each of the best moves: its value, or where there is none its probability or score."""
        from matplotlib.figure import Figure

        what = next((name for name in SHOWN if any(getattr(move, name) is not None for move in self.moves)), SHOWN[0])
        best = [move for move in self.moves if getattr(move, what) is not None][:MOST_BARS]
        with drawn():
            figure = Figure(figsize=(6, 1.0 + ROW * max(len(best), 1)), layout="constrained")
            axes = figure.add_subplot()
            axes.barh(range(len(best)), [getattr(move, what) for move in best], 0.6, color=DOT)
            axes.axvline(0, color=QUIET, linewidth=1)
            axes.set_yticks(range(len(best)), [move.move for move in best])
            axes.set_ylim(max(len(best), 1) - 0.4, -0.6)
            axes.set_xlabel(f"{what} of the move")
            axes.grid(axis="x", color=GRID)
            quiet(axes)
        return figure


def _legal(one: Said) -> str:
    return "legal" if one.legal else "illegal"
