"""Following: what happens in the laboratory, told to all who follow it. Each topic is looked at once for all of them.

Jobs are processes of their own, which write files: there the server looks, again and again while somebody follows.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Protocol

from spielwerk.arena.records.schema import StoreProblem
from spielwerk.data import json_text
from spielwerk.names import BadInput
from spielwerk.web.laboratory.jobs import Jobs
from spielwerk.web.laboratory.topics import facts_of

MOST_TOPICS = 100  # that a server looks at
AGAIN = 1.0  # seconds between two looks, or more:
SHARE = 0.2  # of a core that one topic may cost
AT_ONCE = 2  # topics that are read


class Follower(Protocol):
    """A browser that follows topics."""

    def tell(self, topic: str, text: str) -> None:
        """Sends what is new soon."""


class Topic:
    """A topic, who follows it, and what they know."""

    def __init__(self, name: str, jobs: Jobs, turns: asyncio.Semaphore) -> None:
        self.name, self.jobs, self.turns = name, jobs, turns
        self.followers: set[Follower] = set()
        self.known = ""
        self.task = asyncio.create_task(self._look())

    def join(self, follower: Follower) -> None:
        """Tells a new follower what is known."""
        self.followers.add(follower)
        if self.known:
            follower.tell(self.name, self.known)

    async def _look(self) -> None:
        while True:
            async with self.turns:
                begun = time.monotonic()
                text = await asyncio.to_thread(self._read)
                took = time.monotonic() - begun
            if text != self.known:
                self.known = text
                for follower in self.followers:
                    follower.tell(self.name, text)
            await asyncio.sleep(max(AGAIN, took / SHARE))

    def _read(self) -> str:
        try:
            return json_text({"type": "facts", "topic": self.name, "facts": facts_of(self.name, self.jobs)})
        except (BadInput, StoreProblem) as problem:
            return json_text({"type": "error", "topic": self.name, "text": str(problem)})


class Following:
    """All topics that somebody follows."""

    def __init__(self, jobs: Jobs) -> None:
        self.jobs = jobs
        self._topics: dict[str, Topic] = {}
        self._turns = asyncio.Semaphore(AT_ONCE)

    def join(self, follower: Follower, names: list[str]) -> None:
        """A browser follows these topics; BadInput where there are too many in all."""
        if len({*self._topics, *names}) > MOST_TOPICS:
            raise BadInput(f"This server follows at most {MOST_TOPICS} topics; try again later.")
        for name in names:
            if name not in self._topics:
                self._topics[name] = Topic(name, self.jobs, self._turns)
            self._topics[name].join(follower)

    def leave(self, follower: Follower) -> None:
        """A browser has gone; what nobody follows is not looked at any more."""
        for name, topic in list(self._topics.items()):
            topic.followers.discard(follower)
            if not topic.followers:
                topic.task.cancel()
                del self._topics[name]

    async def close(self) -> None:
        """Looks no more."""
        tasks = [topic.task for topic in self._topics.values()]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
