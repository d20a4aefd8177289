"""Estimator: what says how good positions are, many at once: an evaluation written by hand, a network, an oracle.

Values are expected scores by seat. Priors, where an estimator has any, say how likely each legal action is to be the
best one; they are ragged as the legal actions are. The prior of an action that begins a turn of several actions is the
sum over the ends of the turns that begin with it. In their place an estimator may give logits of all action numbers,
which nobody has to sort by board: a search makes priors of those that it needs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np

from spielwerk.games.batch import Batch, Ragged
from spielwerk.kernel.arrays import Array
from spielwerk.names import BadInput
from spielwerk.search.trees.priors import prior_rows

if TYPE_CHECKING:
    from spielwerk.games.chances import Chances
    from spielwerk.games.evaluation import Evaluation
    from spielwerk.games.game import Game


class Estimate(NamedTuple):
    """What an estimator says of a batch; the arrays lie where the batch lies."""

    values: Any  # [n, players]: the score that each player may expect; the score itself where the game is over
    priors: Any | None = None  # [legal actions of all boards], as in `batch.actions()`; 1 in all for each board
    chances: Any | None = None  # [n, chances] of player 0, in games that have several kinds of wins (`games/chances`)
    logits: Any | None = None  # [n, ACTIONS] float32, in the place of priors, which are their softmax


F = TypeVar("F", bound=Callable[..., Estimate])


class Estimator:
    """Estimates positions of one game. One of your own defines `estimate`; it may be called from several threads.

    Searches ask by `asked`, which refuses what is no estimate. An `estimate` that is written for numpy takes batches on
    a GPU as well if it is decorated by `on_host`.
    """

    name: str = "estimator"  # as the setting `value` writes it
    has_priors: bool = False
    apart: bool = False  # whether priors cost much more than values, so that they are asked for only where needed
    recordable: bool = False  # whether an estimate (a value, if priors are apart) is the same work for all positions
    chances: Chances | None = None  # what its chances are, where it says any
    compiled: Evaluation | None = None  # where it is an evaluation that searches can compile into their own kernels

    def __init__(self, game: Game) -> None:
        self.game = game

    def estimate(self, batch: Batch) -> Estimate:
        """Values by seat, in score units, and priors or None."""
        raise NotImplementedError

    def value(self, batch: Batch) -> Estimate:
        """Values alone, for one that gives priors `apart`."""
        return self.estimate(batch)

    def ready(self) -> None:
        """Compiles or loads what it needs; raises BadInput where it cannot estimate the game."""


def asked(estimator: Estimator, batch: Batch, priors: bool = True) -> Estimate:
    """What an estimator says of a batch; BadInput where the batch is of another game, or that is no estimate of it.

    Without `priors`, one that gives them apart leaves them out. They are looked at by who needs them. On a GPU nobody
    looks at the numbers themselves, since looking waits for it.
    """
    check_game(estimator, batch)
    found = estimator.estimate(batch) if priors else estimator.value(batch)
    wanted = (len(batch), batch.game.players)
    if np.shape(found.values) != wanted:
        raise BadInput(f"{estimator.name} gives values of shape {list(np.shape(found.values))}, not {list(wanted)}.")
    _check_finite(estimator, batch, "values", found.values)
    if estimator.chances and priors:
        _check_chances(estimator, found.chances, (len(batch), len(estimator.chances.names)))
    if found.logits is not None:
        _check_logits(estimator, batch, found.logits)
    return found


def asked_priors(estimator: Estimator, batch: Batch) -> tuple[Ragged, Estimate]:
    """The legal actions of a batch, and what an estimator says of it, with a prior for each of them."""
    legal, found = batch.actions(), asked(estimator, batch)
    if found.logits is None:
        check_priors(estimator, batch, found.priors, len(legal.values))
        return legal, found
    priors = batch.arrays.empty((len(legal.values),), "float32")
    batch.run(prior_rows, found.logits, legal.offsets, legal.values, priors)
    return legal, found._replace(priors=priors)


def check_game(estimator: Estimator, batch: Batch) -> None:
    """Refuses positions of another game."""
    if batch.game != estimator.game:
        raise BadInput(f"{estimator.name} estimates positions of {estimator.game.name}, not of {batch.game.name}.")


def _check_chances(estimator: Estimator, chances: Array | None, wanted: tuple[int, int]) -> None:
    """Refuses chances that are not those of each board."""
    if chances is None or np.shape(chances) != wanted:
        raise BadInput(f"{estimator.name} has chances, and does not give {list(wanted)} of them.")


def _check_logits(estimator: Estimator, batch: Batch, logits: Array) -> None:
    """Refuses logits that are not one for each action number."""
    wanted = (len(batch), batch.game.constants["ACTIONS"])
    if np.shape(logits) != wanted:
        raise BadInput(f"{estimator.name} gives logits of shape {list(np.shape(logits))}, not {list(wanted)}.")
    _check_finite(estimator, batch, "logits", logits)


def check_priors(estimator: Estimator, batch: Batch, priors: Array | None, legal: int) -> None:
    """Refuses priors that are not one for each legal action."""
    if priors is None:
        raise BadInput(f"{estimator.name} says that it has priors, and gives none.")
    if np.shape(priors) != (legal,):
        raise BadInput(f"{estimator.name} gives priors of shape {list(np.shape(priors))}, not {[legal]}.")
    _check_finite(estimator, batch, "priors", priors)


def _check_finite(estimator: Estimator, batch: Batch, what: str, numbers: Array) -> None:
    if batch.device == "cpu" and not np.isfinite(numbers).all():
        raise BadInput(f"{estimator.name} gives {what} that are not finite numbers.")


def on_host(estimate: F) -> F:
    """Makes of an `estimate` for numpy one for every device, which refuses a batch of another game.

    The positions are copied from the GPU, and what was found is copied there.
    """

    @functools.wraps(estimate)
    def anywhere(self: Estimator, batch: Batch) -> Estimate:
        check_game(self, batch)
        if batch.device == "cpu":
            return estimate(self, batch)
        states = batch.arrays.host(batch.states)
        found = estimate(self, Batch(batch.game, states, seed=batch.seed, threads=batch.threads))
        return Estimate(*(array if array is None else batch.arrays.array(array, str(array.dtype)) for array in found))

    return cast("F", anywhere)
