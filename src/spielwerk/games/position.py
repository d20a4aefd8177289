"""Position: an immutable position of a game, with moves in the notation of its players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from spielwerk.data import json_text
from spielwerk.games.rules import CHANCE, OVER
from spielwerk.names import BadInput, unknown

if TYPE_CHECKING:
    from spielwerk.games.game import Game

LISTED = 12  # moves named in an error message


class Position:
    """Where a game stands. `play` and `roll` return new positions."""

    __slots__ = ("game", "mover", "words")
    game: Game
    words: tuple[int, ...]
    mover: int  # the player to act, or CHANCE or OVER

    def __init__(self, game: Game, state: np.ndarray) -> None:
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "words", tuple(state.tolist()))
        object.__setattr__(self, "mover", int(game.rule("mover")(state)))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("positions are immutable; play and roll return new ones.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.words == other.words and self.game == other.game

    def __hash__(self) -> int:
        return hash((self.game, self.words))

    def __str__(self) -> str:
        return self.game.face.write(self)

    def __repr__(self) -> str:
        return f'game("{self.game.name}").parse("{self}")'

    @property
    def state(self) -> np.ndarray:
        """A copy of the words, for kernels."""
        return np.array(self.words, np.int64)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.mover == OVER

    @property
    def chance(self) -> bool:
        """Whether a roll comes next."""
        return self.mover == CHANCE

    @property
    def roller(self) -> int:
        """At a chance node, the player who acts after the roll."""
        return int(self.game.rule("roller")(self.state))

    @property
    def scores(self) -> tuple[float, ...] | None:
        """Each player's score at the end; None before it."""
        if not self.over:
            return None
        out = np.zeros(self.game.players)
        self.game.rule("scores")(self.state, out)
        return tuple(out.tolist())

    def actions(self) -> list[int]:
        """The legal actions, ascending; none at a chance node or at the end."""
        if self.mover < 0:
            return []
        out = np.zeros(self.game.constants["MOST_MOVES"], np.int64)
        return out[: self.game.rule("moves")(self.state, out)].tolist()

    def turns(self) -> list[Turn]:
        """The whole turns of the mover, one for each different end."""
        asked, turns = self.game.last_turns
        if asked is not self:
            ends: dict[tuple[int, ...], Turn] = {}
            for turn in self.ways():
                ends.setdefault(turn.end.words, turn)
            turns = tuple(ends.values())
            self.game.last_turns = self, turns
        return list(turns)

    def ways(self, steps: tuple[tuple[Position, int], ...] = ()) -> Iterator[Turn]:
        """Every sequence of actions of the mover up to the end of its turn, whose first `steps` have been done."""
        for action in self.actions():
            after = self.after(action)
            done = (*steps, (self, action))
            if after.mover == self.mover:
                yield from after.ways(done)
            else:
                yield Turn(done, after)

    def moves(self) -> list[str]:
        """The whole turns of the mover, as players write them."""
        return [turn.text for turn in self.turns()]

    def play(self, move: str | SupportsIndex) -> Position:
        """The position after a move (a whole turn in text) or one action (a number)."""
        position = self
        for action in self.spelled(move):
            position = position.after(action)
        return position

    def after(self, action: int) -> Position:
        """The position after an action that is known to be legal."""
        state = self.state
        self.game.rule("play")(state, action)
        return Position(self.game, state)

    def spelled(self, move: str | SupportsIndex) -> list[int]:
        """The actions that a move (or one action) consists of; raises BadInput for one that is not legal."""
        if isinstance(move, str):
            return [action for _, action in self._understood(move).steps]
        if not isinstance(move, Integral) or move not in self.actions():
            raise BadInput(f"Action {move} is not legal here. {self._possible()}")
        return [int(move)]

    def outcomes(self) -> list[tuple[int, float]]:
        """At a chance node, each outcome and its probability."""
        if not self.chance:
            return []
        most = self.game.constants["MOST_OUTCOMES"]
        out, weights = np.zeros(most, np.int64), np.zeros(most, np.int64)
        n = self.game.rule("outcomes")(self.state, out, weights)
        total = int(weights[:n].sum())
        return [(int(out[i]), int(weights[i]) / total) for i in range(n)]

    def rolls(self) -> list[str]:
        """At a chance node, the outcomes as players write them."""
        return [self.game.face.spell_roll(self.game, outcome) for outcome, _ in self.outcomes()]

    def roll(self, roll: str | int) -> Position:
        """The position after a roll, given as text or as an outcome's number."""
        if not self.chance:
            raise BadInput(f"No roll is due. {self._possible()}")
        outcomes = {outcome: self.game.face.spell_roll(self.game, outcome) for outcome, _ in self.outcomes()}
        for outcome, text in outcomes.items():
            if roll == outcome or (isinstance(roll, str) and self.game.face.same_roll(roll, text)):
                state = self.state
                self.game.rule("roll")(state, outcome)
                return Position(self.game, state)
        raise BadInput(f'"{roll}" cannot be rolled here; possible: {", ".join(outcomes.values())}.')

    def observe(self, player: int | None = None, inputs: str = "") -> np.ndarray:
        """The input of a network as `player` (default: the mover, or the roller) sees it.

        `inputs` names one of the game's further forms of input, such as "tesauro" for backgammon.
        """
        if player is None:
            player = self.roller if self.chance else max(self.mover, 0)
        self._check(player, self.game.players, "player")
        shape, observe = self.game.observation(inputs)
        out = np.zeros(int(np.prod(shape)), np.float32)
        observe(self.state, player, out)
        return out.reshape(shape)

    def turned(self, k: int) -> Position:
        """The position on the board turned by symmetry `k`."""
        self._check(k, self.game.constants["SYMMETRIES"], "symmetry")
        out = self.game.blank()
        self.game.rule("turned_state")(k, self.state, out)
        return Position(self.game, out)

    def board(self, seat: int | None = None) -> str:
        """The board, drawn for a terminal; with a `seat`, its side is below."""
        return self.game.face.board(self) if seat is None else self.game.face.board_from(self, seat)

    def written(self, form: str) -> str:
        """The position as other programs write it, such as an "xgid" in backgammon."""
        formats = self.game.face.formats(self.game)
        if form not in formats:
            raise unknown(f"{self.game.kind} has no format", form, formats, "Formats")
        return formats[form](self)

    def svg(self, theme: str = "auto") -> str:
        """The board as an SVG picture: `light`, `dark`, or `auto` as the viewer prefers."""
        from spielwerk.games.face.svg import document
        from spielwerk.games.scenes.showing import picture

        return document(picture(self), theme)

    def _repr_svg_(self) -> str:
        return self.svg()

    def to_json(self) -> str:
        """Everything a program wants to know, as one JSON object."""
        return json_text(self.facts())

    def facts(self) -> dict[str, Any]:
        """What `to_json` writes."""
        facts = {
            "game": self.game.name,
            "position": str(self),
            "mover": self.mover if self.mover >= 0 else None,
            "chance": self.chance,
            "over": self.over,
            "scores": self.scores,
            "moves": self.moves(),
            "rolls": self.rolls(),
        }
        return facts | self.game.face.more_facts(self)

    def _check(self, number: int, count: int, what: str) -> None:
        if not 0 <= number < count:
            raise BadInput(f"{self.game.name} has no {what} {number}; possible: 0 to {count - 1}.")

    def _understood(self, text: str) -> Turn:
        turns = self.turns()
        found = self.game.face.understand(self, turns, " ".join(text.split()))
        if len(found) == 1:
            return found[0]
        if found:
            raise BadInput(f'"{text}" is ambiguous here; it may mean {", ".join(turn.text for turn in found)}.')
        raise BadInput(f'"{text}" is not legal here. {self._possible()}')

    def _possible(self) -> str:
        if self.over:
            return "The game is over."
        if self.chance:
            return f"A roll comes first: {', '.join(self.rolls())}."
        return f"Legal moves: {listed(self.moves(), LISTED)}."


def listed(texts: list[str], most: int) -> str:
    """The texts in a line, cut where there are too many."""
    more = f" … ({len(texts)} in all)" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


@dataclass(frozen=True)
class Turn:
    """All that one player does before another acts or rolls."""

    steps: tuple[tuple[Position, int], ...]  # each position and the action taken in it
    end: Position

    @property
    def text(self) -> str:
        """The move, as players write it."""
        return self.steps[0][0].game.face.spell(self.steps, self.end)
