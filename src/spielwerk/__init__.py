"""Spielwerk: teach machines to play board games, and know exactly how well they play."""

from spielwerk.agents.registry import agent
from spielwerk.arena.agent import Agent
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.games.registry import game
from spielwerk.names import BadInput
from spielwerk.version import __version__

__all__ = ["Agent", "BadInput", "Game", "Position", "__version__", "agent", "game"]
