"""The placing phase: no position comes again, so that one pass over each sector decides it.

A placing sector is (mover's men on the board, the other's, mover's men in hand, the other's). Whoever places next has
at least as many men in hand as the other side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from spielwerk.games.morris import ALL
from spielwerk.kernel.bits import narrow
from spielwerk.solvers.morris.index import Maps, SectorShape, is_position, other_men, own_men, slot_of
from spielwerk.solvers.morris.mills import closing, first_of, takeable, without_first
from spielwerk.solvers.morris.retrograde import BLOCKED, FEWEST, NO_POSITION, WON_AT_ONCE

PlacingSector = tuple[int, int, int, int]


class Placing(NamedTuple):
    """What `place_all` takes."""

    values: Any
    plain: Any  # the values after a placing without a taking
    taken: Any  # and with one
    sector: SectorShape
    plain_sector: SectorShape
    taken_sector: SectorShape
    certain: tuple[int, int]  # of both: where it is not 0, the value of every position there
    maps: Maps


def place_all(i, work, actions, weights, results, arrays):
    """Row kernel, a row a slot: the value of a placing position from those that follow."""
    (at,) = arrays
    sector, maps = at.sector, at.maps
    own = own_men(i, sector, maps)
    other = other_men(i, own, sector, maps)
    if not is_position(i, own, other, sector, maps):
        at.values[i] = NO_POSITION
        return
    free = narrow(ALL & ~(own | other))
    mills = narrow(closing(own) & free) if other != 0 else narrow(0)
    best = best_quiet(own, other, narrow(free & ~mills), at.plain, at.plain_sector, at.certain[0], maps)
    at.values[i] = best_taking(own, other, mills, best, at.taken, at.taken_sector, at.certain[1], maps)


def best_quiet(own, other, targets, values, sector, certain, maps):
    """The best code of all placings that close no mill."""
    best = NO_POSITION
    if certain != 0 and targets != 0:
        return better(best, certain)
    while targets != 0:
        best = better(best, values[slot_of(other, narrow(own | first_of(targets)), sector, maps)])
        targets = without_first(targets)
    return best


def best_taking(own, other, targets, best, values, sector, certain, maps):
    """The best code when placings that close mills are looked at too, with every taking, in one flat loop."""
    if certain != 0 and targets != 0:
        return better(best, certain)
    takes = takeable(other)
    victims = takes
    while targets != 0:
        after = narrow(own | first_of(targets))
        best = better(best, values[slot_of(narrow(other ^ first_of(victims)), after, sector, maps)])
        victims = without_first(victims)
        if victims == 0:
            victims = takes
            targets = without_first(targets)
    return best


def better(best, code):
    """The mover's best code so far, when one more move leads to `code` for the other side; NO_POSITION: none yet."""
    if code & 1 == 1:  # a win
        won = code + 1
        return won if best == NO_POSITION or best & 1 == 1 or best == 0 or won < best else best
    if best != NO_POSITION and best != 0 and best & 1 == 0:
        return best
    if code == 0 or best == 0:
        return 0
    return code + 1 if best == NO_POSITION else max(best, code + 1)


def placing_sectors(men: int) -> list[PlacingSector]:
    """Every placing sector that counting men allows, each after those that its moves lead to."""
    seen: set[PlacingSector] = set()
    waiting: list[PlacingSector] = [(0, 0, men, men)]
    while waiting:
        sector = waiting.pop()
        own, _, hand, _ = sector
        if hand and own + hand >= FEWEST and sector not in seen:
            seen.add(sector)
            waiting += followers(sector)
    return sorted(seen, key=lambda sector: sector[2] + sector[3])


def certain_value(sector: PlacingSector) -> int:
    """The value of all positions of a sector in which someone has too few men left; otherwise 0."""
    own, other, hand, other_hand = sector
    if own + hand < FEWEST:
        return BLOCKED
    return WON_AT_ONCE if hand == 0 and other + other_hand < FEWEST else 0


def followers(sector: PlacingSector) -> Iterator[PlacingSector]:
    """Where a placing leads: without a taking, and with one where that is possible."""
    own, other, hand, other_hand = sector
    yield other, own + 1, other_hand, hand - 1
    if own + 1 >= FEWEST and other:
        yield other - 1, own + 1, other_hand, hand - 1
