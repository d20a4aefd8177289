"""Reviews: a stored game is judged turn by turn in a thread of its own; the page asks how far it has come."""

from __future__ import annotations

import asyncio
import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from spielwerk.agents.registry import agent as agent_of
from spielwerk.api.review import JUDGE, known, review
from spielwerk.api.truth import answer
from spielwerk.arena.records.lessons import Lesson, Lessons
from spielwerk.arena.records.record import Record
from spielwerk.arena.records.retrace import positions
from spielwerk.arena.reviewing.judge import Judge
from spielwerk.arena.reviewing.review import BAD, Review
from spielwerk.arena.sitting import HUMAN
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput
from spielwerk.web import limits

KEPT = 64  # reviews that stay in memory
USUAL = {"backgammon": "pubeval"}  # a search of every roll would take minutes


class Cancelled(Exception):
    """The review is no longer wanted."""


@dataclass
class Job:
    """A review in progress, or done."""

    number: int
    game: int  # its number in the store
    turns: int
    done: int = 0
    result: Review | None = None
    problem: str = ""
    cancelled: bool = False
    learned: bool = False
    lessons: list[int] = field(default_factory=list)  # that came of it

    @property
    def open(self) -> bool:
        """Whether it is still being worked on."""
        return self.result is None and not self.problem

    def facts(self) -> dict[str, Any]:
        """For the page."""
        facts = {"review": self.number, "game": self.game, "turns": self.turns, "done": self.done}
        found = self.result.facts() if self.result else None
        return facts | {"problem": self.problem, "lessons": self.lessons, "result": found}


class Reviews:
    """The reviews of a server, one after the other."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "review")
        self._jobs: dict[int, Job] = {}
        self._numbers = itertools.count(1)

    def begin(self, number: int, record: Record, judge: str, luck: bool) -> Job:
        """Begins to review a stored game."""
        if sum(job.open for job in self._jobs.values()) >= limits.MOST_REVIEWS:
            raise BadInput("The server is reviewing other games; try again in a moment.")
        game = limits.bounded_game(record.game)
        name = limits.bounded_agent(judge or USUAL.get(game.kind, JUDGE), game)
        job = Job(next(self._numbers), number, len(record.turns))
        self._jobs[job.number] = job
        for old in list(self._jobs)[:-KEPT]:
            self._jobs.pop(old).cancelled = True
        self._thread.submit(_work, job, record, name, luck)
        return job

    def job(self, number: int) -> Job:
        """One of them; BadInput if there is none."""
        if number not in self._jobs:
            raise BadInput(f"There is no review {number}; begin one.")
        return self._jobs[number]

    async def answered(self, lesson: Lesson, move: str) -> tuple[bool, str]:
        """Whether a move is a good answer to a lesson, and how the judge calls it."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, _answer, lesson, move)

    def close(self) -> None:
        """Waits for nobody."""
        for job in self._jobs.values():
            job.cancelled = True
        self._thread.shutdown(wait=False, cancel_futures=True)


def learn(lessons: Lessons, record: Record, found: Review) -> list[int]:
    """The mistakes of people become lessons."""
    numbers, before = [], record.begin()
    for (line, after), turn in zip(positions(record), found.turns, strict=True):
        here = before.roll(line.roll) if before.chance and line.roll is not None else before
        if turn.verdict in BAD and turn.better and record.agents[turn.player] == HUMAN:
            about = (turn.move, turn.better, turn.by, turn.regret or 0.0)
            numbers.append(lessons.learn(record.game, str(here), *about))
        before = after
    return numbers


def _work(job: Job, record: Record, judge: str, luck: bool) -> None:
    def progress(done: int) -> None:
        job.done = done
        if job.cancelled:
            raise Cancelled

    try:
        job.result = review(record, judge, luck=luck, callback=progress)
    except BadInput as problem:
        job.problem = str(problem)
    except Cancelled:
        job.problem = "The review was stopped."
    except Exception as problem:  # a fault of ours, or of another package, must not end the thread in silence
        job.problem = f"The review failed: {problem!r}."


def _answer(lesson: Lesson, move: str) -> tuple[bool, str]:
    game = game_of(lesson.game)
    position = game.parse(lesson.position)
    if position.play(move) == position.play(lesson.better):
        return True, "best"
    name = limits.bounded_agent(USUAL.get(game.kind, JUDGE) if lesson.judge == "oracle" else lesson.judge, game)
    thinker = agent_of(name, game)
    try:
        return answer(position, move, Judge(known(game), thinker))
    finally:
        thinker.close()
