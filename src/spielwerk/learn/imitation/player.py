"""ByParts: plays the parts that networks say one after the other, who know nothing of the rules.

What is not legal is counted, and then replaced by the legal move that the networks hold most likely.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spielwerk.arena.agent import Agent, first_decision, fresh
from spielwerk.arena.agent_input import need_mover
from spielwerk.arena.analysis import Analysis, Judged, Said
from spielwerk.arena.choices import Choices
from spielwerk.arena.playing.boards import Boards
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.move_parts import value_name
from spielwerk.games.move_parts.listing import Moves, legal_moves
from spielwerk.games.position import Position, Turn
from spielwerk.learn.imitation.legality import marks, of_slot
from spielwerk.learn.imitation.slots import Slots

Says = Callable[[np.ndarray], list[np.ndarray]]  # from rows of inputs to the logits of each slot
AT_ONCE = 4096  # boards or moves that the networks look at together
SHOWN = 5  # values of a part that an analysis names


class ByParts(Agent):
    """Plays by what networks say of the parts of a move."""

    def __init__(self, game: Game, settings: Any, slots: Slots, says: Says) -> None:
        super().__init__(game, settings)
        self.slots, self.says = slots, says
        self.choices: Choices | None = Choices()

    @property
    def draws(self) -> bool:
        """It always takes what is most likely."""
        return False

    def ready(self) -> None:
        """Asks the networks once, so that what is missing is found out before the first game."""
        self.decided(self.game.batch([first_decision(self.game)], threads=1))

    def choose_many(self, batch: Batch, rngs: np.ndarray) -> np.ndarray:
        """The first action of the move on each board; -1 where nobody is to move."""
        return self._moves(batch)[:, 0]

    def advance(self, boards: Boards, me: int) -> None:
        """Decides on whole moves, and plays all their actions."""
        while len(waiting := boards.waiting(me)):
            moves = self._moves(self.game.batch(boards.states[waiting]))
            for step in range(moves.shape[1]):
                goes_on = np.isin(waiting, boards.waiting(me)) if step else np.ones(len(waiting), bool)
                playing = goes_on & (moves[:, step] >= 0)
                boards.play_many(waiting[playing], moves[playing, step])

    def turn(self, position: Position, rng: np.ndarray | None = None) -> Turn:
        """The whole turn, which may be several moves."""
        fresh(rng)
        steps, here = [], position
        while here.mover == position.mover:
            for action in self._moves(self.game.batch([here], threads=1))[0].tolist():
                if action >= 0:
                    steps.append((here, action))
                    here = here.after(action)
        return Turn(tuple(steps), here)

    def analyse(self, position: Position, rng: np.ndarray | None = None) -> Analysis:
        """How likely each legal move is, what the networks say of each part, and what they take for legal."""
        need_mover(position)
        batch = self.game.batch([position], threads=1)
        listed = legal_moves(batch)
        likely = np.exp(self._likely(batch, listed))
        order = np.argsort(-likely, kind="stable")
        moves = tuple(Judged(self._text(position, listed.played[i]), probability=float(likely[i])) for i in order)
        said, legal = self._said(batch, listed)
        illegal = max(0.0, 1 - float(likely.sum()))
        note = "" if legal else "Their own choice is not legal; the best legal move is played. "
        note += f"All illegal moves together have a probability of {100 * illegal:.2f} %."
        return Analysis(str(position), None, moves, note, said=said)

    def decided(self, batch: Batch) -> tuple[np.ndarray, list[np.ndarray]]:
        """The values of the slots, [n, slots], each the most likely after those before it; and all logits."""
        bits = np.asarray(batch.observe(self.game.move_parts.inputs)).reshape(len(batch), -1)
        values, found = np.zeros((len(batch), len(self.slots.sizes)), np.int64), list[np.ndarray]()
        for slot in range(len(self.slots.sizes)):
            found.append(self._asked(bits, values[:, :slot])[slot])
            values[:, slot] = found[-1].argmax(axis=1)
        return values, found

    def _asked(self, bits: np.ndarray, values: np.ndarray) -> list[np.ndarray]:
        """The logits of all slots, some rows at a time."""
        parts = [
            self.says(self.slots.rows(bits[i : i + AT_ONCE], values[i : i + AT_ONCE]))
            for i in range(0, max(len(bits), 1), AT_ONCE)
        ]
        return [np.concatenate(column) for column in zip(*parts, strict=True)]

    def _moves(self, batch: Batch) -> np.ndarray:
        """The actions of the move on each board, [n, actions of a move]; -1 behind the last."""
        listed = legal_moves(batch)
        acting = np.diff(listed.offsets) > 0
        values, _ = self.decided(batch)
        chosen = _matching(listed, self.slots.moves(values))
        begun = acting & self._begins(listed)
        if self.choices is not None:
            self.choices.add(int(begun.sum()), int((begun & (chosen < 0)).sum()))
        missing = np.flatnonzero(acting & (chosen < 0))
        if len(missing):
            chosen[missing] = self._best(batch, listed, missing)
        found = np.full((len(batch), self.game.move_parts.actions), -1)
        found[acting] = listed.played[chosen[acting]]
        return found

    def _begins(self, listed: Moves) -> np.ndarray:
        """The boards on which a move begins, and is not under way: then parts that always have a value get one."""
        parts = self.game.move_parts
        found = np.zeros(len(listed.offsets) - 1, bool)
        always = [i for i, name in enumerate(parts.names) if name in parts.always]
        begins = (listed.parts[:, always] != np.array(parts.sizes)[always] - 1).all(axis=1)
        found[listed.owners[begins]] = True
        return found

    def _best(self, batch: Batch, listed: Moves, boards: np.ndarray) -> np.ndarray:
        """The most likely legal moves of some boards, by their numbers in the list."""
        wanted = np.flatnonzero(np.isin(listed.owners, boards))
        some = Moves(listed.parts[wanted], listed.played[wanted], listed.owners[wanted], listed.offsets)
        likely = self._likely(batch, some)
        order = np.lexsort((-likely, some.owners))
        _, first = np.unique(some.owners[order], return_index=True)
        return wanted[order[first]]

    def _likely(self, batch: Batch, listed: Moves) -> np.ndarray:
        """The logarithm of the probability of each move: the sum over its slots, each after those before it."""
        bits = np.asarray(batch.observe(self.game.move_parts.inputs)).reshape(len(batch), -1)[listed.owners]
        values = self.slots.values(listed.parts)
        found = np.zeros(len(values))
        for slot, said in enumerate(self._asked(bits, values)):
            found += log_softmax(said)[np.arange(len(values)), values[:, slot]]
        return found

    def _said(self, batch: Batch, listed: Moves) -> tuple[tuple[Said, ...], bool]:
        """What the networks say of each part after their own choices, and whether the whole is legal."""
        values, logits = self.decided(batch)
        legal = marks(listed, self.slots, values)
        found: list[Said] = []
        for slot, name in enumerate(self.slots.names):
            likely, may = np.exp(log_softmax(logits[slot]))[0], of_slot(legal, self.slots, slot)[0]
            for value in np.argsort(-likely, kind="stable")[:SHOWN].tolist():
                found.append(Said(name, self._value_name(slot, value), float(likely[value]), bool(may[value])))
        return tuple(found), bool(_matching(listed, self.slots.moves(values))[0] >= 0)

    def _value_name(self, slot: int, value: int) -> str:
        """A value for people; of whole moves, all parts."""
        if self.slots.places:
            return value_name(self.game, self.slots.places[slot], value)
        parts = self.slots.moves(np.array([[value]]))[0].tolist()
        return " ".join(value_name(self.game, i, one) for i, one in enumerate(parts))

    def _text(self, position: Position, played: np.ndarray) -> str:
        steps, here = [], position
        for action in played.tolist():
            if action >= 0:
                steps.append((here, action))
                here = here.after(action)
        return Turn(tuple(steps), here).text


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Logarithms of probabilities, row by row."""
    logits = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))


def _matching(listed: Moves, parts: np.ndarray) -> np.ndarray:
    """The number in the list of each board's move, -1 where that is not legal; [n]."""
    found = np.full(len(parts), -1)
    same = np.flatnonzero((listed.parts == parts[listed.owners]).all(axis=1))
    found[listed.owners[same]] = same
    return found
