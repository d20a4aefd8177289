"""The oracle of morris: looks positions up in the sectors that were solved and kept.

The truth is that of the game without draw rules: a draw is a position in which neither side can force a win.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spielwerk.games.game import Game
from spielwerk.games.morris import DUE, HAND, MEN
from spielwerk.games.position import Position
from spielwerk.solvers.morris.index import Maps, slot_of
from spielwerk.solvers.morris.library import CLASSES, DEPTHS, Library, sector_name
from spielwerk.solvers.oracle import Oracle, Truth, better_truth, truth_after

SOLVE = "spielwerk solve morris --up-to 4-4"


@dataclass(frozen=True)
class MorrisOracleSettings:
    """The oracle of morris has no settings: it knows what was solved and kept."""


class MorrisOracle(Oracle):
    """Knows the positions of all sectors whose tables are there."""

    Settings = MorrisOracleSettings

    def __init__(self, game: Game, settings: Any = None) -> None:
        super().__init__(game, settings)
        self.library = Library(game)

    @functools.cached_property
    def maps(self) -> Maps:
        """The index, opened and not read."""
        return self.library.maps()

    def truth(self, position: Position) -> Truth | None:
        """From the table of the position's sector; with a removal due, the best one."""
        words, who = position.words, position.mover
        if words[DUE]:
            found = [truth_after(self, turn.end, who) for turn in position.turns()]
            return functools.reduce(better_truth, found)
        own, other = words[MEN + who], words[MEN + 1 - who]
        men, others = own.bit_count(), other.bit_count()
        name = sector_name(men, others, words[HAND + who], words[HAND + 1 - who])
        if not self.library.solved(name):
            return None
        slot = slot_of(own, other, self.library.sector(men, others, self.maps), self.maps)
        return _truth(self.library.value(name, int(slot)))

    @property
    def needs(self) -> str:
        """To solve something, as long as no sector is there."""
        return "" if self._files() else SOLVE

    def limits(self) -> str:
        """Which sectors there are."""
        files = self._files()
        placing = any("+" in file.stem for file in files)
        movement = sorted({file.stem for file in files if "+" not in file.stem}, key=lambda name: (len(name), name))
        if not movement:
            return f"nothing yet ({SOLVE})"
        return "every position" if placing else f"what comes after placing in the sectors {', '.join(movement)}"

    def _files(self) -> list[Path]:
        """The tables of all sectors."""
        return [*self.library.folder.glob(f"*.{DEPTHS}"), *self.library.folder.glob(f"*.{CLASSES}")]


def _truth(found: tuple[int, bool] | None) -> Truth | None:
    if found is None:
        return None
    code, with_depth = found
    if code == 0:
        return Truth(0.0)
    return Truth(-1.0 if code % 2 else 1.0, code - 1 if with_depth else None)
