"""Solving morris: every sector once, in the order in which they need each other, kept as soon as it is done."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput, choice, setting
from spielwerk.solvers import tables
from spielwerk.solvers.morris import verify
from spielwerk.solvers.morris.device import Device, Gpu, Tally
from spielwerk.solvers.morris.index import Maps, SectorShape
from spielwerk.solvers.morris.library import CLASSES, DEPTHS, MAP_BYTES, Library, sector_name
from spielwerk.solvers.morris.movement import PairSolver, pairs
from spielwerk.solvers.morris.placing import (
    Placing,
    PlacingSector,
    certain_value,
    followers,
    place_all,
    placing_sectors,
)
from spielwerk.solvers.morris.retrograde import FEWEST
from spielwerk.solvers.oracle import SolveProgress, no_progress

NOTHING = "nothing"
PORTION = 1 << 25  # slots that are verified at once


@dataclass(frozen=True)
class Settings:
    """The settings of solving morris."""

    up_to: str = setting("", "the largest sector of the movement phase, such as 5-5; by default the whole game")
    device: str = choice("cpu", "cuda", help="where to compute")
    keep: str = choice(DEPTHS, CLASSES, NOTHING, help="a byte a position, two bits (win, draw, loss), or nothing")
    check: int = setting(0, "positions of each sector to verify by the rules; -1: all", -1)


@dataclass(frozen=True)
class Sector:
    """A sector that was solved."""

    name: str
    states: int
    wins: int
    draws: int
    losses: int
    longest_win: int | None  # in turns
    longest_loss: int | None
    seconds: float
    checked: int = 0  # positions that were verified


class MorrisSolver:
    """Solves one variant."""

    def __init__(self, game: Game, settings: Settings, callback: SolveProgress = no_progress) -> None:
        # Draw rules are no part of the truth, and must not disturb the verifier.
        self.game = game_of("morris", rules=game.settings.rules, quiet=0)
        self.settings, self.callback = settings, callback
        self.men: int = game.constants["ALLOTTED"]
        self.largest = _largest(settings.up_to, self.men)
        self.whole = not settings.up_to
        if self.whole and game.constants["EARLY"]:
            raise BadInput("Where men slide before all are placed, only the movement phase is solved: give --up-to.")
        self.library = Library(self.game)
        self.device = Gpu(self.game) if settings.device == "cuda" else Device(self.game, os.cpu_count() or 1)
        self.solved: dict[str, Any] = {}  # on the device
        self.done = 0

    def sectors(self) -> list[PlacingSector]:
        """Everything that is to be solved: (mover's men, the other's, both hands)."""
        movement: list[PlacingSector] = []
        for own, other in pairs(self.largest):
            movement += dict.fromkeys([(own, other, 0, 0), (other, own, 0, 0)])
        return movement + (placing_sectors(self.men) if self.whole else [])

    def run(self) -> Iterator[Sector]:
        """Solves what is not there yet; each sector as it is done."""
        self.index = self.library.index()
        self._need()
        self.maps = Maps(*map(self.device.put, self.index.maps))
        for own, other in pairs(self.largest):
            yield from self._movement(own, other)
        if self.whole:
            for sector in placing_sectors(self.men):
                yield from self._placing(sector)

    def _need(self) -> None:
        """Says before the work begins if the disk or the memory will not do."""
        sizes = {sector_name(*sector): self.index.slots(*sector[:2]) for sector in self.sectors()}
        self.total = sum(sizes.values())
        missing = sum(size for name, size in sizes.items() if not self._kept(name))
        per_slot = {DEPTHS: 1.0, CLASSES: 0.25, NOTHING: 0.0}[self.settings.keep]
        # Beside the pair in work stands what is not read from files: all of it on a GPU, or where no depths are kept.
        resident = 0 if self.settings.keep == DEPTHS and self.settings.device == "cpu" else self.total
        memory = 6 * max(sizes.values()) + resident + MAP_BYTES
        tables.need(self.library.folder, int(missing * per_slot), memory if self.settings.device == "cpu" else 0)
        free = self.device.free()
        if free is not None and memory > free:
            raise BadInput(f"This needs {memory / 1e9:.1f} GB of GPU memory; {free / 1e9:.1f} GB are free.")

    def _kept(self, name: str) -> bool:
        return self.settings.keep != NOTHING and self.library.has(name, self.settings.keep)

    def _movement(self, own: int, other: int) -> Iterator[Sector]:
        names = list(dict.fromkeys([sector_name(own, other), sector_name(other, own)]))
        begun = time.perf_counter()
        if not all(map(self._kept, names)):
            self._solve_pair(own, other)
        seconds = (time.perf_counter() - begun) / len(names)
        for name in names:
            yield self._finished(name, seconds)

    def _solve_pair(self, own: int, other: int) -> None:
        needed = {(b - 1, a) for a, b in ((own, other), (other, own)) if b > FEWEST}
        smaller = {pair: self.values(sector_name(*pair)) for pair in needed}
        found = PairSolver(self.device, self.index, self.maps, (own, other), smaller).solve()
        for pair, values in found.items():
            self._keep(sector_name(*pair), values)

    def _placing(self, sector: PlacingSector) -> Iterator[Sector]:
        name, begun = sector_name(*sector), time.perf_counter()
        if not self._kept(name):
            self._solve_placing(sector)
        self.device.wait()
        yield self._finished(name, time.perf_counter() - begun)

    def _solve_placing(self, sector: PlacingSector) -> None:
        values = self.device.zeros(self.index.slots(*sector[:2]))
        plain, taken = map(certain_value, self._after(sector))
        at = Placing(values, *self._values_after(sector), *self._shapes(sector), (plain, taken), self.maps)
        self.device.run(place_all, self.index.slots(*sector[:2]), at)
        self._keep(sector_name(*sector), values)

    def _after(self, sector: PlacingSector) -> list[PlacingSector]:
        """Where the turns of a sector lead, without and with a taking."""
        own, other, hand, _ = sector
        if hand:
            return (list(followers(sector)) * 2)[:2]
        return [(other, own, 0, 0), (max(other - 1, 0), own, 0, 0)]

    def _values_after(self, sector: PlacingSector) -> tuple[Any, Any]:
        """The values there; where nobody needs to look, anything."""
        plain, taken = (
            self.device.zeros(1) if certain_value(after) else self.values(sector_name(*after))
            for after in self._after(sector)
        )
        return plain, taken

    def _shapes(self, sector: PlacingSector) -> tuple[SectorShape, SectorShape, SectorShape]:
        here, plain, taken = (self.index.sector(own, other) for own, other, _, _ in (sector, *self._after(sector)))
        return here, plain, taken

    def values(self, name: str) -> Any:
        """The values of a sector on the device; solved again if only its two-bit form was kept."""
        if name in self.solved:
            return self.solved[name]
        if self.library.has(name):
            table = self.library.table(name, count=self._slots(name)).whole()
            if self.settings.device == "cpu":
                return table
            self.solved[name] = self.device.put(table)
            return self.solved[name]
        own, other, hand, other_hand = _read_name(name)
        if hand:
            self._solve_placing((own, other, hand, other_hand))
        else:
            self._solve_pair(max(own, other), min(own, other))
        return self.solved[name]

    def _keep(self, name: str, values: Any) -> None:
        self.solved[name] = values
        if self.settings.keep != NOTHING:
            slots = self._slots(name)
            facts = _figures(self.device.tally(values, slots))
            self.library.keep(name, self.device.get(values)[:slots], self.settings.keep, facts)
        if self.settings.keep == DEPTHS and self.settings.device == "cpu":
            del self.solved[name]  # from now on it is read from its file

    def _slots(self, name: str) -> int:
        return self.index.slots(*_read_name(name)[:2])

    def _finished(self, name: str, seconds: float) -> Sector:
        self.done += self._slots(name)
        self.callback(self.done, self.total)
        if self._kept(name):
            figures = self.library.table(name, self.settings.keep).header["facts"]
        else:
            figures = _figures(self.device.tally(self.values(name), self._slots(name)))
        checked = self.check(name, self.settings.check) if self.settings.check else 0
        return Sector(name=name, **figures, seconds=seconds, checked=checked)

    def check(self, name: str, sample: int, seed: int = 1) -> int:
        """Verifies so many positions of a sector (-1: all) by the rules alone; how many were checked."""
        sector, slots = _read_name(name), self._slots(name)
        arrays = (self.values(name), *self._values_after(sector), *self._shapes(sector))
        checked = 0
        for chosen in _samples(slots, sample, seed):
            found = self.device.put(np.zeros(len(chosen), np.int8))
            at = verify.Checking(self.device.put(chosen), *arrays, sector[2:], self.maps, found)
            self.device.run(verify.check_slot, len(chosen), at)
            results = self.device.get(found)
            if (results < 0).any():
                raise BadInput(f"Sector {name} is wrong in slot {chosen[np.argmin(results)]}: delete its table.")
            checked += int((results > 0).sum())
        return checked


def _samples(slots: int, sample: int, seed: int) -> Iterator[np.ndarray]:
    """Slots to look at, some at a time: so many drawn ones, or all."""
    if 0 <= sample < slots:
        yield np.random.default_rng(seed).integers(0, slots, sample)
        return
    for first in range(0, slots, PORTION):
        yield np.arange(first, min(first + PORTION, slots))


def _largest(up_to: str, men: int) -> tuple[int, int]:
    """The sector that "5-5" writes."""
    if not up_to:
        return men, men
    found = re.fullmatch(r"(\d+)-(\d+)", up_to.strip())
    own, other = (int(part) for part in found.groups()) if found else (0, 0)
    if not FEWEST <= min(own, other) <= max(own, other) <= men:
        raise BadInput(f'"{up_to}" is not a sector: write two numbers of men from {FEWEST} to {men}, such as 5-5.')
    return max(own, other), min(own, other)


def _read_name(name: str) -> PlacingSector:
    """Undoes `sector_name`."""
    men, _, hands = name.partition("+")
    own, other = map(int, men.split("-"))
    hand, other_hand = map(int, hands.split("+")) if hands else (0, 0)
    return own, other, hand, other_hand


def _figures(tally: Tally) -> dict[str, Any]:
    """What the codes of a sector say of it."""
    return {
        "states": tally.draws + tally.wins + tally.losses,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "longest_win": tally.largest_win - 1 if tally.wins else None,
        "longest_loss": tally.largest_loss - 1 if tally.losses else None,
    }


def solve(game: Game, settings: Settings, callback: SolveProgress = no_progress) -> dict[str, Any]:
    """Solves and returns what was found, sector by sector."""
    begun = time.perf_counter()
    solver = MorrisSolver(game, settings, callback)
    found = [asdict(sector) for sector in solver.run()]
    facts = {"game": game.name, "states": sum(sector["states"] for sector in found), "sectors": found}
    if solver.whole:
        start = int(solver.device.get(solver.values(sector_name(0, 0, solver.men, solver.men)))[0])
        facts["value"] = 0.0 if start == 0 else 1.0 if start % 2 == 0 else -1.0
    return facts | {"seconds": time.perf_counter() - begun}
