"""Lessons: positions in which a person went wrong, which come again until they are known.

A lesson that is answered well comes again later and later, one that is not soon: a box for each interval.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from spielwerk.arena.records.store import Store
from spielwerk.data import is_number, is_whole
from spielwerk.names import BadInput

MINUTE, DAY = 60.0, 86400.0
WAITS = (10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 21 * DAY, 60 * DAY)  # after which a lesson of each box comes again
COLUMNS = "number, game, position, played, better, judge, regret, box, due"
MOST = 1000  # lessons of a list


class Lesson(NamedTuple):
    """A position to be played better, and when it is due."""

    number: int
    game: str
    position: str
    played: str  # what was played in its place
    better: str
    judge: str
    regret: float
    box: int
    due: float  # in seconds since 1970


class Lessons(Store):
    """The table of lessons."""

    def learn(self, game: str, position: str, played: str, better: str, judge: str, regret: float) -> int:
        """A lesson that is due at once; one that is known already stays as it is."""
        values = (game, position, played, better, judge, regret, time.time())
        with self.transaction():
            self._connection.execute(
                "INSERT OR IGNORE INTO lesson (game, position, played, better, judge, regret, box, due)"
                " VALUES (?, ?, ?, ?, ?, ?, 0, ?)",
                values,
            )
        return self._rows("SELECT number FROM lesson WHERE game = ? AND position = ?", game, position)[0][0]

    def lessons(self, due: bool = True) -> list[Lesson]:
        """Those that are due, or all, the most urgent first."""
        latest = time.time() if due else float("inf")
        rows = self._rows(f"SELECT {COLUMNS} FROM lesson WHERE due <= ? ORDER BY due, number LIMIT {MOST}", latest)
        return [lesson for row in rows if _sound(lesson := Lesson(*row))]

    def lesson(self, number: int) -> Lesson:
        """One of them; BadInput if there is none."""
        self._exists("lesson", number)
        found = Lesson(*self._rows(f"SELECT {COLUMNS} FROM lesson WHERE number = ?", number)[0])
        if not _sound(found):
            raise BadInput(f"Lesson {number} of the store is damaged.")
        return found

    def answered(self, number: int, well: bool) -> Lesson:
        """A good answer moves a lesson that is due to the next box, another one back to the first.

        Before it is due, a good answer is practice: whoever has just been told knows it now, not yet tomorrow.
        """
        lesson = self.lesson(number)
        if well and lesson.due > time.time():
            return lesson
        box = min(lesson.box + 1, len(WAITS) - 1) if well else 0
        due = time.time() + WAITS[box]
        with self.transaction():
            self._connection.execute("UPDATE lesson SET box = ?, due = ? WHERE number = ?", (box, due, number))
        return lesson._replace(box=box, due=due)


def _sound(lesson: Lesson) -> bool:
    texts = (lesson.game, lesson.position, lesson.played, lesson.better, lesson.judge)
    numbers = is_number(lesson.regret) and is_number(lesson.due) and is_whole(lesson.box, 0, len(WAITS) - 1)
    return numbers and all(isinstance(text, str) for text in texts)
