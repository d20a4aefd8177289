"""Plan: everything that decides a match. Carried out again, it gives the same games, in any order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spielwerk.games.game import Game
from spielwerk.kernel.random import streams
from spielwerk.names import BadInput

SEATINGS = ("teams", "mixed")
MOST_OPENING = 1000  # turns


@dataclass(frozen=True)
class Plan:
    """A match between two agents. Game number g of it depends on nothing but the plan and g.

    `seating` matters where more than two play. "teams": the first agent plays a whole team, the second one everyone
    else. "mixed": the first agent has one seat, the second one all others, its ally's included. Games that follow each
    other put the first agent into each place in turn, with the same set-up and the same dice: they are one group.
    `opening` is the number of turns at the beginning that are played at random, the same within a group.
    """

    game: str
    agents: tuple[str, str]
    games: int
    seed: int = 1
    seating: str = "teams"
    opening: int = 0

    def __post_init__(self) -> None:
        if self.games < 1:
            raise BadInput(f"A match needs at least one game, not {self.games}.")
        if self.seating not in SEATINGS:
            raise BadInput(f'Seating cannot be "{self.seating}"; possible: {", ".join(SEATINGS)}.')
        if not 0 <= self.opening <= MOST_OPENING:
            raise BadInput(f"An opening has 0 to {MOST_OPENING} random turns, not {self.opening}.")

    def check_opening(self, game: Game) -> None:
        """Refuses an opening that leaves so little of the game that its result says nothing of the agents."""
        longest = game.constants["LONGEST"]
        if self.opening and 0 < longest <= 2 * self.opening:
            raise BadInput(
                f"{self.opening} random turns are too many: an opening must be shorter than half of a game, and "
                f"{game.name} has at most {longest} actions."
            )

    def layouts(self, game: Game) -> np.ndarray:
        """The ways to seat the agents, one after the other; [ways, players]."""
        teams = np.array(game.constants["TEAM"])
        places = np.arange(game.players) if self.seating == "mixed" else np.unique(teams)
        return (places[:, None] != (np.arange(game.players) if self.seating == "mixed" else teams)).astype(np.int64)

    def seats(self, game: Game, first: int, count: int) -> np.ndarray:
        """Which agent sits where in games `first` to `first + count - 1`; [count, players]."""
        layouts = self.layouts(game)
        return layouts[np.arange(first, first + count) % len(layouts)]

    def groups(self, game: Game, first: int, count: int) -> np.ndarray:
        """The number of each game's group; [count]."""
        return np.arange(first, first + count) // len(self.layouts(game))

    def dice(self, game: Game, first: int, count: int) -> np.ndarray:
        """The streams of set-ups and rolls, the same within a group; [count, 1]."""
        return self._of_groups("dice", game, first, count)

    def openings(self, game: Game, first: int, count: int) -> np.ndarray:
        """The streams of random openings, the same within a group; [count, 1]."""
        return self._of_groups("opening", game, first, count)

    def rngs(self, first: int, count: int) -> np.ndarray:
        """The streams that agents draw from; [count, 1]."""
        return streams(self.seed, "moves", count, first)

    def _of_groups(self, purpose: str, game: Game, first: int, count: int) -> np.ndarray:
        groups = self.groups(game, first, count)
        return streams(self.seed, purpose, int(groups[-1] - groups[0]) + 1, int(groups[0]))[groups - groups[0]]


def gains(game: Game, seats: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """The first agent's score in each game, and 1, ½ or 0 for a win, a draw or a loss; [2, n].

    A game is won by scoring more than every other team.
    """
    teams = np.array(game.constants["TEAM"])
    place = np.argmax(seats == 0, axis=1)
    mine = scores[np.arange(len(scores)), place]
    others = np.where(teams[None] == teams[place][:, None], -np.inf, scores).max(axis=1)
    return np.stack([mine, (1 + np.sign(mine - others)) / 2])
