"""History: what is recorded of each generation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.games.game import Game
from spielwerk.learn.evolution.genome.genome import Genome
from spielwerk.learn.evolution.settings import Settings
from spielwerk.names import BadInput

COLUMNS = {
    "best_fitness": "the best genome's share of all points, or its grade",
    "mean_fitness": "the mean share of points, or grade",
    "wins": "of the champion against champions spread over the generations before",
    "grade": "right decisions of the champion in games against perfect play",
    "positions": "right decisions of the champion in all positions, or in those that are graded",
    "regret": "of the champion a decision in these positions: the score that its choices cost",
    "turns": "of a game in the competition",
    "hidden_layers": "of a genome, on average",
    "layer_nodes": "nodes of a hidden layer, on average over genomes that have any",
    "edges": "of a genome that are on, on average",
    "champion_hidden": "hidden nodes of the champion",
    "champion_edges": "edges of the champion that are on",
    "species": "how many there are",
    "points": "points a move of the champion in its games against earlier champions: the source's grade",
    "perfect_points": "the same in its games against perfect play",
}
NUMBER, LAYERS = "generation", "champion_layers"  # what is listed of a generation besides these columns
MOST_LAYERS = 100  # whose sizes are kept; of more, the first ones and the last
GAMES = 2  # that are kept whole: against the last champion, and against one of all before
MOST_KEPT = 200  # actions and rolls of such a game
NOTHING = -2  # where a game that is kept has ended


@dataclass(eq=False)
class History:
    """What was recorded so far; every array has a row for each generation, and perhaps some for the next ones."""

    rows: np.ndarray  # float64 [generations, columns]; NaN where there is nothing to say
    layer_sizes: np.ndarray  # int64 [generations, layers]: nodes of the champion, layer by layer; 0 where none
    against: np.ndarray  # int64 [generations, GAMES]: the generation of the other champion; -1 where there was no game
    teams: np.ndarray  # int64 [generations, GAMES]: the champion's team
    starts: np.ndarray  # int64 [generations, GAMES, WORDS]
    traces: np.ndarray  # int32 [generations, GAMES, numbers]: actions and rolls, -1 for an illegal output, then NOTHING

    columns = tuple(COLUMNS)

    @staticmethod
    def empty(generations: int, game: Game, layers: int) -> History:
        """A history for so many generations, of whose champions the sizes of up to so many layers are kept."""
        most = min(game.constants["LONGEST"] or MOST_KEPT, MOST_KEPT)
        rolls = 2 if game.constants["MOST_OUTCOMES"] else 1
        kept = np.full((generations, GAMES, rolls * most + 1), NOTHING, np.int32)  # and one that shows that it ended
        starts = np.zeros((generations, GAMES, game.constants["WORDS"]), np.int64)
        against, teams = np.full((generations, GAMES), -1, np.int64), np.zeros((generations, GAMES), np.int64)
        rows, sizes = np.full((generations, len(COLUMNS)), np.nan), np.zeros((generations, layers), np.int64)
        return History(rows, sizes, against, teams, starts, kept)

    def reserve(self, generations: int, game: Game) -> None:
        """Makes room for so many generations, and more at once for those that follow."""
        there = len(self.rows)
        if there < generations:
            more = History.empty(max(generations - there, there), game, self.layer_sizes.shape[1])
            for name in ARRAYS:
                setattr(self, name, np.concatenate((getattr(self, name), getattr(more, name))))

    def first(self, generations: int) -> History:
        """So many generations of it."""
        return History(*(getattr(self, name)[:generations] for name in ARRAYS))

    def column(self, name: str) -> np.ndarray:
        """One figure, generation by generation."""
        return self.rows[:, self.columns.index(name)]

    def facts(self, generation: int) -> dict[str, Any]:
        """What is recorded of a generation; None where there is nothing to say."""
        values = zip(self.columns, self.rows[generation].tolist(), strict=True)
        figures = {name: None if math.isnan(value) else value for name, value in values}
        return {NUMBER: generation, **figures, LAYERS: [size for size in self.layer_sizes[generation].tolist() if size]}

    def note(self, generation: int, figures: Mapping[str, float], champion: Genome) -> None:
        """Writes the figures of a generation."""
        self.rows[generation] = [figures[name] for name in self.columns]
        sizes, most = champion.layer_sizes, self.layer_sizes.shape[1]
        shown = sizes if len(sizes) <= most else [*sizes[: most - 1], sizes[-1]]
        self.layer_sizes[generation] = [*shown, *[0] * (most - len(shown))]

    def arrays(self, generations: int) -> dict[str, np.ndarray]:
        """What a checkpoint keeps of so many generations."""
        return {f"history_{name}": getattr(self, name)[:generations] for name in ARRAYS}

    def restore(self, arrays: Mapping[str, np.ndarray], generations: int, game: Game) -> None:
        """Takes over what a checkpoint has kept."""
        kept = History.of(arrays, generations, History.empty(0, game, self.layer_sizes.shape[1]))
        more = History.empty(max(len(self.rows) - generations, 1), game, self.layer_sizes.shape[1])
        for name in ARRAYS:
            setattr(self, name, np.concatenate((getattr(kept, name), getattr(more, name))))

    @staticmethod
    def of(arrays: Mapping[str, np.ndarray], generations: int, like: History) -> History:
        """What a checkpoint has kept of so many generations; BadInput where that is not `like` another history."""
        found = {}
        for name in ARRAYS:
            wanted, kept = getattr(like, name), _widened(name, arrays.get(f"history_{name}"))
            if kept is None or kept.shape != (generations, *wanted.shape[1:]) or kept.dtype != wanted.dtype:
                raise BadInput(f'The checkpoint does not fit evolution: "history_{name}" is missing or differs.')
            found[name] = kept
        return History(**found)


ARRAYS = ("rows", "layer_sizes", "against", "teams", "starts", "traces")


FEWEST_COLUMNS = 13  # of a history that was kept before points were recorded


def _widened(name: str, kept: np.ndarray | None) -> np.ndarray | None:
    """Rows of an older history, with nothing in the columns that it lacks."""
    if name != "rows" or kept is None or kept.ndim != 2 or not FEWEST_COLUMNS <= kept.shape[1] < len(COLUMNS):
        return kept
    return np.pad(kept, ((0, 0), (0, len(COLUMNS) - kept.shape[1])), constant_values=np.nan)


def layers_kept(settings: Settings) -> int:
    """Of how many layers of a champion the sizes are kept."""
    return min(settings.most_hidden + 2, MOST_LAYERS)
