"""Judge: what the turn that was played is worth, and the best one, by an oracle where it knows, elsewhere by an agent.

A tree search hardly visits the moves that it does not like, and what it says of them is noise. So where it has visited
the played move, or the best one, less than half as often as the one it visited most, both are valued by a search of
their own, of the positions after them.
"""

from __future__ import annotations

from dataclasses import dataclass

from spielwerk.arena.agent import Agent
from spielwerk.arena.analysis import Analysis
from spielwerk.arena.grading.questions import question
from spielwerk.games.position import Position
from spielwerk.kernel.random import stream
from spielwerk.names import BadInput
from spielwerk.solvers.oracle import Oracle

ORACLE = "oracle"
SEEN = 0.5  # of the most visits of a move, from which on the value of another one can be compared with its own


@dataclass(frozen=True)
class Verdict:
    """What a judge says of a position: the value of its best turn, that turn, and the value of the one played."""

    by: str
    value: float  # the score that the mover can expect
    best: str
    played: float | None  # None: the judge cannot say


class Judge:
    """Asks the oracle first, if there is one, and then the agent."""

    def __init__(self, oracle: Oracle | None, agent: Agent, seed: int = 1) -> None:
        self.oracle, self.agent, self.seed = oracle, agent, seed
        self._analyses: dict[Position, Analysis] = {}  # a position is asked about for its turns, and for its luck

    def verdict(self, position: Position, end: Position) -> Verdict:
        """What the best turn of a player is worth, and the one that led to `end`."""
        return self._known(position, end) or self._verdict(position, end)

    def expected(self, position: Position) -> float:
        """The score that the player to act can expect, before a roll or after it."""
        truth = self.oracle.truth(position) if self.oracle else None
        if truth is not None and truth.scores is None:
            return truth.value
        if position.chance:
            return sum(share * self.expected(position.roll(outcome)) for outcome, share in position.outcomes())
        return max(self._seen(position)[0].values())

    def _known(self, position: Position, end: Position) -> Verdict | None:
        asked = question(self.oracle, position, "") if self.oracle else None
        if asked is None:
            return None
        best = max(asked.worths, key=lambda end: asked.worths[end].place)
        played = asked.worths.get(end.words)
        return Verdict(ORACLE, asked.worths[best].score, _text(position, best), played.score if played else None)

    def _verdict(self, position: Position, end: Position) -> Verdict:
        """What the agent says."""
        (seen, best), move = self._seen(position), _text(position, end.words)
        if best in seen and move in seen:
            return Verdict(self.agent.name, seen[best], best, seen[move])
        if position.game.sides > 2:  # a search says what its own mover expects; of the others it says nothing
            best = max(seen, key=lambda move: seen[move])
            return Verdict(self.agent.name, seen[best], best, seen.get(move))
        value, played = (self._worth(position, after) for after in (position.play(best), end))
        return Verdict(self.agent.name, max(value, played), best if value > played else move, played)

    def _worth(self, position: Position, end: Position) -> float:
        """What the mover of a position can expect after a turn, by a search of its own; for two sides."""
        if end.scores is not None:
            return end.scores[position.mover]
        team, acts = position.game.constants["TEAM"], end.roller if end.chance else end.mover
        return self.expected(end) * (1 if team[acts] == team[position.mover] else -1)

    def _seen(self, position: Position) -> tuple[dict[str, float], str]:
        """The values of the moves that the agent has looked at well enough, and the best move, which may be another.

        A win that a search is certain of needs no more visits.
        """
        if position not in self._analyses:
            self._analyses[position] = self.agent.analyse(position, stream(self.seed, "review"))
        valued = [(one, one.value) for one in self._analyses[position].moves if one.value is not None]
        if not valued:
            raise BadInput(f"{self.agent.name} does not value moves, as a judge must; take another, such as mcts.")
        enough = SEEN * max(one.visits or 0 for one, _ in valued)
        seen = {one.move: value for one, value in valued if one.visits is None or one.visits >= enough}
        best, (first, value) = max(seen, key=lambda move: seen[move]), valued[0]
        return seen, first.move if value > seen[best] else best


def _text(position: Position, end: tuple[int, ...]) -> str:
    return next(turn.text for turn in position.turns() if turn.end.words == end)
