"""Agent: whatever chooses moves, from a random mover to another program in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from spielwerk.arena.agent_input import put_checks
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.choices import Choices
from spielwerk.arena.playing.boards import Boards
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.kernel.random import stream
from spielwerk.names import BadInput, printable

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch

LONGEST_REASON = 2000  # letters


@dataclass(frozen=True)
class NoSettings:
    """An agent that has none."""


class Forfeit(Exception):
    """An agent has lost a game by its own fault; the message says how."""

    def __init__(self, message: str = "") -> None:
        super().__init__(printable(str(message)[:LONGEST_REASON]))  # it may quote another program


class Agent:
    """Chooses moves in one game. An agent of your own defines `choose`, or `choose_many` where it plays many boards.

    A random agent draws only from the stream it is given, so that the same seed gives the same match. It is asked only
    about positions and boards of its game, and about moves only where a player is to move (see `arena/agent_input.py`).
    """

    Settings: ClassVar[type] = NoSettings
    devices: ClassVar[tuple[str, ...]] = ("cpu",)  # where the boards may lie that `choose_many` is asked about
    name: str = "agent"  # as it is written; set where agents are made from names
    choices: Choices | None = None  # counted by an agent that does not know the rules

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        put_checks(cls)

    def __init__(self, game: Game, settings: Any) -> None:
        self.game = game
        self.settings = settings

    @classmethod
    def made(cls, game: Game, settings: Any) -> Agent:
        """The agent for these settings; a class may leave some of them to another one."""
        return cls(game, settings)

    @property
    def batched(self) -> bool:
        """Whether it plays many boards at once, which is so where it defines `choose_many` and not `choose`."""
        return type(self).choose is Agent.choose

    @property
    def draws(self) -> bool:
        """Whether it ever draws at random; an agent that does not always plays the same move in a position."""
        return True

    def choose(self, position: Position, rng: np.ndarray | None = None) -> str | int:
        """A move (a whole turn in text), or one action; `rng` is a random stream, by default always the same."""
        return self.turn(position, rng).text

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """An action for each board, [n], and -1 where nobody is to act; `rngs` are their random streams, [n, 1].

        By default `choose` is asked of one board after the other, and the first action of its turn is taken.
        """
        if type(self).choose is Agent.choose:
            raise NotImplementedError(f"{type(self).__name__} defines neither choose nor choose_many")
        actions = np.full(len(batch), -1)
        for i, position in enumerate(batch.positions()):
            if position.mover >= 0:
                actions[i] = position.spelled(self.choose(position, rngs[i]))[0]
        return actions

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """What the agent thinks of each move; by default only which one it plays."""
        return Analysis(str(position), None, (Judged(self.turn(position, rng).text, probability=1.0),))

    def turn(self, position: Position, rng: np.ndarray | None = None) -> Turn:
        """The whole turn that the agent takes, whether it chooses turns or single actions."""
        stream = fresh(rng)
        return turn_by(lambda here: self._one(here, stream), position)

    def ready(self) -> None:
        """Called once before anything is played; an agent that finds out here that it cannot play raises BadInput."""

    def advance(self, boards: Boards, me: int) -> None:
        """Plays on every board on which agent number `me` is to act until it is not."""
        if self.batched:
            self._advance_together(boards, me)
            return
        for i in range(len(boards)):
            while boards.waits_for(i, me):
                try:
                    boards.play(i, self.choose(boards.position(i), boards.rngs[i]))
                except Forfeit as fault:
                    boards.forfeit(i, str(fault))

    def _one(self, position: Position, rng: np.ndarray) -> str | int:
        """A move or an action in one position, by whichever choice the agent defines."""
        if not self.batched:
            return self.choose(position, rng)
        return int(self._chosen(self.game.batch([position], threads=1), rng.reshape(1, 1))[0])

    def _advance_together(self, boards: Boards, me: int) -> None:
        """Asks for an action on all boards that wait, again and again until none does."""
        while len(waiting := boards.waiting(me)):
            rngs = boards.rngs[waiting]
            try:
                actions = self._chosen(self.game.batch(boards.states[waiting]), rngs)
            except Forfeit as fault:
                for i in waiting.tolist():
                    boards.forfeit(i, str(fault))
                continue
            boards.rngs[waiting] = rngs
            boards.play_many(waiting, actions)

    def _chosen(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """What `choose_many` says, which must be an action for each board."""
        actions = np.asarray(self.choose_many(batch, rngs))
        if actions.shape != (len(batch),) or actions.dtype.kind not in "iu":
            said = f"{actions.dtype} of shape {list(actions.shape)}"
            raise BadInput(f"{self.name}: choose_many must return {len(batch)} whole numbers, not {said}.")
        return actions.astype(np.int64)

    def close(self) -> None:
        """Gives back what the agent holds, such as a process."""


put_checks(Agent)


def turn_by(choose: Callable[[Position], str | int], position: Position) -> Turn:
    """The whole turn of the mover, as `choose` says a move or an action in each position of it."""
    steps, here = [], position
    while here.mover == position.mover:
        for action in here.spelled(choose(here)):
            steps.append((here, action))
            here = here.after(action)
    return Turn(tuple(steps), here)


def first_decision(game: Game) -> Position:
    """The start of a game, after the first of all rolls that are due."""
    position = game.start()
    while position.chance:
        position = position.roll(position.outcomes()[0][0])
    return position


def check_ready(agents: Sequence[Agent]) -> None:
    """Refuses agents that cannot play; all of them are closed."""
    try:
        for agent in agents:
            agent.ready()
    finally:
        for agent in agents:
            agent.close()


def fresh(rng: np.ndarray | None) -> np.ndarray:
    """The stream given, or, for a choice that nobody keyed, always the same new one."""
    return stream(0, "choice") if rng is None else rng
