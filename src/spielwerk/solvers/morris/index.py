"""The number of a position: each position of a sector, up to the symmetries of the board, has one slot.

A sector w-b holds the positions in which the mover has w men on the board and the other player b. A slot is the rank of
the mover's men among the representatives of their orbits, times the ways to put b men on the free points, plus the rank
of the other men, squeezed onto the free points. Where the mover's men have symmetries of their own, the other men are
turned to their smallest image; the slots of larger images are no positions.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from math import comb
from typing import Any, NamedTuple

import numpy as np

from spielwerk.games.game import Game
from spielwerk.kernel.bits import lowest, narrow

SYMMETRIES = 16
RANK_BITS = 18
RANK = (1 << RANK_BITS) - 1
SYMMETRY = 15  # after the rank: which symmetry leads to the representative
OWN_SYMMETRIES = 1 << RANK_BITS + 4  # whether the representative has symmetries of its own


def image(k, men, images):
    """The men on the board turned by symmetry `k`."""
    first = narrow(3 * 256 * k)
    low = images[narrow(first + (men & 255))]
    middle = images[narrow(first + 256 + (men >> 8 & 255))]
    return narrow(low | middle | images[narrow(first + 512 + (men >> 16 & 255))])


def squeezed(men, taken):
    """The men on the points that are not taken, numbered without gaps."""
    while taken != 0:
        lower = narrow(taken - 1)
        below = narrow(lower & ~taken)
        men = narrow((men & below) | (men >> 1 & ~below))
        taken = narrow((taken & lower) >> 1)
    return men


def spread(men, taken):
    """Undoes `squeezed`."""
    while taken != 0:
        lower = narrow(taken - 1)
        below = narrow(lower & ~taken)
        men = narrow((men & below) | (men & ~below) << 1)
        taken = narrow(taken & lower)
    return men


def smallest_image(men, keepers, images):
    """The smallest image of `men` under some symmetries, a bit each."""
    best = men
    while keepers != 0:
        turned = image(lowest(keepers), men, images)
        keepers &= keepers - 1
        if turned < best:
            best = turned
    return best


def slot_of(own, other, sector, maps):
    """The slot of a position in its sector."""
    entry = narrow(maps.orbits[own])
    rank = narrow(entry & RANK)
    men = image(narrow(entry >> RANK_BITS & SYMMETRY), other, maps.images)
    if entry & OWN_SYMMETRIES != 0:
        men = smallest_image(men, maps.keepers[narrow(sector.first + rank)], maps.images)
    fixed = narrow(maps.representatives[narrow(sector.first + rank)])
    return narrow(rank * sector.ways + maps.ranks[squeezed(men, fixed)])


def own_men(slot, sector, maps):
    """The mover's men in a slot."""
    return narrow(maps.representatives[narrow(sector.first + narrow(slot) // narrow(sector.ways))])


def other_men(slot, own, sector, maps):
    """The other player's men in a slot."""
    return spread(narrow(maps.masks[narrow(sector.begin + narrow(slot) % narrow(sector.ways))]), own)


def is_position(slot, own, other, sector, maps):
    """Whether the men of a slot are a position, and no larger image of one."""
    if maps.orbits[own] & OWN_SYMMETRIES == 0:
        return True
    keepers = maps.keepers[narrow(sector.first + narrow(slot) // narrow(sector.ways))]
    return smallest_image(other, keepers, maps.images) == other


def mark_orbits(i, work, actions, weights, results, arrays):
    """Row kernel: finds the smallest image of mask `i`, the symmetry that leads there, and whether others keep it."""
    orbits, images, smallest = arrays
    best = i
    turning = 0
    for k in range(1, SYMMETRIES):
        turned = image(k, i, images)
        if turned < best:
            best = turned
            turning = k
    kept = 0
    for k in range(1, SYMMETRIES):
        if image(k, best, images) == best:
            kept = OWN_SYMMETRIES
    smallest[i] = best
    orbits[i] = turning << RANK_BITS | kept


class Maps(NamedTuple):
    """The arrays of the index."""

    orbits: Any  # [2^POINTS]: the rank of the smallest image, the symmetry that leads there, OWN_SYMMETRIES
    ranks: Any  # [2^POINTS]: among the masks with as many bits
    images: Any  # [16 * 3 * 256]: where each byte's worth of men goes
    masks: Any  # all of them, those with few bits first
    begins: Any  # [POINTS + 2]: where the masks of each number of bits begin
    representatives: Any  # the masks that are the smallest of their images, in the same order
    firsts: Any  # [POINTS + 2]: where those of each number of bits begin
    keepers: Any  # for each representative, the symmetries that keep it, a bit each


class SectorShape(NamedTuple):
    """What kernels must know of a sector."""

    own: int  # men of the mover
    other: int
    ways: int  # to put the other's men on the points that the mover's leave free
    first: int  # where the representatives of the mover's men begin
    begin: int  # where the masks of the other's men begin


@dataclass(frozen=True)
class MorrisIndex:
    """The maps of a variant, and the sizes of its sectors."""

    maps: Maps
    points: int

    def sector(self, own: int, other: int) -> SectorShape:
        """What the kernels must know of the sector own-other."""
        return shape_of(own, other, self.maps, self.points)

    def slots(self, own: int, other: int) -> int:
        """How many slots the sector own-other has."""
        firsts = self.maps.firsts
        return int(firsts[own + 1] - firsts[own]) * comb(self.points - own, other)


def shape_of(own: int, other: int, maps: Maps, points: int) -> SectorShape:
    """The shape of the sector own-other."""
    return SectorShape(own, other, comb(points - own, other), int(maps.firsts[own]), int(maps.begins[other]))


def build(game: Game) -> MorrisIndex:
    """The maps, computed in a second or two."""
    points: int = game.constants["POINTS"]
    masks = np.arange(1 << points, dtype=np.int32)
    counts = np.bitwise_count(masks)
    order = np.argsort(counts, kind="stable").astype(np.int32)
    begins = np.concatenate([[0], np.cumsum(np.bincount(counts, minlength=points + 1))])
    ranks = np.zeros(1 << points, np.int32)
    ranks[order] = np.arange(1 << points) - np.repeat(begins[:-1], np.diff(begins))
    images = _images(game.constants["TURNED"], points)
    orbits, smallest = np.zeros_like(masks), np.zeros_like(masks)
    game.rows(mark_orbits, threads=os.cpu_count() or 1)(1 << points, orbits, images, smallest)
    chosen = order[smallest[order] == order]
    firsts = np.concatenate([[0], np.cumsum(np.bincount(counts[chosen], minlength=points + 1))])
    place = np.zeros(1 << points, np.int32)
    place[chosen] = np.arange(len(chosen)) - np.repeat(firsts[:-1], np.diff(firsts))
    orbits |= place[smallest]
    keepers = all_keepers(chosen, orbits, images)
    return MorrisIndex(Maps(orbits, ranks, images, order, begins, chosen, firsts, keepers), points)


def all_keepers(representatives: np.ndarray, orbits: np.ndarray, images: np.ndarray) -> np.ndarray:
    """For each representative the symmetries that keep it, beside the one that moves nothing."""
    keepers = np.zeros(len(representatives), np.int32)
    symmetric = np.flatnonzero(orbits[representatives] & OWN_SYMMETRIES)
    keepers[symmetric] = keepers_of(representatives[symmetric], images)
    return keepers


def keepers_of(men: Any, images: np.ndarray) -> Any:
    """The symmetries that keep some men, a bit each; of one number or of an array."""
    low, middle, high = men & 255, men >> 8 & 255, men >> 16
    turned = [table[0, low] | table[1, middle] | table[2, high] for table in images.reshape(SYMMETRIES, 3, 256)]
    return sum((turned[k] == men) * (1 << k) for k in range(1, SYMMETRIES))


def _images(turned: np.ndarray, points: int) -> np.ndarray:
    """[16 * 3 * 256]: under each symmetry, where each byte's worth of men goes."""
    table = np.zeros((len(turned), 3, 256), np.int32)
    for point in range(points):
        byte, bit = divmod(point, 8)
        has = (np.arange(256) >> bit & 1).astype(np.int32)
        table[:, byte] |= has[None] << turned[:, point, None].astype(np.int32)
    return table.reshape(-1)
