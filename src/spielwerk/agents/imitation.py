"""`imitation`: plays what networks say that have learned a game, and its rules, from observed moves."""

from __future__ import annotations

from typing import Any

from spielwerk.arena.agent import Agent
from spielwerk.games.game import Game
from spielwerk.learn.imitation.player import ByParts
from spielwerk.learn.imitation.playing import learned
from spielwerk.learn.resolve import RunSettings


class Imitation(ByParts):
    """Plays the parts of moves that networks hold most likely, legal or not."""

    Settings = RunSettings

    @classmethod
    def made(cls, game: Game, settings: Any) -> Agent:
        """By what was learned."""
        return cls(game, settings, *learned(game, settings.run, settings.at))
