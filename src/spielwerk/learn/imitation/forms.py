"""Forms: what the source's text says of a network, and what its published code does instead.

The text: ten residual units with dropout, thirty without for `remove`; the step size falls; all weights count for L1;
training stops by the validation loss. The code: one unit, dropout on the inputs too, a constant step size, only the
weights of the last layer count for L1, the first layer is linear, training stops by the validation accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass

from spielwerk.learn.imitation.settings import BY_FORM, TEXT, Settings

LAST_DECIDED = "remove"  # the part of morris whose network differs from the others
DROPOUT = 0.1
TEXT_UNITS, TEXT_UNITS_REMOVE = 10, 30
ANNEAL, ANNEAL_REMOVE = 0.01, 0.02


@dataclass(frozen=True)
class Traits:
    """How the network of one slot is built and learns."""

    units: int
    dropout: float
    input_dropout: float
    bent_first: bool  # whether a ReLU follows the first layer at once
    anneal: float
    all_l1: bool  # or only of the last layer
    by_accuracy: bool  # what says when to stop: the accuracy, or the loss


def traits(settings: Settings, slot: str) -> Traits:
    """Of a slot, by its name."""
    text, remove = settings.form == TEXT, slot == LAST_DECIDED
    units = (TEXT_UNITS_REMOVE if remove else TEXT_UNITS) if text else 1
    dropout = 0.0 if remove else DROPOUT
    anneal = (ANNEAL_REMOVE if remove else ANNEAL) if text else 0.0
    dropout = dropout if settings.dropout == BY_FORM else settings.dropout
    return Traits(
        units if settings.units == BY_FORM else settings.units,
        dropout,
        0.0 if text else dropout,
        text,
        anneal if settings.anneal == BY_FORM else settings.anneal,
        text,
        not text,
    )
