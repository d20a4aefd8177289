"""`sw.dataset`: observed moves of a teacher, kept in a folder; and what the rules say of those in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.agents.registry import agent as agent_of
from spielwerk.api.arguments import as_game
from spielwerk.arena.plots import DOT, GRID, quiet
from spielwerk.arena.result import Result, Rows
from spielwerk.games.game import Game
from spielwerk.learn.imitation.data.analysis import LegalMoves, legal_in
from spielwerk.learn.imitation.data.expansion import NONE, SYMMETRIES
from spielwerk.learn.imitation.data.folder import dataset as data_of
from spielwerk.learn.imitation.data.generator import Generator, Progress
from spielwerk.learn.imitation.data.labelling import label
from spielwerk.learn.imitation.data.plan import SELF, DatasetPlan
from spielwerk.names import BadInput
from spielwerk.solvers.oracle import oracle

HIGHEST = 40  # moves that a plot shows


def nobody(done: int, found: int) -> None:
    """Hears nothing."""


@dataclass(frozen=True)
class DatasetResult(Result):
    """A folder of observed moves."""

    game: Game
    folder: Path
    teacher: str
    pairs: int
    states: int = 0
    notes: tuple[str, ...] = ()  # what could not be read, or found

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        about = {"game": self.game.name, "teacher": self.teacher, "folder": str(self.folder)}
        return about | {"pairs": self.pairs, "states": self.states, "notes": list(self.notes)}

    def table(self) -> tuple[Sequence[str], Rows]:
        """Two counts."""
        return ("", ">"), [["observed moves", f"{self.pairs:,}"], ["further positions", f"{self.states:,}"]]

    def plot(self) -> Any:
        """There is nothing to draw."""
        raise BadInput("Counts of a dataset are not drawn.")


def dataset(
    game: str | Game,
    teacher: str,
    folder: str | Path,
    *,
    games: int = 1000,
    opponents: Sequence[str] = (SELF,),
    starts: str = "start",
    random: float = 1.0,
    opening: int = 0,
    states: int = 0,
    seed: int = 1,
    form: str = "jsonl",
    played: Progress = nobody,
    drawn: Progress = nobody,
) -> DatasetResult:
    """Lets a teacher play, and keeps each position once with the move in it; a folder that was begun is gone on with.

    `opponents` take turns ("self": the teacher). `starts` is "start", "random" (drawn as the game says), or "reachable"
    (after random turns), for a share `random` of the games. `states` further positions have no move, and share none,
    and no symmetric twin, with the others. `played` and `drawn` receive what is done, and how much was found.
    """
    variant = as_game(game)
    names = tuple(name if name == SELF else agent_of(name, variant).name for name in opponents)
    own = agent_of(teacher, variant).name
    plan = DatasetPlan(variant.name, own, games, names or (SELF,), starts, random, opening, states, seed, form)
    generator = Generator(plan, Path(folder), agent_of)
    generator.begin()
    found = generator.go(played, drawn)
    few = f"Only {found['states']:,} further positions were found, where {states:,} were asked for."
    notes = (few,) if found["states"] < states else ()
    return DatasetResult(variant, Path(folder), own, found["pairs"], found["states"], notes)


def labelled(
    game: str | Game,
    data: str | Path,
    folder: str | Path,
    *,
    knows: dict[str, Any] | None = None,
    form: str = "jsonl",
    most: int = 0,
    callback: Progress = nobody,
) -> DatasetResult:
    """Keeps the best moves that the game's oracle knows of the positions in `data`, `most` of them (0: all)."""
    variant = as_game(game)
    read = data_of(str(data), variant, NONE)
    pairs = read.pairs
    given = pairs.rows(np.linspace(0, len(pairs) - 1, min(most or len(pairs), len(pairs))).astype(np.int64))
    known = oracle(variant, **(knows or {}))
    known.ready()
    found = label(given, known, Path(folder), form, callback)
    return DatasetResult(variant, Path(folder), "oracle", found, notes=read.notes)


@dataclass(frozen=True)
class LegalResult(Result):
    """What the rules leave of all moves, in each set of positions."""

    game: Game
    sets: dict[str, LegalMoves]
    notes: tuple[str, ...]

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        found = {name: one.facts() for name, one in self.sets.items()}
        return {"game": self.game.name, "sets": found, "notes": list(self.notes)}

    def table(self) -> tuple[Sequence[str], Rows]:
        """A row for each figure, a column for each set."""
        sets = [one.facts() for one in self.sets.values()]
        rows: list[list[str]] = [
            ["positions", *(f"{one['positions']:,}" for one in sets)],
            ["legal moves, mean", *(f"{one['legal']['mean']:.1f}" for one in sets)],
            ["least and most", *(f"{one['legal']['least']} to {one['legal']['most']}" for one in sets)],
            ["moves that can be written", *(f"{one['possible']:,}" for one in sets)],
            ["of which legal in a position, mean", *(f"{100 * one['mean_share']:.2f} %" for one in sets)],
            ["legal nowhere", *(f"{one['never']:,}" for one in sets)],
            ["legal in more than 10 % of positions", *(f"{len(one['frequent']):,}" for one in sets)],
            ["most often legal, share of positions", *(f"{100 * one['highest_share']:.1f} %" for one in sets)],
            *(
                [f"{part} of those above 10 %", *(_listed(one["in_common"][part]) for one in sets)]
                for part in self.game.move_parts.names
            ),
        ]
        return ("", *(f">{name}" for name in self.sets)), rows

    def plot(self) -> Any:
        """In which share of positions the most frequent moves are legal."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8, 3.4), layout="constrained")
        for i, (name, one) in enumerate(self.sets.items()):
            axes = figure.add_subplot(1, len(self.sets), i + 1)
            axes.bar(range(HIGHEST), sorted(one.shares, reverse=True)[:HIGHEST], color=DOT)
            axes.set_title(f"{name}: the moves most often legal", fontsize=10, loc="left")
            axes.set_ylabel("share of positions", fontsize=9)
            axes.grid(axis="y", color=GRID)
            quiet(axes)
        return figure


def legal_moves(game: str | Game, data: str | Path, *, expand: str = SYMMETRIES, threads: int = 1) -> LegalResult:
    """How many moves are legal in the positions of a folder, and how often each is."""
    variant = as_game(game)
    found = data_of(str(data), variant, expand)
    sets = {"pairs": found.pairs} | ({} if found.states is None else {"states": found.states})
    return LegalResult(variant, {name: legal_in(given, threads) for name, given in sets.items()}, found.notes)


def _listed(counts: dict[str, int], most: int = 4) -> str:
    """The most frequent values."""
    said = [f"{value} {count}" for value, count in list(counts.items())[:most]]
    return ", ".join(said) + (" …" if len(counts) > most else "")
