"""What a watched table tells: the thoughts of who is to move, as a list, as heat on places, as lights in a network."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.api.thoughts import MOST_LIT, SHARES, Thoughts
from spielwerk.games.position import Position
from spielwerk.games.scenes.showing import hops_of
from spielwerk.learn.evolution.activity import EvolvedGraph

MOST_HEATED = 60  # moves whose places are found, those with the largest weights
LEAST = 0.002  # of a weight that is shown
DIGITS = 4


def thoughts_facts(position: Position, name: str, found: Thoughts, version: int) -> dict[str, Any]:
    """The message `thoughts`."""
    hops = _Hops(position)
    shown = [one for i, one in enumerate(found.analysis.moves) if i < MOST_LIT or one.move == found.turn.text]
    moves = [
        {
            "move": one.move,
            "value": one.value,
            "visits": one.visits,
            "probability": found.policy.get(one.move, one.probability if not found.simulations else None),
            "score": one.score,
            "hops": hops.of(one.move),
        }
        for one in shown
    ]
    return _about(position, name, version) | {
        "turn": found.turn.text,
        "value": found.analysis.value,
        "simulations": found.simulations,
        "note": found.analysis.note,
        "moves": moves,
        "count": len(found.analysis.moves),
        "heats": [[kind, _heat(found.weights(kind), kind in SHARES, hops)] for kind in found.kinds],
        "lit": {move: _rounded(values) for move, values in found.activity.items()},
        "problem": "",
    }


def fault_facts(position: Position, name: str, problem: str, version: int) -> dict[str, Any]:
    """The same where the agent has failed to think."""
    nothing = {"turn": "", "value": None, "simulations": None, "note": "", "moves": [], "count": 0}
    return _about(position, name, version) | nothing | {"heats": [], "lit": {}, "problem": problem}


def graph_facts(graph: EvolvedGraph) -> dict[str, Any]:
    """The graph of an evolved network, to be drawn once and lit for each position."""
    return {
        "width": graph.width,
        "height": graph.height,
        "inputs": graph.inputs,
        "outputs": graph.outputs,
        "nodes": [[node.x, node.y, node.size, node.name, node.activation] for node in graph.nodes],
        "edges": [[edge.origin, edge.target, edge.weight, edge.path] for edge in graph.edges],
    }


class _Hops:
    """How each move of a position is made by hand, found once."""

    def __init__(self, position: Position) -> None:
        self._turns = {turn.text: turn for turn in position.turns()}
        self._found: dict[str, list[list[str]]] = {}

    def of(self, move: str) -> list[list[str]]:
        """The places from which and to which it goes."""
        if move not in self._found:
            turn = self._turns.get(move)
            self._found[move] = [list(hop) for hop in hops_of(turn)] if turn else []
        return self._found[move]


def _about(position: Position, name: str, version: int) -> dict[str, Any]:
    best = position.game.constants["BEST"]
    return {"type": "thoughts", "version": version, "mover": position.mover, "by": name, "best": best}


def _heat(weights: dict[str, float], shares: bool, hops: _Hops) -> list[list[Any]]:
    """The weight of each place to which moves lead: shares add up, of other weights the largest counts."""
    heat: dict[str, float] = {}
    largest = sorted(weights.items(), key=lambda pair: -pair[1])[:MOST_HEATED]
    for move, weight in largest:
        for place in {target for _, target in hops.of(move)}:
            heat[place] = heat.get(place, 0.0) + weight if shares else max(heat.get(place, 0.0), weight)
    return [[place, round(weight, DIGITS)] for place, weight in heat.items() if weight >= LEAST]


def _rounded(values: np.ndarray) -> list[float]:
    return np.round(values, DIGITS).tolist()
