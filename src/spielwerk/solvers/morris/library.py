"""The library: the index and the solved sectors of a variant, in files that are opened when they are needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.games.game import Game
from spielwerk.names import BadInput
from spielwerk.solvers import tables
from spielwerk.solvers.morris import index
from spielwerk.solvers.morris.index import Maps, MorrisIndex, SectorShape
from spielwerk.solvers.tables import Table

DEPTHS, CLASSES = "depths", "classes"  # a byte a slot, or two bits: 0 draw or none, 1 loss, 2 win
MAPS = ("orbits", "ranks", "images", "masks", "begins", "representatives", "firsts")
MAP_BYTES = 210 << 20


class Library:
    """The files of one variant. Draw rules are no part of the truth, so that all settings of them share the files."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules: str = game.settings.rules
        self.folder: Path = tables.folder("morris" if self.rules == "standard" else f"morris_{self.rules}")
        self._opened: dict[str, Table] = {}
        self._found: dict[str, tuple[Table, str]] = {}  # sectors that were probed, and in which form

    def path(self, name: str, form: str = DEPTHS) -> Path:
        """The file of a sector such as "4-3", or "4-3+5+5" with men in hand."""
        return self.folder / f"{name}.{form}"

    def has(self, name: str, form: str = DEPTHS) -> bool:
        """Whether a sector was solved and kept."""
        return self.path(name, form).exists()

    def solved(self, name: str) -> bool:
        """Whether a sector can be probed, in either form."""
        return name in self._found or self.has(name) or self.has(name, CLASSES)

    def table(self, name: str, form: str = DEPTHS, count: int | None = None) -> Table:
        """A solved sector, of `count` entries where that is known."""
        key = f"{name}.{form}"
        if key not in self._opened:
            count, dtype = self._map_entries(name) if form == "map" else (count, np.uint8)
            self._opened[key] = tables.open_table(self.path(name, form), self._about(name, form), count, dtype)
        return self._opened[key]

    def keep(self, name: str, values: np.ndarray, form: str, facts: dict[str, Any]) -> None:
        """Writes a solved sector; a file that is already there is checked, and never replaced."""
        if self.has(name, form):
            self.table(name, form).whole()
            return
        data = values if form == DEPTHS else packed(values)
        self._opened[f"{name}.{form}"] = tables.write(self.path(name, form), data, self._about(name, form), facts)

    def index(self) -> MorrisIndex:
        """The index for kernels, computed if it is not there yet, all of it checked."""
        missing = [name for name in MAPS if not self.has(name, "map")]
        if missing:
            tables.need(self.folder, disk=MAP_BYTES, memory=2 * MAP_BYTES)
            maps = index.build(self.game).maps
            for name in missing:
                tables.write(self.path(name, "map"), getattr(maps, name), self._about(name, "map"))
        found = {name: self.table(name, "map").whole() for name in MAPS}
        keepers = index.all_keepers(found["representatives"], found["orbits"], found["images"])
        return MorrisIndex(Maps(**found, keepers=keepers), self._points)

    def maps(self) -> Maps:
        """The index for single probes from Python, each piece checked when it is first read."""
        if not all(self.has(name, "map") for name in MAPS):
            raise BadInput(f"Nothing of {self.rules} morris is solved here; try: spielwerk solve morris --up-to 4-4")
        found: dict[str, Any] = {name: self.table(name, "map") for name in MAPS}
        found["images"] = np.array(found["images"].whole())
        return Maps(**found, keepers=_Keepers(found["representatives"], found["images"]))

    def value(self, name: str, slot: int) -> tuple[int, bool] | None:
        """The byte of a slot, and whether it tells the depth; from two bits a win is 2, a loss 1. None: not solved."""
        if name not in self._found:
            form = DEPTHS if self.has(name) else CLASSES
            if not self.has(name, form):
                return None
            self._found[name] = self.table(name, form), form
        table, form = self._found[name]
        if form == DEPTHS:
            return int(table[slot]), True
        return int(table[slot // 4]) >> 2 * (slot % 4) & 3, False

    def sector(self, own: int, other: int, maps: Maps) -> SectorShape:
        """The shape of a sector."""
        return index.shape_of(own, other, maps, self._points)

    def _map_entries(self, name: str) -> tuple[int | None, type]:
        """How many entries a map of the index has, where that is known without it, and their type."""
        counts = {"images": index.SYMMETRIES * 3 * 256, "begins": self._points + 2, "firsts": self._points + 2}
        counts |= dict.fromkeys(("orbits", "ranks", "masks"), 1 << self._points)
        return counts.get(name), np.int64 if name in ("begins", "firsts") else np.int32

    @property
    def _points(self) -> int:
        return self.game.constants["POINTS"]

    def _about(self, name: str, form: str) -> dict[str, Any]:
        return {"game": "morris", "rules": self.rules, "sector": name, "form": form}


class _Keepers:
    """`Maps.keepers` for single probes, computed when asked for."""

    def __init__(self, representatives: Table, images: np.ndarray) -> None:
        self.representatives, self.images = representatives, images

    def __getitem__(self, rank: int) -> int:
        return int(index.keepers_of(int(self.representatives[rank]), self.images))


def packed(values: np.ndarray) -> np.ndarray:
    """Two bits a slot: 0 draw or no position, 1 loss, 2 win."""
    classes = np.where((values == 0) | (values == 255), 0, 2 - (values & 1)).astype(np.uint8)
    four = np.pad(classes, (0, -len(classes) % 4)).reshape(-1, 4)
    return four[:, 0] | four[:, 1] << 2 | four[:, 2] << 4 | four[:, 3] << 6


def sector_name(own: int, other: int, hand: int = 0, other_hand: int = 0) -> str:
    """What a sector is called: the mover's men first, then, while men are placed, both hands."""
    return f"{own}-{other}" + (f"+{hand}+{other_hand}" if hand or other_hand else "")
