"""The n-tuples of a network as people look at them: which cells each has, and how many weights."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from spielwerk.games.cells import Layout, layout
from spielwerk.games.game import Game
from spielwerk.learn.runs import names_of_runs
from spielwerk.learn.td.network import NTupleNetwork
from spielwerk.learn.td.network_files import trained
from spielwerk.names import BadInput, printable


@dataclass(frozen=True)
class TupleSet:
    """Tuples of one game; `places` of the board look at them, more than there are where mirrored ones share weights."""

    game: Game
    layout: Layout
    tuples: tuple[tuple[int, ...], ...]
    places: int

    def names(self, cells: tuple[int, ...]) -> tuple[str, ...]:
        """The names of a tuple's cells."""
        return tuple(self.layout.names[cell] for cell in cells)

    def weights(self, cells: tuple[int, ...]) -> int:
        """How many weights a tuple has: one for each way in which its cells can be filled."""
        return prod(self.layout.values[cell] for cell in cells)

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        listed = [{"cells": list(self.names(cells)), "weights": self.weights(cells)} for cells in self.tuples]
        return {"game": self.game.name, "coding": self.layout.coding, "places": self.places, "tuples": listed}


def tuple_set(game: Game, name: str) -> TupleSet:
    """The tuples of a run or an exported file, or by its name a set of the game's own, such as "published"."""
    own = layout(game)
    if name in own.tuples:
        return TupleSet(game, own, own.tuples[name], len(own.tuples[name]))
    if name.partition("/")[0] not in names_of_runs() and not Path(name).suffix:
        sets = ", ".join(own.tuples)
        raise BadInput(f'There is no run "{printable(name)}", and {game.kind} has no such tuples; its sets: {sets}.')
    return of_network(trained(game, name))


def of_network(network: NTupleNetwork) -> TupleSet:
    """The tuples that have a table each in a network."""
    return TupleSet(network.game, network.layout, network.shape.tuples, len(network.shape.places))
