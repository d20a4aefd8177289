"""Agents in compiled code: one kernel that chooses an action, played on whole batches of boards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from spielwerk.arena.agent import Agent, fresh
from spielwerk.arena.playing import kernels as playing
from spielwerk.arena.playing.boards import ONE_TURN, Boards
from spielwerk.arena.playing.step_kernels import choose_rows
from spielwerk.games.batch import Batch
from spielwerk.games.position import Position, Turn


class Compiled(Agent):
    """An agent whose choice is the kernel `decide` (see `arena/playing/kernels.py`), with `bindings` of its own."""

    decide: ClassVar[Callable[..., Any]]
    memory: tuple[Any, ...] = ()  # the agent's arrays, which the kernel gets as they are

    @property
    def bindings(self) -> Mapping[str, Any]:
        """What the kernel needs besides the rules, such as an evaluation."""
        return {}

    def advance(self, boards: Boards, me: int) -> None:
        """All boards in one call of the kernel."""
        kernel = self.game.rows(playing.advance, decide=type(self).decide, **self.bindings)
        kernel(len(boards), np.array([me]), boards.arrays, self.memory)

    def choose(self, position: Position, rng: np.ndarray | None = None) -> str:
        """The whole turn, as players write it."""
        return self.turn(position, rng).text

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """All boards in one call of the kernel."""
        chosen = np.full(len(batch), -1)
        kernel = self.game.rows(choose_rows, decide=type(self).decide, **self.bindings)
        kernel(len(batch), batch.states, rngs, chosen, self.memory)
        return chosen

    def turn(self, position: Position, rng: np.ndarray | None = None) -> Turn:
        """The turn that the agent takes: one board, advanced until another acts or rolls."""
        seats = (np.arange(self.game.players) != position.mover).astype(np.int64)[None]
        stream = fresh(rng).reshape(1, 1)
        boards = Boards(self.game, seats, stream.copy(), stream, ONE_TURN)
        boards.states[0] = position.state
        self.advance(boards, 0)
        steps, here = [], position
        for action in boards.trace[0, : boards.lengths[0]].tolist():
            if here.mover != position.mover:
                break
            steps.append((here, action))
            here = here.play(action)
        return Turn(tuple(steps), here)
