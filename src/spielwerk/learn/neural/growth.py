"""Growth: a network that begins with the weights of a narrower one, and says the same until it has learned more.

As in Net2Net (Chen, Goodfellow and Shlens, 2016), but new units are drawn as in any new network, and the old ones do
not hear of them yet: the weights from new units to old ones begin with 0.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

GROWING = 2  # the first sizes of an array, which may grow: its outputs and its inputs


def grown(weights: Mapping[str, np.ndarray], drawn: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of a network that was `drawn`, with those of a narrower one in them.

    Arrays that cannot grow so are returned as they were; `Learner.check_fit` refuses them.
    """
    return {name: _grown(weights[name], new) for name, new in drawn.items() if name in weights}


def can_grow(narrow: tuple[int, ...], wide: tuple[int, ...]) -> bool:
    """Whether an array of one shape can grow to another, or has it."""
    if len(narrow) != len(wide) or narrow[GROWING:] != wide[GROWING:]:
        return False
    return all(one <= other for one, other in zip(narrow, wide, strict=True))


def _grown(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    if old.shape == new.shape or not can_grow(old.shape, new.shape):
        return old
    made = new.copy()
    made[: len(old)] = 0
    made[tuple(slice(size) for size in old.shape)] = old
    return made
