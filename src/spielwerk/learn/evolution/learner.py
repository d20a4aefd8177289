"""EvolutionLearner: evolves networks for a game, and can be stopped and resumed at any generation."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.games.game import Game
from spielwerk.kernel.random import stream
from spielwerk.learn.evolution.breeding.peak import Peak
from spielwerk.learn.evolution.breeding.population import Population, ranked
from spielwerk.learn.evolution.exams import competition
from spielwerk.learn.evolution.exams.exam import exam
from spielwerk.learn.evolution.exams.grader import Grader
from spielwerk.learn.evolution.exams.grading import RIGHT
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.genome import Genome, packed, unpacked
from spielwerk.learn.evolution.genome.outputs import UNKNOWN
from spielwerk.learn.evolution.history.archive import Archive
from spielwerk.learn.evolution.history.history import History, layers_kept
from spielwerk.learn.evolution.history.recorder import Recorder
from spielwerk.learn.evolution.player import EvolutionPlayer
from spielwerk.learn.evolution.settings import CHAMPIONS, GRADE, MOST_GENERATIONS, Settings
from spielwerk.learn.learner import Learner, Stop, never
from spielwerk.names import BadInput


class EvolutionLearner(Learner):
    """A population of networks that compete, multiply and mutate."""

    kind = "evolution"

    def __init__(self, game: Game, settings: Settings, seed: int = 1) -> None:
        super().__init__(game, settings, seed)
        self.blueprint = Blueprint(game, settings)
        self.blueprint.need_memory()
        asked = exam(game, settings.decisions)
        if asked is None and settings.fitness == GRADE:
            raise BadInput(f"evolution: fitness=grade needs perfect play, which is not known for {game.name}.")
        self.grader = Grader(self.blueprint, asked) if asked else None
        self.rng = stream(seed, f"evolution {game.name}")
        self.population = Population(self.blueprint)
        self.population.begin(self.rng)
        self.archive = Archive()
        self._history = History.empty(1, game, layers_kept(settings))
        self._recorder = Recorder(self.blueprint, self.grader, self._history, seed)
        self._champion = self._best = self.population.genome(0)
        self._peak = Peak()
        pairs = settings.population * (settings.distances + settings.hall)
        rows, genomes = max(settings.population, competition.blocks(pairs)), settings.population + settings.hall
        self._scratch = self.blueprint.scratch(rows, known=asked.reached if asked else None, genomes=genomes)

    def learn(self, episodes: int, stop: Stop = never) -> None:
        """Learns for so many more generations, unless it is asked to stop."""
        end = self.episode + episodes
        while self.episode < end and not stop():
            self._generation()

    def _generation(self) -> None:
        """One generation: its fitness, its champion, and the next one from it."""
        generation, people = self.episode, self.population
        self._history.reserve(generation + 1, self.game)
        people.wire(0, people.count)
        self._scratch.answers.fill(UNKNOWN)
        fitness, merit, turns = self._grades() if self.settings.fitness == GRADE else self._wins(generation)
        best = int(ranked(fitness)[0])
        people.speciate()
        known = {"best_fitness": float(fitness[best]), "mean_fitness": float(fitness.mean()), "turns": turns}
        before, self._champion = self._champion, people.genome(best)
        if self._peak.higher(generation, float(fitness[best])) or self.settings.fitness != GRADE:
            self._best = self._champion
        self._recorder.record(generation, self._champion, before, self.archive, known | people.figures())
        self.archive.add(generation, self._champion)
        if self.settings.patience and self._peak.gives_up(generation, self.settings.patience):
            people.begin(self.rng)
        else:
            people.breed(fitness, merit, self.rng)
            self._return_champions()
        self.episode += 1

    def _return_champions(self) -> None:
        """With best_from=champions, the share of the best is champions spread over all generations so far.

        As long as there are too few of them, the rest is the best of the last generation.
        """
        if self.settings.best_from == CHAMPIONS:
            chosen = self.archive.spread(self.population.kept)
            self.population.seat(0, [self.archive.champions[at] for at in chosen])

    def _wins(self, generation: int) -> tuple[np.ndarray, np.ndarray, float]:
        """The share of games that each genome wins, which is also its merit, and the turns of a game."""
        people, count = self.population, self.population.count
        pairs = competition.circle(count, self.settings.distances, self.rng)
        guests = [self.archive.champions[at] for at in self.archive.spread(self.settings.hall)]
        if guests:
            people.seat(count, guests)
            pairs = np.concatenate((pairs, _everybody(count, len(guests))))
        key = self.seed, f"evolution games {generation}"
        outcome = competition.meet(people, pairs, key, self._scratch, self.threads)
        points = outcome.points(count)
        return points, points, outcome.turns

    def _grades(self) -> tuple[np.ndarray, np.ndarray, float]:
        """The grade of each genome, and its merit as a parent; no games are played for it."""
        assert self.grader is not None
        people = self.population
        marks = self.grader.marks(people.networks, self._scratch, people.count, self.threads)
        grades = self.grader.means(marks)[:, RIGHT]
        return grades, shared(marks[:, :, RIGHT]) if self.settings.rarity else grades, np.nan

    def champion(self) -> Genome:
        """The best genome of the last generation; by grade, which does not depend on others, of all so far."""
        return self._best

    @property
    def history(self) -> History:
        """What was recorded of the generations that are done."""
        return self._history.first(self.episode)

    def agent(self) -> Agent:
        """An agent that plays as the champion does."""
        return EvolutionPlayer(self.game, self.blueprint, self._best)

    def figures(self) -> dict[str, float]:
        """What was recorded of the last generation."""
        if not self.episode:
            return {}
        last = dict(zip(History.columns, self._history.rows[self.episode - 1].tolist(), strict=True))
        return {name: value for name, value in last.items() if not np.isnan(value)}

    def weights(self) -> dict[str, np.ndarray]:
        """The champions: the one that plays, and that of the last generation."""
        return packed("champion", [self._best, self._champion])

    def state(self) -> dict[str, np.ndarray]:
        """The population, earlier champions, the models of species, the history and the random stream."""
        people, kept = self.population, self.archive.champions
        genomes = packed("population", people.all())
        genomes |= {**packed("archive", list(kept.values())), **packed("models", people.all_models())}
        about = {"archive_generations": np.array(list(kept), np.int64), "stride": np.array([self.archive.stride])}
        state = {"rng": self.rng, "episode": np.array([self.episode]), "peak": self._peak.array()}
        return {**genomes, **about, **state, **self._history.arrays(self.episode)}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes back to where `arrays` were taken."""
        ends = self.blueprint.inputs, self.blueprint.outputs
        found = {name: unpacked(name, arrays, *ends) for name in ("population", "champion", "archive", "models")}
        everything = [genome for genomes in found.values() for genome in genomes]
        counts = len(found["population"]), len(found["champion"])
        wrong = BadInput(f"The checkpoint does not fit evolution of {self.game.name} with these settings.")
        many = len(found["models"]) > len(self.population.models.sizes)
        if counts != (self.population.count, 2) or many or not all(map(self._fits, everything)):
            raise wrong
        try:
            rng, episode, stride = (arrays[name] for name in ("rng", "episode", "stride"))
            kinds = [(array.shape, array.dtype) for array in (rng, episode, stride)]
            if kinds != [((1,), np.uint64), ((1,), np.int64), ((1,), np.int64)] or rng[0] == 0:
                raise wrong
            done = int(episode[0])
            if not 0 <= done <= MOST_GENERATIONS:
                raise wrong
            peak = Peak.of(arrays["peak"], done)
            archive = Archive.of(arrays["archive_generations"], found["archive"], int(stride[0]), done)
        except (KeyError, TypeError, ValueError):
            raise wrong from None
        self._history.restore(arrays, done, self.game)
        self.population.restore(found["population"], found["models"])
        (self._best, self._champion), self._peak = found["champion"], peak
        self.archive, self.episode = archive, done
        self.rng[...] = rng

    def _fits(self, genome: Genome) -> bool:
        """Whether there is room for a genome."""
        return len(genome.nodes) <= self.blueprint.most_nodes and len(genome.edges) <= self.blueprint.most_edges


def _everybody(count: int, guests: int) -> np.ndarray:
    """Pairings of each of so many genomes with each of the guests in the rows behind them; [n, 2]."""
    return np.column_stack((np.repeat(np.arange(count), guests), np.tile(count + np.arange(guests), count)))


def shared(right: np.ndarray) -> np.ndarray:
    """Each question is worth the same, shared by all genomes that are right; [genomes] from [genomes, questions]."""
    return right @ (1 / np.maximum(np.count_nonzero(right, axis=0), 1))
