"""What each move of a position is worth: by the game's oracle where it knows, elsewhere by an agent, saying which."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from spielwerk.arena.reviewing.estimate import Estimate, margin
from spielwerk.arena.reviewing.judge import Judge
from spielwerk.arena.reviewing.review import WELL
from spielwerk.arena.reviewing.reviewer import called, regret_of
from spielwerk.games.position import Position

CLOSELY = 10  # moves of a tree search that are looked at closely


@dataclass(frozen=True)
class ValuedMove:
    """A move, what its player can expect after it, and what that costs against the best one; None: nobody knows."""

    move: str
    value: float | None
    regret: float | None
    verdict: str


@dataclass(frozen=True)
class Truth:
    """A position: who says it, what the mover can expect, and every move, one for each resulting position."""

    by: str
    value: float
    error: float  # of a difference of two values; 0 where the judge is exact
    moves: tuple[ValuedMove, ...]

    def facts(self) -> dict[str, Any]:
        """For programs."""
        return asdict(self)


def truth(position: Position, judge: Judge) -> Truth:
    """The values of the moves, the best first."""
    said = judge.valuation(position, closely=CLOSELY)
    best = said.best[1]
    moves = tuple(_valued(position, best, *one) for one in said.moves)
    return Truth(said.by, best.value, margin(best, best), moves)


def answer(position: Position, move: str, judge: Judge) -> tuple[bool, str]:
    """Whether a move is as good as any, as far as the judge can tell, and how the judge calls it."""
    end = position.play(move)
    text = next(turn.text for turn in position.turns() if turn.end == end)
    said = judge.valuation(position, end)
    verdict = called(position.game, said.best[1], said.of(text))
    return verdict in WELL, verdict


def _valued(position: Position, best: Estimate, move: str, one: Estimate | None) -> ValuedMove:
    verdict = called(position.game, best, one)
    known = (None, None) if one is None else (one.value, regret_of(best, one))
    return ValuedMove(move, *known, verdict)
