"""Agents in compiled code: one kernel that chooses an action, played on whole batches of boards."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from spielwerk.arena.agent import Agent, fresh
from spielwerk.arena.playing import kernels as playing
from spielwerk.arena.playing.boards import ONE_TURN, Boards
from spielwerk.arena.playing.step_kernels import choose_rows
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.kernel.random import streams
from spielwerk.search.stop import Stop


class Compiled(Agent):
    """An agent whose choice is the kernel `decide` (see `arena/playing/kernels.py`), with `bindings` of its own."""

    decide: ClassVar[Callable[..., Any]]

    def __init__(self, game: Game, settings: Any) -> None:
        super().__init__(game, settings)
        self._threads = threading.local()

    def new_memory(self) -> Any:
        """What the kernel gets as `memory`, for one thread: settings, tables, arrays to work in; see `memory`.

        Where it is a NamedTuple with a field `stop`, the kernel looks there for a flag that ends its search.
        """
        return ()

    @property
    def memory(self) -> Any:
        """The calling thread's own `new_memory`, which it uses again for every decision."""
        if not hasattr(self._threads, "memory"):
            self._threads.memory = self.new_memory()
        return self._threads.memory

    @property
    def bindings(self) -> Mapping[str, Any]:
        """What the kernel needs besides the rules, such as an evaluation."""
        return {}

    @property
    def in_kernel(self) -> bool:
        """Whether the kernel makes all decisions; if not, `turn` makes each one."""
        return True

    def ready(self) -> None:
        """Compiles, so that the first move does not wait; `choose_many` has a kernel of its own, compiled when used."""
        none = np.zeros((0, self.game.players), np.int64)
        self.advance(Boards(self.game, none, streams(0, "none", 0), streams(0, "none", 0), ONE_TURN), 0)

    def advance(self, boards: Boards, me: int) -> None:
        """All boards in one call of the kernel."""
        if self.in_kernel:
            self._advance(boards, me, Stop())
        else:
            super().advance(boards, me)

    def choose(self, position: Position, rng: np.ndarray | None = None) -> str:
        """The whole turn, as players write it."""
        return self.turn(position, rng).text

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """All boards in one call of the kernel."""
        if not self.in_kernel:
            return super().choose_many(batch, rngs)
        chosen, stop = np.full(len(batch), -1), Stop()
        kernel = self.game.rows(choose_rows, decide=type(self).decide, **self.bindings)
        kernel(len(batch), batch.states, rngs, chosen, self.ended_by(stop))
        stop.check()
        return chosen

    def turn(self, position: Position, rng: np.ndarray | None = None, stop: Stop | None = None) -> Turn:
        """The turn that the agent takes: one board, advanced until another acts or rolls; `stop` ends searches."""
        seats = (np.arange(self.game.players) != position.mover).astype(np.int64)[None]
        stream = fresh(rng).reshape(1, 1)
        boards = Boards(self.game, seats, stream.copy(), stream, ONE_TURN)
        boards.states[0] = position.state
        self._advance(boards, 0, stop or Stop())
        steps, here = [], position
        for action in boards.trace[0, : boards.lengths[0]].tolist():
            if here.mover != position.mover:
                break
            steps.append((here, action))
            here = here.play(action)
        return Turn(tuple(steps), here)

    def ended_by(self, stop: Stop) -> Any:
        """The memory, for a search that `stop` may end."""
        memory = self.memory
        return memory._replace(stop=stop.flag) if "stop" in getattr(memory, "_fields", ()) else memory

    def _advance(self, boards: Boards, me: int, stop: Stop) -> None:
        kernel = self.game.rows(playing.advance, decide=type(self).decide, **self.bindings)
        kernel(len(boards), np.array([me]), boards.arrays, self.ended_by(stop))
        stop.check()
