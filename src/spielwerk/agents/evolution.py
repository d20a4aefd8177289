"""`evolution`: plays by the champion of an evolution, a network that was bred and not taught."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spielwerk.games.game import Game
from spielwerk.learn.evolution.player import EvolutionPlayer
from spielwerk.learn.evolution.saved import trained
from spielwerk.names import setting


@dataclass(frozen=True)
class EvolutionSettings:
    """The settings of evolution."""

    run: str = setting("", "a training run, NAME or NAME/SEED, or an exported file; by default the agent shipped")


class Evolution(EvolutionPlayer):
    """Plays by an evolved network: the best of its last generation."""

    Settings = EvolutionSettings

    def __init__(self, game: Game, settings: Any) -> None:
        super().__init__(game, *trained(game, settings.run))
        self.settings = settings
