"""The number of a position: each position of a sector, up to the symmetries of the board, has one slot.

A sector w-b holds the positions in which the mover has w men on the board and the other player b. A slot is the rank of
the mover's men among the representatives of their orbits, times the ways to put b men on the free points, plus the rank
of the other men, squeezed onto the free points. Where the mover's men have symmetries of their own, the other men are
turned to their smallest image; the slots of larger images are no positions.

`maps` = (orbits [2^POINTS], ranks [2^POINTS], images [16, 3, 256], masks, begins [POINTS + 2], representatives,
representative_begins [POINTS + 2]): see `build`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from math import comb

import numpy as np

from spielwerk.games.game import Game
from spielwerk.kernel.bits import highest, lowest

RANK_BITS = 18
RANK = (1 << RANK_BITS) - 1
SYMMETRY = 15  # after the rank: which symmetry leads to the representative
OWN_SYMMETRIES = 1 << RANK_BITS + 4  # whether the representative has symmetries of its own


def image(k, men, images):
    """The men on the board turned by symmetry `k`."""
    return images[k, 0, men & 255] | images[k, 1, men >> 8 & 255] | images[k, 2, men >> 16]


def squeezed(men, taken):
    """The men on the points that are not taken, numbered without gaps."""
    while taken != 0:
        point = highest(taken)
        below = men & (1 << point) - 1
        men = below | men >> point + 1 << point
        taken ^= 1 << point
    return men


def spread(men, taken):
    """Undoes `squeezed`."""
    while taken != 0:
        point = lowest(taken)
        below = men & (1 << point) - 1
        men = below | men >> point << point + 1
        taken &= taken - 1
    return men


def smallest_image(men, fixed, images):
    """The smallest image of `men` under the symmetries that keep `fixed`."""
    best = men
    for k in range(1, images.shape[0]):
        if image(k, fixed, images) == fixed:
            turned = image(k, men, images)
            if turned < best:
                best = turned
    return best


def slot_of(own, other, sector, maps):
    """The slot of a position in its sector; `sector` is [w, b, ways to put b men on the free points]."""
    orbits, ranks, images, _, _, representatives, firsts = maps
    entry = orbits[own]
    rank = entry & RANK
    fixed = representatives[firsts[sector[0]] + rank]
    men = image(entry >> RANK_BITS & SYMMETRY, other, images)
    if entry & OWN_SYMMETRIES != 0:
        men = smallest_image(men, fixed, images)
    return rank * sector[2] + ranks[squeezed(men, fixed)]


def own_men(slot, sector, maps):
    """The mover's men in a slot."""
    return maps[5][maps[6][sector[0]] + slot // sector[2]]


def other_men(slot, own, sector, maps):
    """The other player's men in a slot; -1 where the slot is no position."""
    orbits, _, images, masks, begins, _, _ = maps
    men = spread(masks[begins[sector[1]] + slot % sector[2]], own)
    if orbits[own] & OWN_SYMMETRIES != 0 and smallest_image(men, own, images) != men:
        return -1
    return men


def mark_orbits(i, work, actions, weights, results, arrays):
    """Row kernel: finds the smallest image of mask `i`, the symmetry that leads there, and whether others keep it."""
    orbits, images, smallest = arrays
    best = i
    turning = 0
    for k in range(1, images.shape[0]):
        turned = image(k, i, images)
        if turned < best:
            best = turned
            turning = k
    kept = 0
    for k in range(1, images.shape[0]):
        if image(k, best, images) == best:
            kept = OWN_SYMMETRIES
    smallest[i] = best
    orbits[i] = turning << RANK_BITS | kept


@dataclass(frozen=True)
class Index:
    """The maps of a variant, and the sizes of its sectors."""

    maps: tuple[np.ndarray, ...]
    points: int

    def sector(self, own: int, other: int) -> np.ndarray:
        """What the kernels must know of the sector own-other."""
        return np.array([own, other, comb(self.points - own, other)], np.int64)

    def slots(self, own: int, other: int) -> int:
        """How many slots the sector own-other has."""
        firsts = self.maps[6]
        return int(firsts[own + 1] - firsts[own]) * comb(self.points - own, other)


def build(game: Game) -> Index:
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
    return Index((orbits, ranks, images, order, begins, chosen, firsts), points)


def _images(turned: np.ndarray, points: int) -> np.ndarray:
    """[16, 3, 256]: where each byte's worth of men goes."""
    table = np.zeros((len(turned), 3, 256), np.int32)
    for point in range(points):
        byte, bit = divmod(point, 8)
        has = (np.arange(256) >> bit & 1).astype(np.int32)
        table[:, byte] |= has[None] << turned[:, point, None].astype(np.int32)
    return table
