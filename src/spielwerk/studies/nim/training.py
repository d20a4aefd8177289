"""Measurements by evolution: a population that evolves until its champion is perfect, or to the end."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from spielwerk import names
from spielwerk.games.registry import game
from spielwerk.learn.evolution.history.history import History
from spielwerk.learn.evolution.learner import EvolutionLearner
from spielwerk.learn.evolution.settings import WINS, Settings
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.nim import recorded
from spielwerk.studies.nim.recorded import PERFECT

PATIENCE = 0.5  # seconds of evolution between two looks at whether the study is to end
GAMES, POSITIONS = "grade", "positions"  # perfect is: in games against perfect play, or wherever a game can come to
SOURCES = "points"  # the source's grade: points for all moves, in games against earlier champions
SOURCES_PERFECT = "perfect_points"  # and in games against perfect play
LATE = 100  # generations at the end
POINTS = 60  # of a curve
SIZES = ("champion_hidden", "champion_edges", "hidden_layers", "layer_nodes")
CURVES = (GAMES, POSITIONS, SOURCES, SOURCES_PERFECT, "wins", "turns", *SIZES)
RECORD = 2  # what is kept of a population; another number where older results lack something


def evolve_job(
    name: str, settings: Mapping[str, Any], seed: int, generations: int, measure: str, stop: bool, seconds: float
) -> Job:
    """One population of so many generations; with `stop` it ends as soon as its champion is perfect by `measure`."""
    given = {"game": name, "settings": dict(settings, generations=generations), "seed": seed}
    return Job("nim.training:evolve", given | {"measure": measure, "stop": stop, "record": RECORD}, seconds)


def evolve(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """When the champion is perfect, for how long it stays so, and the course of everything that is recorded."""
    learner = made(given)
    begun = time.perf_counter()
    learn(learner, callback, given["measure"] if given["stop"] else "")
    spent = time.perf_counter() - begun
    history, done, champion = learner.history, learner.episode, learner.champion()
    marks = history.column(given["measure"])[:done]
    late = marks[-LATE:]
    return {
        **when(marks),
        **{"generations": done, "held": float(np.mean(late >= PERFECT)), "level": float(late.mean())},
        **{"top": float(marks.max()), "last": {name: float(history.column(name)[done - 1]) for name in LASTING}},
        **{"points": points(learner.settings.generations, done), "curves": courses(history, learner.settings, done)},
        **{"late": {name: _mean(history.column(name)[:done][-LATE:]) for name in CURVES}},
        **{"spikes": {name: recorded.spikes(history.column(name)[:done]) for name in (GAMES, SOURCES_PERFECT)}},
        **_in_words(learner),
        **{"layers": champion.layer_sizes, "games": games(learner.settings, done), "seconds": round(spent, 2)},
    }


def _in_words(learner: EvolutionLearner) -> Result:
    """Whole games, and the largest take of late champions; nothing of games other than nim."""
    if learner.game.kind != "nim":
        return {"shown": [], "taken": None}
    history, stacks = learner.history, learner.game.constants["STACKS"]
    taken = recorded.largest_take(history, stacks, max(0, learner.episode - LATE))
    return {"shown": recorded.shown(history, stacks), "taken": taken}


LASTING = (POSITIONS, "regret", "champion_hidden", "champion_edges")  # figures of the last champion


def made(given: Mapping[str, Any]) -> EvolutionLearner:
    """The learner of a job."""
    settings = names.settings(Settings, "evolution", dict(given["settings"]))
    return EvolutionLearner(game(given["game"]), settings, given["seed"])


def learn(learner: EvolutionLearner, callback: JobProgress, until: str = "") -> None:
    """Generation by generation to the end, or until the champion is perfect by a figure."""
    looked = time.perf_counter()
    while learner.episode < learner.settings.generations:
        learner.learn(1)
        if until and learner.history.column(until)[learner.episode - 1] >= PERFECT:
            break
        if time.perf_counter() - looked > PATIENCE:
            looked = time.perf_counter()
            callback(learner.episode / learner.settings.generations)


def when(marks: np.ndarray) -> dict[str, int | None]:
    """The first generation with a perfect champion, and the first of so many in a row; None where there is none."""
    places = np.flatnonzero(marks >= PERFECT)
    return {"perfect": int(places[0]) if len(places) else None, "steady": recorded.steady(marks)}


def points(generations: int, done: int) -> list[int]:
    """Numbers of generations, evenly spread on a logarithmic scale; the last one that was reached is `done`."""
    spread = np.unique(np.geomspace(1, generations, POINTS).round().astype(int)).tolist()
    before = [point for point in spread if point < done]
    return [*before, done]


def courses(history: History, settings: Settings, done: int) -> dict[str, list[float | None]]:
    """Each figure at each point: its mean over the generations since the point before."""
    ends = points(settings.generations, done)
    return {name: [_mean(part) for part in _parts(history.column(name), ends)] for name in CURVES}


def _parts(column: np.ndarray, ends: Sequence[int]) -> list[np.ndarray]:
    return [column[begin:end] for begin, end in zip([0, *ends[:-1]], ends, strict=True)]


def _mean(part: np.ndarray) -> float | None:
    known = part[~np.isnan(part)]
    return float(known.mean()) if len(known) else None


def games(settings: Settings, generations: int) -> int:
    """The games of the competition in so many generations; those that only measure the champion are not counted.

    In an even population each distance of the circle but the opposite one makes as many pairs as there are genomes.
    """
    if settings.fitness != WINS:
        return 0
    size, hall = settings.population, settings.hall
    circle = settings.distances * (size - 1 if size % 2 == 0 else size)  # on average over the distances drawn
    guests = sum(min(hall, generation) for generation in range(min(generations, hall)))
    return 2 * (generations * circle + size * (guests + hall * max(generations - hall, 0)))
