"""The number of an EinStein position before the roll: each has a slot, up to all that changes nothing.

A side is what one player has on the board, seen from the own corner. The die does the same if the stones are numbered
from the other end, and a single stone goes whatever its number, so sides that differ by that are one. Sides are
numbered by their stones, then by the steps they have left to the goal. A position is the side of the player who rolls
and the side of the other. Reflecting both in the diagonal changes nothing either: of two sides that are reflections of
each other only the smaller one has a row of slots. The slots of pairs that would share a cell are no positions.

`maps` = (orders [masks, STONES], begins [masks], ranks, counts [sides], mirrors [sides], rows [sides], firsts [k],
blocks [k, k]): for a mask of the stones left, their order and where its sides begin in `ranks`; for a side, how many
stones it has, its reflection, and twice its row among the sides of as many stones, + 1 if the row is that of its
reflection; the first side with k stones; the first slot for each pair of numbers of stones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from math import perm

import numpy as np

from spielwerk.games.einstein import BITS, GONE, SEEN, SIZE, STONES, cell_of
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of


def side_of(stones, player, maps):
    """The side that a player's stones make; none is on the goal."""
    orders, begins, ranks = maps[0], maps[1], maps[2]
    mask = 0
    left = 0
    for stone in range(STONES):
        if cell_of(stones, stone) != GONE:
            mask |= 1 << stone
            left += 1
    code = 0
    for i in range(left):
        code = code * (SIZE * SIZE - 1) + SEEN[player, cell_of(stones, orders[mask, i])]
    return ranks[begins[mask] + code]


def slot_of(own, other, maps):
    """The slot of the side that rolls and the other side."""
    counts, mirrors, rows, firsts, blocks = maps[3], maps[4], maps[5], maps[6], maps[7]
    row = rows[own]
    if row & 1 == 1:
        other = mirrors[other]
    k = counts[other]
    return blocks[counts[own], k] + (row >> 1) * (firsts[k + 1] - firsts[k]) + other - firsts[k]


def slot_of_state(state, maps):
    """The slot of a position before the roll."""
    player = state[0]
    own = side_of(state[2 + player], player, maps)
    return slot_of(own, side_of(state[3 - player], 1 - player, maps), maps)


@dataclass(frozen=True)
class Sides:
    """All sides, in their order."""

    counts: np.ndarray  # [sides]: stones
    steps: np.ndarray  # [sides]: steps left to the goal
    words: np.ndarray  # [sides]: the stones as player 0 has them
    mirrors: np.ndarray  # [sides]: the reflection; the side itself where nothing is folded

    @cached_property
    def owners(self) -> np.ndarray:
        """The sides that have a row of slots; [rows]."""
        return np.flatnonzero(self.mirrors >= np.arange(len(self.mirrors)))

    def begins(self) -> np.ndarray:
        """The first side with k stones and at least so many steps left; [k, steps]."""
        most, far = int(self.counts.max()), int(self.steps.max())
        keys = self.counts.astype(np.int64) * (far + 2) + self.steps
        return np.searchsorted(keys, np.arange((most + 1) * (far + 2))).reshape(most + 1, far + 2)

    def rows(self) -> np.ndarray:
        """`rows` of the maps."""
        first_rows = np.searchsorted(self.counts[self.owners], np.arange(self.counts.max() + 1))
        smaller = np.minimum(self.mirrors, np.arange(len(self.mirrors)))
        row = np.searchsorted(self.owners, smaller) - first_rows[self.counts]
        return (2 * row + (smaller < np.arange(len(smaller)))).astype(np.int32)


@dataclass(frozen=True)
class EinsteinIndex:
    """Which slot each position has that has at most `most` stones on the board."""

    most: int
    maps: tuple[np.ndarray, ...]
    sides: Sides
    ends: tuple[int, ...]  # [stones on the board]: the slots of positions with at most so many

    def level_sizes(self, stones: int) -> np.ndarray:
        """How many slots there are with so many stones on the board, for each number of steps left."""
        sides, width = self.sides, int(self.sides.steps.max()) + 1
        sizes = np.zeros(2 * width - 1, np.int64)
        for own, other in _pairs(stones, int(sides.counts.max())):
            rows = sides.steps[sides.owners[sides.counts[sides.owners] == own]]
            columns = sides.steps[sides.counts == other]
            sizes += np.convolve(np.bincount(rows, minlength=width), np.bincount(columns, minlength=width))
        return sizes


def with_fixed_start(game: Game) -> Game:
    """The same game with the fixed start: how the stones stand at the start does not change what is known."""
    return game_of("einstein", target=game.target, **asdict(game.settings) | {"start": "fixed"})


