"""The documents of watched games: who could play whom, and the graph of an evolved network."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter

from spielwerk.agents.registry import agent as agent_of
from spielwerk.games import registry
from spielwerk.learn.evolution.activity import graph_of
from spielwerk.learn.evolution.player import EvolutionPlayer
from spielwerk.names import BadInput
from spielwerk.web import limits, protocol
from spielwerk.web.play.watch_view import graph_facts

router = APIRouter(prefix="/api", tags=["watch"])
PAIRS = {"backgammon": ("td", "pubeval"), "nim": ("evolution", "mcts")}  # worth watching
LEARNED = ("morris", "einstein", "othello")  # for which networks with a policy come with the package


@router.get("/watch")
async def pairs() -> list[dict[str, Any]]:
    """The games, each with agents that are worth watching."""
    return await asyncio.to_thread(
        lambda: [{"kind": game.kind, "title": game.title, "agents": pair(game.kind)} for game in registry.usual_games()]
    )


@router.get("/network")
async def network(game: protocol.Name, agent: protocol.Name) -> dict[str, Any]:
    """The graph of the evolved network that an agent plays by."""
    return await asyncio.to_thread(_network, game, agent)


def pair(kind: str) -> list[str]:
    """Two agents that are worth watching."""
    return list(PAIRS.get(kind, ("alphazero" if kind in LEARNED else "mcts", "mcts")))


def _network(game: str, agent: str) -> dict[str, Any]:
    variant = limits.bounded_game(game)
    thinker = agent_of(limits.bounded_agent(agent, variant), variant)
    try:
        if not isinstance(thinker, EvolutionPlayer):
            raise BadInput(f"{agent} does not play by an evolved network.")
        return graph_facts(graph_of(thinker))
    finally:
        thinker.close()
