"""Exams: decisions whose truth is known, in arrays, so that whole populations are graded in compiled code.

A decision is right by the published rule: the move keeps a won position won (a drawn one drawn), and in a lost one
delays the end as long as possible. Decisions with nothing to choose are left out. Where dice decide, a move of the
highest expectation is right.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from spielwerk.arena.grading.examination import examination, public_file, quick_oracle
from spielwerk.arena.grading.judged import Question, Worth
from spielwerk.arena.grading.questions import open_question, question
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.solvers.oracle import Oracle

STARTS = 200  # that are looked at where they are drawn
FEW = 50  # different ones, of which so many draws find all
MORE = 20  # positions for each decision that are looked at before it is given up
SEED = 6_000_000  # of positions drawn; not one that examinations of agents are likely to have


@dataclass(frozen=True, eq=False)
class Exam:
    """Questions, and for each way of ending the turn whether it is right and what it loses."""

    questions: tuple[Question, ...]
    complete: bool  # whether these are all decisions that the game can come to
    reached: np.ndarray  # [positions, WORDS]: then, all positions in which somebody is to act

    @functools.cached_property
    def first(self) -> np.ndarray:
        """Where the options of each question begin; [questions + 1]."""
        return np.cumsum([0, *(len(one.worths) for one in self.questions)])

    @functools.cached_property
    def ends(self) -> np.ndarray:
        """Where each option leads; [options, WORDS]."""
        return np.array([words for one in self.questions for words in one.worths], np.int64)

    @functools.cached_property
    def marks(self) -> np.ndarray:
        """Whether each option is right, and what it loses; float64 [options, 2]."""
        return np.array([mark for one in self.questions for mark in _marks(list(one.worths.values()))])

    @functools.cached_property
    def states(self) -> np.ndarray:
        """The positions; [questions, WORDS]."""
        return np.array([one.position.state for one in self.questions], np.int64)

    @functools.cached_property
    def actions(self) -> np.ndarray | None:
        """The action of each option; None where a turn has several."""
        turns = [{turn.end.words: turn.steps for turn in one.position.turns()} for one in self.questions]
        steps = [found[words] for found, one in zip(turns, self.questions, strict=True) for words in one.worths]
        return np.array([step[0][1] for step in steps], np.int64) if all(len(step) == 1 for step in steps) else None

    @functools.cached_property
    def best(self) -> np.ndarray:
        """The first option of each question that is as good as any, also in how soon it wins; [questions]."""
        places = [[worth.place for worth in one.worths.values()] for one in self.questions]
        return self.first[:-1] + np.array([int(np.argmax(row)) for row in places], np.int64)


@functools.lru_cache(maxsize=16)
def exam(game: Game, decisions: int) -> Exam | None:
    """All decisions of a game, or up to so many of them; None where nobody knows the truth without long work."""
    known = quick_oracle(game)
    if known is None:
        return None
    if known.complete and (_listed(game) or len(set(_starts(game))) <= FEW):
        found = _all(known, decisions)
        if found is not None:
            return found
    source = "public" if public_file(game) else "random"
    drawn = {one.position: one for one in examination(known, [source], decisions, SEED).questions}
    return Exam(tuple(drawn.values()), False, np.zeros((0, game.constants["WORDS"]), np.int64))


def _all(known: Oracle, most: int) -> Exam | None:
    """The decisions of all positions that can be reached; None where there are more than `most`."""
    found: list[Question] = []
    met: set[Position] = set()
    reached: list[np.ndarray] = []
    starts, waiting = _starts(known.game), list[Position]()
    while waiting or (waiting := list(itertools.islice(starts, 1))):
        here = waiting.pop()
        if here in met:
            continue
        met.add(here)
        if len(found) > most or len(met) > MORE * most:
            return None
        waiting += _after(here)
        if here.over or here.chance:
            continue
        reached.append(here.state)
        asked = question(known, here, "")
        if asked is not None and open_question(asked):
            found.append(asked)
    return Exam(tuple(found), True, np.array(reached, np.int64))


def _after(position: Position) -> Iterable[Position]:
    """The positions that can follow."""
    if position.over:
        return []
    if position.chance:
        return [position.roll(outcome) for outcome, _ in position.outcomes()]
    return [turn.end for turn in position.turns()]


def _starts(game: Game) -> Iterator[Position]:
    """All starts: those that the game lists, or as far as a few hundred draws find them."""
    return game.starts() if _listed(game) else iter(dict.fromkeys(game.start(seed) for seed in range(STARTS)))


def _listed(game: Game) -> bool:
    """Whether the game lists its starts."""
    return next(game.starts(), None) is not None


def _marks(worths: list[Worth]) -> Iterator[tuple[float, float]]:
    """Whether each option is right, and what it loses."""
    best, place = max(worth.score for worth in worths), max(worth.place for worth in worths)
    for worth in worths:
        right = worth.score == best and (best >= 0 or worth.place == place)
        yield float(right), best - worth.score
