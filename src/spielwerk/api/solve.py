"""`sw.solve`: a game solved, or as much of it as is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spielwerk import names
from spielwerk.api.arguments import as_game
from spielwerk.arena.plots import DOT, GRID, drawn, quiet
from spielwerk.arena.result import Result, Rows
from spielwerk.games.game import Game
from spielwerk.names import BadInput
from spielwerk.solvers.oracle import SolveProgress, no_progress, solver

SECTOR = ("name", "states", "wins", "draws", "losses", "longest_win", "longest_loss", "checked")
SECTOR_HEADS = ("sector", ">states", ">wins", ">draws", ">losses", ">longest win", ">longest loss", ">verified")
LABELS = {  # what a table calls a fact
    "states": "positions",
    "value": "value of the start",
    "values": "value of a race",
    "turns": "turns to the end",
    "checkers": "checkers of a side",
    "stones": "stones on the board",
    "against_random": "win rate against random",
}
CLASSES = (("wins", DOT), ("draws", "#c9c9c9"), ("losses", "#c2571a"))


@dataclass(frozen=True)
class SolveResult(Result):
    """What a solver found out; its keys depend on the game."""

    found: dict[str, Any]

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        return self.found

    def table(self) -> tuple[Sequence[str], Rows]:
        """What is known of the whole."""
        rows = [["game", self.found["game"]]]
        for key, value in self.found.items():
            label = LABELS.get(key, key.replace("_", " "))
            if isinstance(value, dict):
                rows += [[f"{label}, {part}", fact_text(one)] for part, one in value.items()]
            elif key not in ("sectors", "game", "seconds"):
                rows.append([label, fact_text(value)])
        return ("", ""), rows

    def sectors(self) -> tuple[Sequence[str], Rows]:
        """A row for each sector, of games that are solved in sectors."""
        sectors = self.found.get("sectors", [])
        rows = [[fact_text(sector[key]) for key in SECTOR] for sector in sectors]
        verified = any(sector["checked"] for sector in sectors)
        return SECTOR_HEADS, rows if verified else [[*row[:-1], ""] for row in rows]

    def plot(self) -> Any:
        """Shares of won, drawn and lost positions, for each sector."""
        from matplotlib.figure import Figure

        sectors = self.found.get("sectors", [])
        if not sectors:
            raise BadInput(f"{self.found['game']} is not solved in sectors; there is nothing to draw.")
        with drawn():
            figure = Figure(figsize=(7, 0.8 + 0.22 * len(sectors)), layout="constrained")
            axes = figure.add_subplot()
            for row, sector in enumerate(sectors):
                left = 0.0
                for key, colour in CLASSES:
                    share = sector[key] / max(sector["states"], 1)
                    axes.barh(row, share, 0.8, left, color=colour, label=key if row == 0 else None)
                    left += share
            axes.set_yticks(range(len(sectors)), [sector["name"] for sector in sectors])
            axes.set_ylim(len(sectors) - 0.4, -0.6)
            axes.set_xlabel("share of positions, for the player to act")
            axes.grid(axis="x", color=GRID)
            axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize=9)
            quiet(axes)
        return figure


def solve(game: str | Game, *, callback: SolveProgress = no_progress, **settings: Any) -> SolveResult:
    """Solves a game and keeps the tables, so that its oracle knows more; `settings` are those of the game's solver.

    `callback` receives how much is done, and of how much.
    """
    variant = as_game(game)
    run, settings_class = solver(variant)
    return SolveResult(run(variant, names.settings(settings_class, f"solve {variant.kind}", settings), callback))


def fact_text(value: Any) -> str:
    """A fact for people."""
    if isinstance(value, float):
        return f"{value:.12g}"
    return f"{value:,}" if isinstance(value, int) else "–" if value is None else str(value)
