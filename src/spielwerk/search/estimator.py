"""Estimator: what says how good positions are, many at once: an evaluation written by hand, a network, an oracle.

Values are expected scores by seat. Priors, where an estimator has any, say how likely each legal action is to be the
best one; they are ragged as the legal actions are. The prior of an action that begins a turn of several actions is the
sum over the ends of the turns that begin with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch
    from spielwerk.games.evaluation import Evaluation
    from spielwerk.games.game import Game


class Estimate(NamedTuple):
    """What an estimator says of a batch; the arrays lie where the batch lies."""

    values: Any  # [n, players]: the score that each player may expect; the score itself where the game is over
    priors: Any | None = None  # [legal actions of all boards], as in `batch.actions()`; 1 in all for each board


class Estimator:
    """Estimates positions of one game. One of your own defines `estimate`; it may be called from several threads."""

    name: str = "estimator"  # as the setting `value` writes it
    has_priors: bool = False
    compiled: Evaluation | None = None  # where it is an evaluation that searches can compile into their own kernels

    def __init__(self, game: Game) -> None:
        self.game = game

    def estimate(self, batch: Batch) -> Estimate:
        """Values by seat, in score units, and priors or None."""
        raise NotImplementedError

    def ready(self) -> None:
        """Compiles or loads what it needs; raises BadInput where it cannot estimate the game."""
