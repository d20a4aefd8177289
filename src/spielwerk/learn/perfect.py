"""How often perfect play beats the random mover, where that is known exactly: what learning curves approach."""

from __future__ import annotations

import functools
from contextlib import suppress

from spielwerk.arena.grading.examination import quick_oracle
from spielwerk.arena.grading.questions import worths
from spielwerk.files import write_text
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput
from spielwerk.solvers.general.solver import starts
from spielwerk.solvers.oracle import Oracle, truth_after
from spielwerk.solvers.tables import folder

MOST = 5000  # positions of a game that are gone through
FILE = "perfect-against-random.txt"


class TooMany(Exception):
    """A game has more positions than are gone through."""


@functools.cache
def perfect_rate(name: str, opponent: str, opening: int = 0) -> float | None:
    """The rate of perfect play, all best moves equally often, with balanced seats; None where it is not known."""
    try:
        game = game_of(name)
        known = quick_oracle(game) if opponent == "random" and not opening else None
    except BadInput:  # a game that is not here any more
        return None
    if known is None or not known.complete or game.sides != 2 or game.players != 2:
        return None
    return _kept(game, known)


def _kept(game: Game, known: Oracle) -> float | None:
    """A rate that may take seconds to compute, from a file beside the tables."""
    path = folder(game.name) / FILE
    with suppress(OSError, ValueError):
        rate = float(path.read_text(encoding="utf-8"))
        if 0 <= rate <= 1:
            return rate
    rate = known.rate_against_random()
    if rate is None:
        return _walked(game, known)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, f"{rate!r}\n")
    return rate


def _walked(game: Game, known: Oracle) -> float | None:
    """The same for a small game without chance, by going through it."""
    if len(starts(game, 1)) > 1 or game.start().chance:
        return None
    try:
        return sum(Walk(known, seat).rate(game.start()) for seat in (0, 1)) / 2
    except TooMany:
        return None


class Walk:
    """All that can happen where perfect play has one seat and the random mover the other."""

    def __init__(self, oracle: Oracle, seat: int) -> None:
        self.oracle, self.seat = oracle, seat
        self.found: dict[tuple[int, ...], float] = {}

    def rate(self, position: Position) -> float:
        """Wins and half the draws of perfect play from here on."""
        if position.words not in self.found:
            self.found[position.words] = self._rate(position)
        return self.found[position.words]

    def _rate(self, position: Position) -> float:
        if position.over:
            score = (position.scores or ())[self.seat]
            return 0.5 + (score > 0) / 2 - (score < 0) / 2
        if len(self.found) > MOST or position.chance:
            raise TooMany
        after = self._best(position) if position.mover == self.seat else map(position.play, position.actions())
        rates = [self.rate(end) for end in after]
        return sum(rates) / len(rates)

    def _best(self, position: Position) -> list[Position]:
        """Where the best turns end: the soonest win, or the latest end."""
        ends = [turn.end for turn in position.turns()]
        truths = [truth_after(self.oracle, end, position.mover) for end in ends]
        places = [one.place for one in worths([truth for truth in truths if truth])]
        if len(places) < len(ends):
            raise TooMany
        return [end for end, place in zip(ends, places, strict=True) if place == max(places)]
