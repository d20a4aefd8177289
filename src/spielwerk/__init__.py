"""Spielwerk: teach machines to play board games, and know exactly how well they play."""

from spielwerk.agents.registry import agent
from spielwerk.arena.agent import Agent
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.games.registry import game
from spielwerk.names import BadInput

__version__ = "0.1.0"
__all__ = ["Agent", "BadInput", "Game", "Position", "agent", "game"]
