"""Solving the movement phase: pairs of sectors in the order in which they need each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from spielwerk.kernel.rows import EIGHT
from spielwerk.names import BadInput
from spielwerk.solvers.morris import retrograde
from spielwerk.solvers.morris.device import Device
from spielwerk.solvers.morris.index import Maps, MorrisIndex, SectorShape
from spielwerk.solvers.morris.retrograde import (
    BLOCKED,
    FEWEST,
    NEVER,
    BeforeLosses,
    BeforeWins,
    Doubts,
    FirstPass,
    Takings,
)

Sector = tuple[int, int]  # the mover's men, the other's


def pairs(largest: Sector) -> Iterator[Sector]:
    """The sectors w-b with w ≥ b up to `largest`, each after those that its takings lead to."""
    most, least = max(largest), min(largest)
    for total in range(2 * FEWEST, most + least + 1):
        for own in range(most, FEWEST - 1, -1):
            if own >= total - own >= FEWEST and total - own <= least:
                yield own, total - own


@dataclass
class Side:
    """One sector of a pair while it is being solved; the arrays lie on the device."""

    name: Sector
    shape: SectorShape
    taken_shape: SectorShape  # where takings lead
    smaller: Any  # the values there
    values: Any
    ahead: Any
    marked: Any
    changed: Any  # [1]: the code at which the device changed a value last
    slots: int
    newest: int = BLOCKED  # the same, once the device was asked

    def words(self, name: str) -> Any:
        """An array as words of eight slots."""
        return getattr(self, name).view(np.int64)


class PairSolver:
    """Solves one pair of sectors. `solved` has the values of smaller sectors, `maps` the index; both on the device."""

    def __init__(
        self, device: Device, index: MorrisIndex, maps: Maps, pair: Sector, solved: Mapping[Sector, Any]
    ) -> None:
        self.device, self.maps = device, maps
        own, other = pair
        both = [(own, other)] if own == other else [(own, other), (other, own)]
        self.sides = [self._side(index, sector, solved) for sector in both]

    def _side(self, index: MorrisIndex, sector: Sector, solved: Mapping[Sector, Any]) -> Side:
        own, other = sector
        slots, taken = index.slots(own, other), (other - 1, own)
        return Side(
            name=sector,
            shape=index.sector(own, other),
            taken_shape=index.sector(*taken),
            smaller=solved[taken] if other > FEWEST else self.device.zeros(1),
            values=self.device.zeros(slots),
            ahead=self.device.zeros(slots),
            marked=self.device.zeros(slots),
            changed=self.device.put(np.zeros(1, np.int64)),
            slots=slots,
        )

    def solve(self) -> dict[Sector, Any]:
        """The values of both sectors."""
        most = 0
        for side in self.sides:
            at = FirstPass(side.values, side.ahead, side.smaller, side.shape, side.taken_shape, self.maps)
            self.device.run(retrograde.classify, side.slots, at)
            most = max(most, self.device.tally(side.ahead, side.slots).largest)
        code = 2
        while code <= most or code - max(side.newest for side in self.sides) <= 2:
            step = self._wins if code % 2 == 0 else self._losses
            step(code, code <= most)
            code += 1
            if code >= NEVER:
                raise BadInput("A win here takes more turns than a byte can count.")
        return {side.name: side.values for side in self.sides}

    def _other(self, side: Side) -> Side:
        return self.sides[-1] if side is self.sides[0] else self.sides[0]

    def _wins(self, code: int, by_taking: bool) -> None:
        """Finds the positions won in `code` - 1 turns, and marks those before them."""
        for side in self.sides:
            lost = self._other(side)
            if by_taking:
                at = Takings(side.values, side.ahead, side.words("ahead"), code, side.changed)
                self.device.run(retrograde.win_by_taking, -(-side.slots // EIGHT), at)
            if lost.newest == code - 1:
                at = self._before_losses(lost, side, code)
                self._sift(lost, retrograde.just_lost, retrograde.win_before_losses, at)
        self._look()
        for side in self.sides:
            if side.newest == code:
                at = self._before_wins(side, self._other(side), code)
                self._sift(side, retrograde.just_won, retrograde.mark_before_wins, at)

    def _losses(self, code: int, by_taking: bool) -> None:
        """Finds the positions lost in `code` - 1 turns."""
        for side in self.sides:
            other = self._other(side)
            if by_taking or other.newest == code - 1:
                self._sift(side, retrograde.maybe_lost, retrograde.lose, self._doubts(side, other, code))
        self._look()

    def _before_losses(self, lost: Side, side: Side, code: int) -> BeforeLosses:
        return BeforeLosses(
            lost_words=lost.words("values"),
            values=side.values,
            lost_sector=lost.shape,
            sector=side.shape,
            code=code,
            maps=self.maps,
            changed=side.changed,
        )

    def _before_wins(self, won: Side, side: Side, code: int) -> BeforeWins:
        return BeforeWins(
            won_words=won.words("values"),
            values=side.values,
            ahead=side.ahead,
            marked=side.marked,
            won_sector=won.shape,
            sector=side.shape,
            code=code,
            maps=self.maps,
        )

    def _doubts(self, side: Side, other: Side, code: int) -> Doubts:
        return Doubts(
            values=side.values,
            ahead_words=side.words("ahead"),
            marked_words=side.words("marked"),
            others=other.values,
            sector=side.shape,
            other_sector=other.shape,
            code=code,
            maps=self.maps,
            changed=side.changed,
        )

    def _sift(self, side: Side, wanted: Callable[..., Any], kernel: Callable[..., Any], at: NamedTuple) -> None:
        self.device.sift(wanted, kernel, -(-side.slots // EIGHT), at)

    def _look(self) -> None:
        """Asks the device which sides have changed."""
        for side in self.sides:
            side.newest = max(side.newest, int(self.device.get(side.changed)[0]))
