"""What the functions of the Python API are given: games and agents, by name or as objects."""

from __future__ import annotations

from collections.abc import Iterable

from spielwerk.agents.registry import agent as agent_of
from spielwerk.arena.agent import Agent
from spielwerk.arena.playing.workers import Maker
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

Player = str | Agent


def as_game(game: str | Game) -> Game:
    """The game that is named, or given."""
    found = game_of(game) if isinstance(game, str) else game
    if not isinstance(found, Game):
        raise BadInput(f"A game is given by its name or as sw.game(NAME), not as {_kind(game)}.")
    return found


def as_agent(player: Player, game: Game) -> Agent:
    """The agent that is named, or given, which must be one for this game."""
    agent = agent_of(player, game) if isinstance(player, str) else player
    if not isinstance(agent, Agent):
        raise BadInput(f"An agent is given by its name or as sw.agent(NAME, game), not as {_kind(player)}.")
    if agent.game != game:
        raise BadInput(f"{agent.name} plays {agent.game.name}, not {game.name}.")
    return agent


def _kind(given: object) -> str:
    """What was given instead."""
    return "nothing" if given is None else f"an object of type {type(given).__name__}"


def given_agents(players: Iterable[Player]) -> dict[str, Agent]:
    """The agents that were given as objects, by name."""
    return {one.name: one for one in players if isinstance(one, Agent)}


def maker(given: dict[str, Agent]) -> Maker:
    """From a name to an agent; where all are named, a function that worker processes can import."""
    return (lambda name, game: given[name] if name in given else agent_of(name, game)) if given else agent_of
