"""The terms of shaped rewards on many boards at once."""

from __future__ import annotations

from typing import Any

from spielwerk.games.batch import Batch
from spielwerk.games.batch_input import one_each
from spielwerk.games.shaping import write_terms
from spielwerk.kernel.arrays import Array
from spielwerk.names import BadInput


def term_rows(i, state, actions, weights, results, arrays):
    """Row kernel: the terms of one player on each board."""
    states, players, out = arrays  # [n, WORDS], [n], [n, terms]
    write_terms(states[i], players[i], out[i])


def terms_of(batch: Batch, players: Any) -> Array:
    """The terms of one player on each board, `players` [n]: [n, terms] float32, in the order of `game.shaping.terms`.

    To write into memory of your own: `batch.run(term_rows, batch.states, players, out, write_terms=…)`.
    """
    game = batch.game
    if game.shaping is None:
        raise BadInput(f"{game.kind} does not say what shaped rewards can be made of.")
    players = one_each(batch.arrays, players, len(batch), "players")
    if bool(((players < 0) | (players >= game.players)).any()):
        raise BadInput(f"{game.name} has only players 0 to {game.players - 1}.")
    out = batch.arrays.empty((len(batch), len(game.shaping.terms)), "float32")
    batch.run(term_rows, batch.states, players, out, write_terms=game.shaping.write_terms)
    return out
