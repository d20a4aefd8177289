"""Expansion: every position and move turned by all symmetries of the board, without a position twice.

`paper` does what made the published counts: boards with three men each, on which all men jump or are placed, are also
taken with the outer and the middle ring exchanged, in all images but the first; and only images of the same position
are compared, so that some positions come twice.
"""

from __future__ import annotations

import numpy as np

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.kernel.random import GOLDEN
from spielwerk.learn.imitation.data.observed import PIECE, Best, Observed, firsts, joined, keys
from spielwerk.names import BadInput

NONE, SYMMETRIES, PAPER = WAYS = ("none", "symmetries", "paper")
THREE = 3  # men of each side on the board


def expanded(given: Observed, how: str) -> Observed:
    """All images, the given positions first; of equal positions the first stays."""
    if how == NONE:
        return given.rows(firsts(keys(given.game, given.states)))
    count = given.game.constants["SYMMETRIES"]
    images = [turned(given, k) for k in range(count)]
    found = [keys(given.game, image.states) for image in images]
    if how == PAPER:
        swapped, three = _rings_swapped(given.game), np.flatnonzero(_three_each(given))
        more = [_mapped(image.rows(three), swapped) for image in images[1:]]
        own = np.arange(len(given), dtype=np.uint64) * np.uint64(GOLDEN)  # tells the images of two positions apart
        found = [one + own for one in found] + [keys(given.game, image.states) + own[three] for image in more]
        images += more
    return _picked(images, firsts(np.concatenate(found)))


def turned(given: Observed, k: int) -> Observed:
    """The positions and moves on boards that are turned by symmetry `k`."""
    if k == 0:
        return given
    batch = given.batch()
    played = None if given.played is None else _turned(batch, k, given.played)
    best = None if given.best is None else Best(_turned(batch, k, given.best.played), given.best.offsets)
    return Observed(given.game, batch.turned(k).states, played, best)


def orbits(game: Game, states: np.ndarray) -> np.ndarray:
    """A key that all positions share which symmetries turn into each other: the least of all images; uint64 [n]."""
    found = keys(game, states)
    for k in range(1, game.constants["SYMMETRIES"]):
        for first in range(0, len(states), PIECE):
            here = slice(first, first + PIECE)
            found[here] = np.minimum(found[here], keys(game, Batch(game, states[here]).turned(k).states))
    return found


def _turned(batch: Batch, k: int, played: np.ndarray) -> np.ndarray:
    """Actions on turned boards, [n, actions of a move]."""
    flat = played.reshape(-1).astype(np.int64)
    boards = Batch(batch.game, np.zeros((len(flat), batch.states.shape[1]), np.int64))
    return boards.turned_actions(k, flat).reshape(played.shape).astype(np.int32)


def _picked(images: list[Observed], chosen: np.ndarray) -> Observed:
    """Some rows of all images in a row."""
    ends = np.cumsum([0, *map(len, images)])
    parts = [
        image.rows(chosen[(chosen >= first) & (chosen < last)] - first)
        for image, first, last in zip(images, ends, ends[1:], strict=False)
    ]
    return joined(parts)


def _rings_swapped(game: Game) -> np.ndarray:
    """Where each point goes when the outer and the middle ring are exchanged; BadInput where there are none."""
    from spielwerk.games.boards.morris import places

    if game.kind != "morris" or game.settings.rules != "standard":
        raise BadInput(f"expand={PAPER} is for morris, whose rings the source exchanges; {game.name} has none of them.")
    points = places(game.settings.rules)
    scale = {1: 1, 2: 3, 3: 2}
    rings = [max(abs(x), abs(y)) for x, y in points]
    return np.array(
        [
            points.index((x // ring * scale[ring], y // ring * scale[ring]))
            for (x, y), ring in zip(points, rings, strict=True)
        ]
    )


def _three_each(given: Observed) -> np.ndarray:
    """Whether both sides have three men on the board."""
    from spielwerk.games.morris import MEN

    return (np.bitwise_count(given.states[:, MEN : MEN + 2]) == THREE).all(axis=1)


def _mapped(given: Observed, where: np.ndarray) -> Observed:
    """The same with every point elsewhere."""
    from spielwerk.games.morris import MEN

    points = len(where)
    states = given.states.copy()
    for word in (MEN, MEN + 1):
        bits = given.states[:, word, None] >> np.arange(points) & 1
        states[:, word] = (bits << where).sum(axis=1)
    if given.played is None:
        return Observed(given.game, states)
    return Observed(given.game, states, _moved(given.played, where, points), _moved_best(given.best, where, points))


def _moved(played: np.ndarray, where: np.ndarray, points: int) -> np.ndarray:
    """Actions of morris, with every point elsewhere."""
    to = np.append(where, points)  # a placing has no source
    source, target = np.divmod(np.maximum(played, 0), points)
    return np.where(played < 0, played, to[source] * points + to[target]).astype(np.int32)


def _moved_best(best: Best | None, where: np.ndarray, points: int) -> Best | None:
    return None if best is None else Best(_moved(best.played, where, points), best.offsets)
