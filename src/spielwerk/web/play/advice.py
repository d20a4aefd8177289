"""Advice: what is thought about a table for those who look at it, beside the game: the judge, and hints.

Nobody waits for it: as soon as the game goes on, what is still being thought is given up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from spielwerk.api.judges import usual_judge
from spielwerk.api.truth import truth
from spielwerk.data import json_text
from spielwerk.names import BadInput
from spielwerk.web import limits
from spielwerk.web.play.table_view import hint_facts, truth_facts

if TYPE_CHECKING:
    from spielwerk.web.play.table import Table

T = TypeVar("T")


class Viewer(Protocol):
    """A browser at a table."""

    keys: list[str]
    judge: str  # the agent that judges for it; empty: hidden
    sides: tuple[int, ...]  # the teams at whose turns it wants to see the judge; none: at all

    def send(self, text: str) -> None:
        """Sends a message soon."""


class Advice:
    """The judge and the hints of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._judging: dict[str, asyncio.Task[None]] = {}  # by judge
        self._hinting: dict[Viewer, asyncio.Task[None]] = {}

    async def judge(self, viewer: Viewer, on: bool, sides: list[int], agent: str) -> None:
        """Shows the judge to a browser, or no more."""
        viewer.judge = (await aside(lambda: self._name(agent))) if on else ""
        viewer.sides = tuple(sides)
        self._judge_for_viewers()

    async def hint(self, viewer: Viewer, agent: str) -> None:
        """Looks for a hint."""
        if not self._due:
            raise BadInput("There is no move to think about.")
        judge = await aside(lambda: self._name(agent))
        self.leave(viewer)
        self._hinting[viewer] = asyncio.create_task(self._hint(viewer, judge))

    def changed(self) -> None:
        """The game has gone on."""
        for viewer in list(self._hinting):
            self.leave(viewer)
        self._judge_for_viewers()

    def leave(self, viewer: Viewer) -> None:
        """A browser needs no hint any more."""
        if task := self._hinting.pop(viewer, None):
            task.cancel()

    def close(self) -> None:
        """Gives everything up."""
        for task in (*self._judging.values(), *self._hinting.values()):
            task.cancel()

    @property
    def _due(self) -> bool:
        """Whether there is a move to think about."""
        return not self.table.sitting.ended and self.table.sitting.position.mover >= 0

    def _name(self, agent: str) -> str:
        game = self.table.sitting.position.game
        return limits.bounded_agent(agent or usual_judge(game), game)

    def _judge_for_viewers(self) -> None:
        """Judges the position for those who want to see it, once for each judge."""
        for task in self._judging.values():
            task.cancel()
        wanted = {viewer.judge for viewer in self._shown_to()}
        self._judging = {judge: asyncio.create_task(self._say_truth(judge)) for judge in wanted}

    def _shown_to(self) -> list[Viewer]:
        """Those who want to see the judge at this turn."""
        if not self._due:
            return []
        position = self.table.sitting.position
        side = position.game.constants["TEAM"][position.mover]
        return [one for one in self.table.viewers if one.judge and (not one.sides or side in one.sides)]

    async def _say_truth(self, judge: str) -> None:
        position, version = self.table.sitting.position, self.table.version
        try:
            found = await self.table.searches.judged(judge, position.game, lambda judge: truth(position, judge))
            text = await aside(lambda: json_text(truth_facts(position, found, version)))
        except BadInput as problem:
            text = json_text({"type": "error", "text": str(problem)})
        for viewer in self._shown_to():
            if viewer.judge == judge:
                viewer.send(text)

    async def _hint(self, viewer: Viewer, judge: str) -> None:
        position, version = self.table.sitting.position, self.table.version
        try:
            found = await self.table.searches.judged(judge, position.game, lambda judge: truth(position, judge))
            text = await aside(lambda: json_text(hint_facts(position, found, version)))
        except BadInput as problem:
            text = json_text({"type": "error", "text": str(problem), "version": version})
        viewer.send(text)


async def aside(work: Callable[[], T]) -> T:
    """Does something that may take a moment beside the event loop."""
    return await asyncio.to_thread(work)