def estimated_slots(game: Game, most: int, folded: bool = True) -> int:
    """About how many slots an index has, up to a few percent less."""
    base, stones = game.constants["SIZE"] ** 2 - 1, game.constants["STONES"]
    sides = [0] * (stones + 1)
    for k in range(1, stones + 1):
        classes = {_class_of(mask, stones, folded)[0] for mask in _masks(stones, k)}
        sides[k] = sum(perm(base, k) // (2 if folded and _even(mask, stones) else 1) for mask in classes)
    slots = sum(sides[own] * sides[other] for total in range(2, most + 1) for own, other in _pairs(total, stones))
    return slots // 2 if folded else slots


def build(game: Game, most: int, folded: bool = True) -> EinsteinIndex:
    """The index; unless it is `folded`, every side stands for itself."""
    stones = game.constants["STONES"]
    orders, begins = np.zeros((1 << stones, stones), np.int64), np.zeros(1 << stones, np.int64)
    ranks, parts = [], []
    first = known = 0
    for k in range(1, min(stones, most - 1) + 1):
        group = _Group(game, k, folded)
        for mask, (place, order) in group.places.items():
            begins[mask] = known + place
            orders[mask, :k] = order
        part, table = group.sides(first)
        parts.append(part)
        ranks.append(table)
        first += len(part.counts)
        known += len(table)
    fields = ("counts", "steps", "words", "mirrors")
    sides = Sides(*(np.concatenate([getattr(part, field) for part in parts]) for field in fields))
    return _indexed(most, sides, (orders, begins, np.concatenate(ranks)))


def _indexed(most: int, sides: Sides, maps: tuple[np.ndarray, ...]) -> EinsteinIndex:
    """Lays out the slots: by the stones on the board, then by those of the player who rolls."""
    top = int(sides.counts.max())
    firsts = np.searchsorted(sides.counts, np.arange(top + 2))
    first_rows = np.searchsorted(sides.counts[sides.owners], np.arange(top + 2))
    blocks, ends = np.zeros((top + 1, top + 1), np.int64), [0, 0]
    used = 0
    for total in range(2, most + 1):
        for own, other in _pairs(total, top):
            blocks[own, other] = used
            used += int((first_rows[own + 1] - first_rows[own]) * (firsts[other + 1] - firsts[other]))
        ends.append(used)
    return EinsteinIndex(most, (*maps, sides.counts, sides.mirrors, sides.rows(), firsts, blocks), sides, tuple(ends))


class _Group:
    """The sides of k stones."""

    def __init__(self, game: Game, k: int, folded: bool) -> None:
        self.game, self.k, self.folded = game, k, folded
        self.stones: int = game.constants["STONES"]
        self.base: int = game.constants["SIZE"] ** 2 - 1
        classes = {mask: _class_of(mask, self.stones, folded) for mask in _masks(self.stones, k)}
        self.classes = list(dict.fromkeys(mask for mask, _ in classes.values()))
        self.places = {
            mask: (self.classes.index(chosen) * self.base**k, order) for mask, (chosen, order) in classes.items()
        }

    def sides(self, first: int) -> tuple[Sides, np.ndarray]:
        """The sides, of which the first has the number `first`, and their part of `ranks`."""
        numbers, cells, same = self._arranged()
        codes = self._codes(cells)
        ranks = np.zeros(len(self.classes) * self.base**self.k, np.int32)
        begins = numbers * self.base**self.k
        own = np.arange(first, first + len(cells), dtype=np.int32)
        ranks[begins + codes] = own
        ranks[(begins + self._codes(cells[:, ::-1]))[same]] = own[same]
        reflected = self.game.constants["MIRRORED"][1][cells]
        mirrors = ranks[begins + self._codes(reflected)] if self.folded else own
        counts = np.full(len(cells), self.k, np.int8)
        return Sides(counts, self._steps(cells), self._words(numbers, cells), mirrors), ranks

    def _arranged(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All sides by the steps left: the number of the class, the cells, whether the reverse order is the same."""
        every = np.stack(np.unravel_index(np.arange(self.base**self.k), (self.base,) * self.k), axis=1)
        ordered = np.sort(every, axis=1)
        every = every[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]
        halved = every[self._codes(every) <= self._codes(every[:, ::-1])]
        same = [self.folded and _even(mask, self.stones) for mask in self.classes]
        cells = [halved if one else every for one in same]
        numbers = np.repeat(np.arange(len(cells)), [len(part) for part in cells])
        joined = np.concatenate(cells)
        order = np.argsort(self._steps(joined), kind="stable")
        return numbers[order], joined[order], np.array(same)[numbers[order]]

    def _codes(self, cells: np.ndarray) -> np.ndarray:
        return cells @ self.base ** np.arange(self.k)[::-1]

    def _steps(self, cells: np.ndarray) -> np.ndarray:
        size = self.game.constants["SIZE"]
        of_cell = np.array([2 * (size - 1) - cell // size - cell % size for cell in range(self.base)], np.int16)
        return of_cell[cells].sum(axis=1, dtype=np.int16)

    def _words(self, numbers: np.ndarray, cells: np.ndarray) -> np.ndarray:
        here = np.array([[stone for stone in range(self.stones) if mask >> stone & 1] for mask in self.classes])
        shifts = BITS * here[numbers]
        return GONE * self.game.constants["ONES"] ^ ((GONE ^ cells) << shifts).sum(axis=1)


def _masks(stones: int, k: int) -> Iterator[int]:
    for chosen in combinations(range(stones), k):
        yield sum(1 << stone for stone in chosen)


def _reversed(mask: int, stones: int) -> int:
    """The stones numbered from the other end."""
    return sum(1 << stones - 1 - stone for stone in range(stones) if mask >> stone & 1)


def _even(mask: int, stones: int) -> bool:
    """Whether numbering several stones from the other end gives the same numbers."""
    return mask.bit_count() > 1 and _reversed(mask, stones) == mask


def _class_of(mask: int, stones: int, folded: bool) -> tuple[int, list[int]]:
    """The mask that stands for this one, and this one's stones in the order of that one's."""
    order = [stone for stone in range(stones) if mask >> stone & 1]
    if not folded:
        return mask, order
    if len(order) == 1:
        return 1, order
    other = _reversed(mask, stones)
    return (other, order[::-1]) if other < mask else (mask, order)


def _pairs(total: int, most: int) -> Iterator[tuple[int, int]]:
    """How many stones each side may have, together `total` and each at most `most`."""
    for own in range(max(1, total - most), min(most, total - 1) + 1):
        yield own, total - own
