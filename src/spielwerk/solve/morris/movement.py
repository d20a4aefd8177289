"""Solving the movement phase: pairs of sectors in the order in which they need each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.names import BadInput
from spielwerk.solve.morris import retrograde
from spielwerk.solve.morris.device import EIGHT, Device
from spielwerk.solve.morris.index import Index
from spielwerk.solve.morris.retrograde import FEWEST, NEVER

Sector = tuple[int, int]  # the mover's men, the other's


def pairs(largest: Sector) -> Iterator[Sector]:
    """The sectors w-b with w ≥ b up to `largest`, each after those that its takings lead to."""
    most, least = max(largest), min(largest)
    for total in range(2 * FEWEST, most + least + 1):
        for own in range(most, FEWEST - 1, -1):
            if own >= total - own >= FEWEST and total - own <= least:
                yield own, total - own


@dataclass(frozen=True)
class Side:
    """One sector of a pair while it is being solved; the arrays lie on the device."""

    name: Sector
    sector: Any  # [w, b, ways]
    taken_sector: Any  # where takings lead: [b - 1, w, ways]
    smaller: Any  # the values there
    values: Any
    ahead: Any
    marked: Any
    slots: int

    def words(self, name: str) -> Any:
        """An array as words of eight slots."""
        return getattr(self, name).view(np.int64)


class PairSolver:
    """Solves one pair of sectors. `solved` has the values of smaller sectors, `maps` the index; both on the device."""

    def __init__(self, device: Device, index: Index, maps: Any, pair: Sector, solved: Mapping[Sector, Any]) -> None:
        self.device, self.maps = device, maps
        own, other = pair
        both = [(own, other)] if own == other else [(own, other), (other, own)]
        self.sides = [self._side(index, sector, solved) for sector in both]
        self.changed: Any = None

    def _side(self, index: Index, sector: Sector, solved: Mapping[Sector, Any]) -> Side:
        own, other = sector
        slots, taken = index.slots(own, other), (other - 1, own)
        return Side(
            name=sector,
            sector=self.device.put(index.sector(own, other)),
            taken_sector=self.device.put(index.sector(*taken)),
            smaller=solved[taken] if other > FEWEST else self.device.zeros(1),
            values=self.device.zeros(slots),
            ahead=self.device.zeros(slots),
            marked=self.device.zeros(slots),
            slots=slots,
        )

    def solve(self) -> dict[Sector, Any]:
        """The values of both sectors."""
        most = 0
        for side in self.sides:
            arrays = (side.values, side.ahead, side.smaller, side.sector, side.taken_sector, self.maps)
            self.device.run(retrograde.classify, side.slots, *arrays)
            counts = self.device.counts(side.ahead, side.slots)
            most = max(most, *np.flatnonzero(counts[:NEVER]).tolist())
        code, idle = 2, 0
        while idle < 2 or code <= most:
            step = self._wins if code % 2 == 0 else self._losses
            idle = 0 if step(code) else idle + 1
            code += 1
            if code >= NEVER:
                raise BadInput("A win here takes more turns than a byte can count.")
        return {side.name: side.values for side in self.sides}

    def _other(self, side: Side) -> Side:
        return self.sides[-1] if side is self.sides[0] else self.sides[0]

    def _wins(self, code: int) -> bool:
        """Positions won in `code` - 1 turns; whether there are any."""
        at = self._begin(code)
        for side in self.sides:
            lost = self._other(side)
            arrays = (side.values, side.ahead, side.words("ahead"), at, self.changed)
            self._over(side, retrograde.win_by_taking, *arrays)
            arrays = (lost.values, lost.words("values"), side.values, side.ahead, lost.sector, side.sector)
            self._over(lost, retrograde.win_before_losses, *arrays, at, self.maps, self.changed)
        for side in self.sides:
            before = self._other(side)
            arrays = (side.values, side.words("values"), before.values, before.ahead, before.marked)
            places = (side.sector, before.sector)
            self._over(side, retrograde.mark_before_wins, *arrays, *places, at, self.maps, self.changed)
        return self._ended()

    def _losses(self, code: int) -> bool:
        """Positions lost in `code` - 1 turns; whether there are any."""
        at = self._begin(code)
        for side in self.sides:
            other = self._other(side)
            own = (side.values, side.ahead, side.marked, side.words("ahead"), side.words("marked"))
            self._over(
                side, retrograde.lose, *own, other.values, side.sector, other.sector, at, self.maps, self.changed
            )
        return self._ended()

    def _over(self, side: Side, kernel: Callable[..., Any], *arrays: Any) -> None:
        self.device.run(kernel, -(-side.slots // EIGHT), *arrays)

    def _begin(self, code: int) -> Any:
        self.changed = self.device.put(np.zeros(1, np.int64))
        return self.device.put(np.array([code], np.int64))

    def _ended(self) -> bool:
        return bool(self.device.get(self.changed)[0])
