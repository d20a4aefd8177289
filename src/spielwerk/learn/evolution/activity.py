"""An evolved network at work: its graph as it is drawn, and the values of all its nodes for a position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spielwerk.games.position import Position
from spielwerk.learn.evolution.drawing.graph import places_of
from spielwerk.learn.evolution.drawing.layout import routes
from spielwerk.learn.evolution.drawing.sheet import clipped
from spielwerk.learn.evolution.genome.activations import ACTIVATIONS
from spielwerk.learn.evolution.genome.genome import ACTIVATION, FROM, TO
from spielwerk.learn.evolution.genome.outputs import compute
from spielwerk.learn.evolution.player import EvolutionPlayer
from spielwerk.learn.evolution.settings import AFTERSTATE


@dataclass(frozen=True)
class GraphNode:
    """A node: where it is drawn, what it is called if it is an input or an output, and what it makes of its sum."""

    x: float
    y: float
    size: float  # of an input its radius, of others 1 is full size
    name: str
    activation: str  # empty for inputs


@dataclass(frozen=True)
class GraphEdge:
    """An edge that is switched on: the places of its nodes in the list, its weight, and its way as SVG writes it."""

    origin: int
    target: int
    weight: float
    path: str


@dataclass(frozen=True)
class EvolvedGraph:
    """The graph of a network, in the same places as `spielwerk evolution draw` has them."""

    width: float
    height: float
    inputs: int
    outputs: int
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


def graph_of(player: EvolutionPlayer) -> EvolvedGraph:
    """The graph of the network that a player plays by."""
    genome, at = player.genome, places_of(player.genome)
    outer = [clipped(name) for name in (*player.blueprint.input_names, *player.blueprint.output_names)]
    names = [*outer, *[""] * genome.hidden]
    kinds = [ACTIVATIONS[kind] for kind in genome.nodes[:, ACTIVATION].tolist()]
    kinds[: genome.inputs] = [""] * genome.inputs
    nodes = tuple(map(GraphNode, at.x, at.y, at.sizes, names, kinds))
    paths = routes(at, genome.edges[:, [FROM, TO]])
    edges = tuple(
        GraphEdge(origin, target, weight, path)
        for (_, origin, target, on), weight, path in zip(
            genome.edges.tolist(), genome.weights.tolist(), paths, strict=True
        )
        if on
    )
    return EvolvedGraph(at.width, at.height, genome.inputs, genome.outputs, nodes, edges)


def activity(player: EvolutionPlayer, before: Position, after: Position) -> np.ndarray:
    """The values of all nodes as the mover `before` its turn sees them; float64 [nodes].

    A network that scores the ends of turns is shown the position `after` one; one whose outputs mean a move, `before`.
    """
    looks_at = after if player.blueprint.settings.output == AFTERSTATE else before
    values = player.memory.scratch.values
    player.game.kernel(compute, **player.bindings)(looks_at.state, before.mover, player.memory)
    return values.copy()
