"""Reviews: a stored game is judged turn by turn in a thread of its own; the page asks how far it has come."""

from __future__ import annotations

import asyncio
import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from spielwerk.api.judges import usual_judge
from spielwerk.api.review import review
from spielwerk.api.truth import ValuedMove, answer
from spielwerk.arena.records.lessons import Lesson, Lessons
from spielwerk.arena.records.record import Record
from spielwerk.arena.records.retrace import decisions
from spielwerk.arena.reviewing.judge import ORACLE
from spielwerk.arena.reviewing.review import BAD, BEST, Review
from spielwerk.arena.sitting import HUMAN
from spielwerk.names import BadInput
from spielwerk.search.stop import Stop
from spielwerk.web import limits
from spielwerk.web.play.table_view import move_facts
from spielwerk.web.review_view import review_facts
from spielwerk.web.searches import Searches

STOPPED = "The review was stopped."
KEPT = 64  # reviews that stay in memory


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
    shown: dict[str, Any] | None = None  # the result, for the page
    problem: str = ""
    stop: Stop = field(default_factory=Stop)
    learned: bool = False
    lessons: list[int] = field(default_factory=list)  # that came of it

    @property
    def open(self) -> bool:
        """Whether it is still being worked on."""
        return self.result is None and not self.problem

    def facts(self) -> dict[str, Any]:
        """For the page."""
        facts = {"review": self.number, "game": self.game, "turns": self.turns, "done": self.done}
        return facts | {"problem": self.problem, "lessons": self.lessons, "result": self.shown}


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
        name = limits.bounded_agent(judge or usual_judge(game), game)
        job = Job(next(self._numbers), number, len(record.turns))
        self._jobs[job.number] = job
        for old in list(self._jobs)[:-KEPT]:
            self._jobs.pop(old).stop.set()
        self._thread.submit(_work, job, record, name, luck)
        return job

    def job(self, number: int) -> Job:
        """One of them; BadInput if there is none."""
        if number not in self._jobs:
            raise BadInput(f"There is no review {number}; begin one.")
        return self._jobs[number]

    def close(self) -> None:
        """Waits for nobody."""
        for job in self._jobs.values():
            job.stop.set()
        self._thread.shutdown(wait=False, cancel_futures=True)


def learn(lessons: Lessons, record: Record, found: Review) -> list[int]:
    """The mistakes of people become lessons."""
    numbers = []
    for (here, _, _), turn in zip(decisions(record), found.turns, strict=True):
        if turn.verdict in BAD and turn.better and record.agents[turn.player] == HUMAN:
            about = (turn.move, turn.better, turn.by, turn.regret or 0.0)
            numbers.append(lessons.learn(record.game, str(here), *about))
    return numbers


async def answered(searches: Searches, lesson: Lesson, move: str) -> tuple[bool, str]:
    """Whether a move is a good answer to a lesson, and how the judge calls it."""
    game = limits.bounded_game(lesson.game)
    position = game.parse(lesson.position)
    if await asyncio.to_thread(lambda: position.play(move) == position.play(lesson.better)):
        return True, BEST
    name = usual_judge(game) if lesson.judge == ORACLE else lesson.judge
    judge = limits.bounded_agent(name, game)
    return await searches.judged(judge, game, lambda judge: answer(position, move, judge))


def solution(lesson: Lesson) -> list[list[Any]]:
    """The better move of a lesson, to be drawn."""
    turns = limits.bounded_game(lesson.game).parse(lesson.position).turns()
    best = next((turn for turn in turns if turn.text == lesson.better), None)
    return [move_facts(ValuedMove(lesson.better, None, 0.0, BEST), best)]


def _work(job: Job, record: Record, judge: str, luck: bool) -> None:
    def progress(done: int) -> None:
        job.done = done
        if job.stop.is_set:
            raise Cancelled

    try:
        found = review(record, judge, luck=luck, callback=progress, stop=job.stop)
        job.shown = review_facts(record, found)
        job.result = found
    except Cancelled:
        job.problem = STOPPED
    except BadInput as problem:
        job.problem = STOPPED if job.stop.is_set else str(problem)
    except Exception as problem:  # a fault of ours, or of another package, must not end the thread in silence
        job.problem = f"The review failed: {problem!r}."
