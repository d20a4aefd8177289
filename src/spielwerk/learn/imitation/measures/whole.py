"""All measures of one training: accuracy by part, whole move and phase, legality, broken rules and reliability."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from spielwerk.learn.imitation.data.folder import dataset
from spielwerk.learn.imitation.data.observed import Observed
from spielwerk.learn.imitation.data.splits import TEST, TRAINING, VALIDATION
from spielwerk.learn.imitation.learner import ImitationLearner
from spielwerk.learn.imitation.measures.accuracy import accuracy
from spielwerk.learn.imitation.measures.examination import examine
from spielwerk.learn.imitation.tensors import moves_of
from spielwerk.names import BadInput, unknown

MATCHES, STATES = "matches", "states"  # all observed moves, learned ones among them; further positions without moves
SETS = (MATCHES, TEST, STATES)


def measure(
    learner: ImitationLearner,
    sets: Sequence[str] = SETS,
    most: int = 0,
    callback: Callable[[float], None] = lambda share: None,
) -> dict[str, Any]:
    """What the best networks of a learner do; `most` positions of each set, evenly spread (0: all)."""
    here = {name: _set(learner, name) for name in sets}
    known = {name: given for name, given in here.items() if given is not None}
    chosen = {
        name: part[thinned(len(part), most)]
        for name, part in zip((TRAINING, VALIDATION, TEST), learner.split, strict=True)
    }
    found: dict[str, Any] = {
        "parts": _by_part(learner, chosen),
        "moves": {name: len(part) for name, part in chosen.items()},
    }
    for i, (name, given) in enumerate(known.items()):
        some = given.rows(thinned(len(given), most))
        looked = examine(
            learner.best, some, learner.device, learner.threads, lambda s, i=i: callback((i + s) / len(known))
        )
        found[name] = looked.facts()
    return found


def measure_elsewhere(
    learner: ImitationLearner, where: str, most: int = 0, callback: Callable[[float], None] = lambda share: None
) -> dict[str, Any]:
    """What the best networks do on the moves of another folder, as they are; `most` of them, evenly spread (0: all)."""
    pairs = dataset(where, learner.game, "none").pairs
    some = pairs.rows(thinned(len(pairs), most))
    return examine(learner.best, some, learner.device, learner.threads, callback).facts()


def _set(learner: ImitationLearner, name: str) -> Observed | None:
    """The positions of a set; none of states where the data have none."""
    if name not in SETS:
        raise unknown("There is no set of positions", name, SETS, "Sets")
    if name == STATES:
        return learner.data.states
    pairs = learner.data.pairs
    return pairs if name == MATCHES else pairs.rows(learner.split.test)


def _by_part(learner: ImitationLearner, moves: Mapping[str, np.ndarray]) -> dict[str, dict[str, float]]:
    """The accuracy of each network on what was learned, what it stopped by, and what it never saw."""
    found = {}
    for name, chosen in moves.items():
        if not len(chosen):
            raise BadInput(f"There are too few observed moves: none is left for the {name}.")
        some = moves_of(learner.data.pairs.rows(chosen), learner.slots).to(learner.device)
        found[name] = dict(zip(learner.slots.names, accuracy(learner.best, some).right, strict=True))
    return found


def thinned(count: int, most: int) -> np.ndarray:
    """So many numbers below `count`, evenly spread; all of them with 0."""
    return np.arange(count) if not most or count <= most else np.linspace(0, count - 1, most).astype(np.int64)
