"""What each move of a position is worth: by the game's oracle where it knows, elsewhere by an agent, saying which."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from spielwerk.arena.agent import Agent
from spielwerk.arena.grading.questions import question
from spielwerk.arena.reviewing.judge import ORACLE, Judge
from spielwerk.arena.reviewing.review import BEST, UNKNOWN
from spielwerk.arena.reviewing.reviewer import called
from spielwerk.games.position import Position
from spielwerk.kernel.random import stream
from spielwerk.solvers.oracle import Oracle


@dataclass(frozen=True)
class ValuedMove:
    """A move, what its player can expect after it, and what that costs against the best one."""

    move: str
    value: float | None
    regret: float | None
    verdict: str


@dataclass(frozen=True)
class Truth:
    """A position: who says it, what the mover can expect, and every move, one for each resulting position."""

    by: str
    value: float | None
    moves: tuple[ValuedMove, ...]

    def facts(self) -> dict[str, Any]:
        """For programs."""
        return asdict(self)


def truth(position: Position, oracle: Oracle | None, agent: Agent, seed: int = 1, **more: Any) -> Truth:
    """The values of all moves, the best first; `more` goes to the agent's analysis, such as `stop`."""
    asked = question(oracle, position, "") if oracle else None
    if asked is None:
        analysis = agent.analyse(position, stream(seed, "analyse"), **more)
        valued = [(one.move, one.value) for one in analysis.moves]
        return _sorted(position, agent.name, valued)
    ranked = sorted(position.turns(), key=lambda turn: -asked.worths[turn.end.words].place)
    return _sorted(position, ORACLE, [(turn.text, asked.worths[turn.end.words].score) for turn in ranked])


def answer(position: Position, move: str, judge: Judge) -> tuple[bool, str]:
    """Whether a move costs next to nothing, and how the judge calls it."""
    said = judge.verdict(position, position.play(move))
    regret = None if said.played is None else max(said.value - said.played, 0.0)
    verdict = called(position.game, said.value, regret)
    return verdict == BEST, verdict


def _sorted(position: Position, by: str, valued: list[tuple[str, float | None]]) -> Truth:
    known = [value for _, value in valued if value is not None]
    best = max(known, default=None)
    moves = []
    for move, value in valued:
        if value is None or best is None:
            moves.append(ValuedMove(move, None, None, UNKNOWN))
        else:
            regret = max(round(best - value, 9), 0.0)
            moves.append(ValuedMove(move, value, regret, called(position.game, best, regret)))
    moves.sort(key=lambda one: one.regret if one.regret is not None else float("inf"))
    return Truth(by, best, tuple(moves))
