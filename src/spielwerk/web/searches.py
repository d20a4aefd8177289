"""Searches: agents think in threads of their own, can be stopped, and have limits; the event loop never waits.

An agent that does not look at its `Stop` is given up: whoever asked hears so, and its thread is replaced.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import numpy as np

from spielwerk.agents.registry import agent as agent_of
from spielwerk.api.judges import known, measured_error
from spielwerk.api.thoughts import Thoughts, thoughts
from spielwerk.arena.agent import Agent, Forfeit
from spielwerk.arena.reviewing.judge import Judge
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.names import BadInput, printable
from spielwerk.search.stop import Stop, taken
from spielwerk.solvers.oracle import Oracle
from spielwerk.web.limits import MOST_SECONDS, MOST_WAITING
from spielwerk.web.workers import Busy, Task, Workers

T = TypeVar("T")
KEPT = 24  # agents that stay in memory
PATIENCE = 2.0  # seconds in which a search that was stopped should end


class _Search(Generic[T]):
    """Work that can be stopped, before it begins and while it runs."""

    def __init__(self, work: Callable[[Stop], T]) -> None:
        self.work = work
        self.stop: Stop | None = None
        self.cancelled = False

    def __call__(self) -> T:
        self.stop = Stop()  # made here: those of the main thread listen for Ctrl-C
        if self.cancelled:
            raise Busy("The server was busy for too long; try again.")
        return self.work(self.stop)

    def cancel(self) -> None:
        """Ends it; a search that looks at its `Stop` returns what it has found so far."""
        self.cancelled = True
        if self.stop:
            self.stop.set()


class Searches:
    """A pool of threads in which agents think, and the agents and oracles that are in use."""

    def __init__(self, workers: int) -> None:
        self._workers = Workers(workers, "search")
        self._agents: OrderedDict[tuple[str, str], Agent] = OrderedDict()
        self._oracles: dict[str, Oracle | None] = {}
        self._compiling: dict[tuple[str, str], asyncio.Future[Agent]] = {}
        self._lock = threading.Lock()
        self.waiting = 0

    async def turn(self, name: str, position: Position, rng: np.ndarray) -> Turn:
        """The turn that an agent takes; Forfeit where it fails."""
        with failing_as(Forfeit, name):
            thinker = await self.ready(name, position.game)
            return await self.run(lambda stop: thinker.turn(position, rng, **taken(thinker.turn, stop)))

    async def thoughts(self, name: str, position: Position, rng: np.ndarray) -> Thoughts:
        """What an agent thinks before its turn, and the turn; Forfeit where it fails."""
        with failing_as(Forfeit, name):
            thinker = await self.ready(name, position.game)
            return await self.run(lambda stop: thoughts(thinker, position, rng, **taken(thinker.analyse, stop)))

    async def judged(self, name: str, game: Game, work: Callable[[Judge], T]) -> T:
        """Whatever a judge is asked: the oracle where it knows, elsewhere the agent of that name."""
        with failing_as(BadInput, name):
            thinker, oracle = await self.ready(name, game), await self.oracle(game)
            return await self.run(lambda stop: work(Judge(oracle, thinker, measured_error(thinker), stop=stop)))

    async def oracle(self, game: Game) -> Oracle | None:
        """What is known for certain about a game, if anything is."""
        if game.name not in self._oracles:
            self._oracles[game.name] = await self.run(lambda _: known(game), None)
        return self._oracles[game.name]

    async def ready(self, name: str, game: Game) -> Agent:
        """An agent that has compiled what it needs, which may take longer than a search may."""
        key = (game.name, name)
        if key in self._compiling:
            return await asyncio.shield(self._compiling[key])
        with self._lock:
            if key in self._agents:
                return self._agents[key]
        future = self._compiling[key] = asyncio.ensure_future(self.run(lambda _: self._prepared(name, game), None))
        try:
            return await asyncio.shield(future)
        finally:
            future.add_done_callback(lambda _: self._compiling.pop(key, None))

    async def run(self, work: Callable[[Stop], T], seconds: float | None = MOST_SECONDS) -> T:
        """Does some work in the pool; it is stopped after so many seconds, and when the caller is cancelled."""
        if self.waiting >= MOST_WAITING:
            raise Busy("The server has too many searches to do; try again in a moment.")
        search, loop = _Search(work), asyncio.get_running_loop()
        task = self._workers.submit(Task(search))
        self.waiting += 1
        clock = loop.call_later(seconds, search.cancel) if seconds else None
        future = asyncio.wrap_future(task.future)
        try:
            done, _ = await asyncio.wait({future}, timeout=seconds + PATIENCE if seconds else None)
        except asyncio.CancelledError:
            search.cancel()
            _ignore(future)
            loop.call_later(PATIENCE, self._workers.give_up, task)
            raise
        finally:
            self.waiting -= 1
            if clock:
                clock.cancel()
        if not done:
            _ignore(future)
            self._workers.give_up(task)
            raise BadInput(f"There was no answer within {seconds:g} seconds; choose a quicker agent.")
        return future.result()

    @property
    def stuck(self) -> int:
        """How many searches were given up and still run."""
        return self._workers.stuck

    def close(self) -> None:
        """Waits for nobody."""
        self._workers.close()

    def _prepared(self, name: str, game: Game) -> Agent:
        made = agent_of(name, game)
        made.ready()
        with self._lock:
            self._agents[game.name, name] = made
            while len(self._agents) > KEPT:
                self._agents.popitem(last=False)
        return made


@contextmanager
def failing_as(fault: type[Exception], name: str) -> Iterator[None]:
    """Whatever else goes wrong in an agent, perhaps one of another package, is said; nobody waits for it in vain."""
    try:
        yield
    except (BadInput, Busy, Forfeit):
        raise
    except Exception as problem:
        raise fault(f"{name} failed: {type(problem).__name__}: {printable(str(problem))}") from problem


def _ignore(future: asyncio.Future[Any]) -> None:
    """Nobody waits for its result any more."""
    future.add_done_callback(lambda one: one.cancelled() or one.exception())
