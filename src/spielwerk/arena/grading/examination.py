"""Examinations: decisions whose truth is known, prepared once and put to any number of agents."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.arena.agent import Agent
from spielwerk.arena.grading.grade import Grade, answers, grade, parts
from spielwerk.arena.grading.judged import Question, questions
from spielwerk.arena.grading.phases import in_order
from spielwerk.arena.grading.questions import open_question, question
from spielwerk.arena.grading.sampling import Decision, from_own_play, from_random_play
from spielwerk.games.game import Game
from spielwerk.games.parts import part
from spielwerk.names import BadInput, unknown
from spielwerk.solvers.oracle import Oracle, oracle

SOURCES = {"own": "own games", "random": "random play", "public": "public set"}
# The public set of a game is a file that it names, or decisions of random games; another seed makes another set.
PUBLIC_SEED = 1
# Decisions of one game resemble each other. Few are taken from each random game, since those cost little.
PER_GAME = {"own": 8, "random": 2, "public": 2}
GAMES = 8  # that are played at most for each decision that is asked for
PATIENCE = {"own": 32, "random": 40, "public": 40}  # games without a decision that is known, before it is given up

ExamProgress = Callable[[int], None]  # called with how many questions are ready, or answered


def _nobody(done: int) -> None:
    pass


@dataclass(frozen=True)
class ExamReport:
    """The grade of an agent, split by phase of the game and by source of the positions."""

    whole: Grade
    phases: Mapping[str, Grade]
    sources: Mapping[str, Grade]
    known: float  # the share of decisions that the oracle knew; the others were passed over

    def groups(self) -> list[list[tuple[str, Grade]]]:
        """What people are shown, line by line: all, the phases and the sources, each where there are several."""
        sources = {SOURCES.get(source, source): part for source, part in self.sources.items()}
        splits = [list(split.items()) for split in (self.phases, sources) if len(split) > 1]
        return [[("all", self.whole)], *splits]

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        facts = {**self.whole.facts(), "known": self.known}
        for name, split in (("phases", self.phases), ("sources", self.sources)):
            facts[name] = {label: part.facts() for label, part in split.items()}
        return facts


@dataclass(frozen=True)
class Examination:
    """Questions to agents. `examine` can be called again and again, such as while an agent learns."""

    questions: tuple[Question, ...]
    sources: tuple[str, ...]  # where each comes from
    games: np.ndarray  # the number of the game in which each occurred; [questions]
    tried: tuple[bool, ...]  # whether the oracle knew each of the decisions that it was asked about

    def examine(self, agent: Agent, seed: int = 1, callback: ExamProgress = _nobody) -> ExamReport:
        """Puts every question to the agent."""
        ends = answers(agent, self.questions, seed, callback)

        def split(labels: Sequence[str]) -> dict[str, Grade]:
            return {label: self._part(ends, chosen) for label, chosen in parts(labels)}

        whole, phases = self._part(ends, range(len(ends))), split([one.phase for one in self.questions])
        return ExamReport(
            whole,
            in_order(phases, self.questions[0].position.game),
            split(self.sources),
            sum(self.tried) / max(len(self.tried), 1),
        )

    def _part(self, ends: Sequence[tuple[int, ...]], chosen: Sequence[int]) -> Grade:
        return grade([self.questions[i] for i in chosen], [ends[i] for i in chosen], self.games[list(chosen)])


def examination(
    oracle: Oracle,
    sources: Sequence[str] = ("random", "public"),
    decisions: int = 2000,
    seed: int = 1,
    agent: Agent | None = None,
    callback: ExamProgress = _nobody,
) -> Examination:
    """Decisions from each source in equal parts, as far as the oracle knows them.

    "random" are games played at random, "public" is a set that is the same for everybody, whatever the seed; "own" are
    games that the agent plays against itself, and needs the agent.
    """
    exams: list[Examination] = []
    for i, source in enumerate(sources):
        count = decisions * (i + 1) // len(sources) - decisions * i // len(sources)
        done = sum(len(exam.questions) for exam in exams)
        exams.append(_from(oracle, source, count, seed, agent, lambda more, done=done: callback(done + more)))
    joined = _joined(exams)
    if not joined.questions:
        raise BadInput(
            f"The oracle of {oracle.game.name} knows {oracle.limits()}; no decision was found that it knows."
        )
    return joined


def judged_examination(asked: Sequence[Question], source: str = "judged") -> Examination:
    """Questions of a file of judged positions (see `arena/grading/judged.py`), none of which has to do with another."""
    return Examination(tuple(asked), (source,) * len(asked), np.arange(len(asked)), (True,) * len(asked))


def _from(
    oracle: Oracle, source: str, count: int, seed: int, agent: Agent | None, callback: ExamProgress
) -> Examination:
    """The examination of one source."""
    game = oracle.game
    if source == "public" and (path := public_file(game)):
        return judged_examination([read() for read in questions(game, path, count)], source)
    return _known(oracle, source, count, _games(game, source, seed, agent, GAMES * count), callback)


def public_file(game: Game) -> Path | None:
    """The file with the public set of a game; None where there is none."""
    name, settings = game.public_set
    for key in settings:
        if not hasattr(game.settings, key):
            known = [field.name for field in fields(game.settings)]
            raise unknown(f"The public set of {game.kind} names an unknown setting,", key, known, "Settings")
    if not name or any(getattr(game.settings, key) != value for key, value in settings.items()):
        return None
    package, _, file = name.partition(":")
    return Path(part(game.kind, "public set", package, "__path__")[0]) / file


def quick_oracle(game: Game) -> Oracle | None:
    """The oracle where it grades without long work, since it knows all or there is a public set; None elsewhere."""
    try:
        known = oracle(game)
    except BadInput:
        return None
    return known if known.complete or public_file(game) else None


def _games(game: Game, source: str, seed: int, agent: Agent | None, most: int) -> Iterator[Iterator[Decision]]:
    """The decisions of each game of a source."""
    if source == "own" and agent is not None:
        return from_own_play(agent, seed, most)
    if source == "random":
        return from_random_play(game, seed, "grade random", most)
    if source == "public":
        return from_random_play(game, PUBLIC_SEED, "grade public", most)
    raise unknown("There is no source of positions", source, SOURCES, "Sources")


def _known(
    oracle: Oracle, source: str, count: int, games: Iterator[Iterator[Decision]], callback: ExamProgress
) -> Examination:
    """Decisions that the oracle knows; fewer than `count` where it knows hardly any."""
    asked: list[Question] = []
    numbers: list[int] = []
    tried: list[bool] = []
    for number, decisions in enumerate(games):
        if len(asked) == count or number >= PATIENCE[source] * (1 + len(asked)):
            break
        found = _of_one_game(oracle, decisions, PER_GAME[source], tried)[: count - len(asked)]
        asked += found
        numbers += [number] * len(found)
        callback(len(asked))
    return Examination(tuple(asked), (source,) * len(asked), np.array(numbers, np.int64), tuple(tried))


def _of_one_game(oracle: Oracle, decisions: Iterator[Decision], most: int, tried: list[bool]) -> list[Question]:
    """Up to `most` decisions of a game that the oracle knows; so many of the first ones are noted in `tried`."""
    found: list[Question] = []
    for i, decision in enumerate(decisions):
        asked = question(oracle, decision.position, decision.phase)
        if asked is not None and not open_question(asked):
            continue
        if asked is not None:
            found.append(asked)
        if i < most:
            tried.append(asked is not None)
        if len(found) == most:
            break
    return found


def _joined(exams: Sequence[Examination]) -> Examination:
    """All questions, with games numbered on, since those of two sources have nothing to do with each other."""
    most = [int(exam.games.max(initial=-1)) + 1 for exam in exams]
    games = [exam.games + before for exam, before in zip(exams, itertools.accumulate(most, initial=0), strict=False)]
    return Examination(
        tuple(itertools.chain.from_iterable(exam.questions for exam in exams)),
        tuple(itertools.chain.from_iterable(exam.sources for exam in exams)),
        np.concatenate(games),
        tuple(itertools.chain.from_iterable(exam.tried for exam in exams)),
    )
