"""Recorder: measures the champion of each generation, and writes the history."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from spielwerk.kernel.random import below, stream, streams
from spielwerk.learn.evolution.breeding.population import Stage
from spielwerk.learn.evolution.exams import competition, games
from spielwerk.learn.evolution.exams.grader import Grader
from spielwerk.learn.evolution.exams.grading import REGRET, RIGHT
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.genome import ON, Genome
from spielwerk.learn.evolution.history.archive import Archive
from spielwerk.learn.evolution.history.history import GAMES, History


class Recorder:
    """A stage of its own, on which the champion meets champions of the past and perfect play."""

    def __init__(self, blueprint: Blueprint, grader: Grader | None, history: History, seed: int) -> None:
        self.blueprint, self.grader, self.history, self.seed = blueprint, grader, history, seed
        rows = 1 + max(blueprint.settings.champion_games, GAMES)
        self.stage, self.scratch = Stage(blueprint, rows), blueprint.scratch(rows)

    def record(
        self, generation: int, champion: Genome, before: Genome, archive: Archive, known: Mapping[str, float]
    ) -> None:
        """Writes what there is to say of a generation, whose champion follows the one `before`."""
        self.stage.seat(0, [champion])
        figures = {**known, **self._met(generation, archive), **self._graded(generation)}
        figures |= {"champion_hidden": champion.hidden, "champion_edges": int(champion.edges[:, ON].sum())}
        self.history.note(generation, figures, champion)
        self._show(generation, before, archive)

    def _met(self, generation: int, archive: Archive) -> dict[str, float]:
        """The champion's wins and points against champions spread over the past; NaN where there are none."""
        others = [archive.champions[at] for at in archive.spread(self.blueprint.settings.champion_games)]
        if not others:
            return {"wins": np.nan, "points": np.nan}
        self.stage.seat(1, others)
        pairs = np.column_stack((np.zeros(len(others), np.int64), np.arange(1, len(others) + 1)))
        key = self.seed, f"evolution champions {generation}"
        wins = float(competition.meet(self.stage, pairs, key, self.scratch).points(1)[0])
        if self.grader is None:
            return {"wins": wins, "points": np.nan}
        return {"wins": wins, "points": self.grader.against(self.stage.networks, self.scratch, len(others), key).points}

    def _graded(self, generation: int) -> dict[str, float]:
        """The champion's grades; NaN where nobody knows perfect play."""
        if self.grader is None:
            return dict.fromkeys(("grade", "positions", "regret", "perfect_points"), np.nan)
        arrays = self.stage.networks, self.scratch
        marks = self.grader.means(self.grader.marks(*arrays, 1))[0]
        key = self.seed, f"evolution grade {generation}"
        played = self.grader.in_games(*arrays, self.blueprint.settings.champion_games, key)
        in_games = {"grade": played.decisions, "perfect_points": played.points}
        return {**in_games, "positions": float(marks[RIGHT]), "regret": float(marks[REGRET])}

    def _show(self, generation: int, before: Genome, archive: Archive) -> None:
        """Two whole games: against the champion before, and against any of those that are kept."""
        if generation == 0:
            return
        rng = stream(self.seed, f"evolution shown {generation}")
        earlier = list(archive.champions)[int(below(rng, len(archive.champions)))]
        self.stage.seat(1, [before, archive.champions[earlier]])
        sides = [int(below(rng, self.blueprint.game.sides)) for _ in range(GAMES)]
        pairs = np.array([(0, 1 + number, side) for number, side in enumerate(sides)])
        history, words = self.history, streams(self.seed, f"evolution shown games {generation}", GAMES)
        history.against[generation], history.teams[generation] = (generation - 1, earlier), sides
        rows = self.blueprint.game.rows(games.shown, **self.blueprint.bindings)
        shown = games.ShownGames(pairs, words, history.starts[generation], history.traces[generation])
        rows(GAMES, shown, self.blueprint.longest, self.stage.networks, self.scratch)
