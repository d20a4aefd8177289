"""Judge: what every turn of a position is worth, by an oracle where it knows, and by an agent elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from spielwerk.arena.agent import Agent
from spielwerk.arena.grading.questions import question
from spielwerk.games.position import Position
from spielwerk.kernel.random import stream
from spielwerk.names import BadInput
from spielwerk.solvers.oracle import Oracle

ORACLE = "oracle"


@dataclass(frozen=True)
class Verdict:
    """What a judge says of a position: the value of its best turn, that turn, and the value of each."""

    by: str
    value: float  # the score that the mover can expect
    best: str
    values: dict[tuple[int, ...], float]  # by the words of the position at the end of the turn


class Judge:
    """Asks the oracle first, if there is one, and then the agent."""

    def __init__(self, oracle: Oracle | None, agent: Agent, seed: int = 1) -> None:
        self.oracle, self.agent, self.seed = oracle, agent, seed

    def verdict(self, position: Position) -> Verdict:
        """What the turns of a player are worth."""
        return self._known(position) or self._verdict(position)

    def expected(self, position: Position) -> float:
        """The score that the player to act can expect, before a roll or after it."""
        truth = self.oracle.truth(position) if self.oracle else None
        if truth is not None and truth.scores is None:
            return truth.value
        if position.chance:
            return sum(share * self.expected(position.roll(outcome)) for outcome, share in position.outcomes())
        return self._believed(position)[0]

    def _known(self, position: Position) -> Verdict | None:
        asked = question(self.oracle, position, "") if self.oracle else None
        if asked is None:
            return None
        best = max(asked.worths, key=lambda end: asked.worths[end].place)
        values = {end: worth.score for end, worth in asked.worths.items()}
        return Verdict(ORACLE, values[best], _text(position, best), values)

    def _verdict(self, position: Position) -> Verdict:
        """What the agent says."""
        _, believed = self._believed(position)
        values = {turn.end.words: believed[turn.text] for turn in position.turns() if turn.text in believed}
        best = max(believed, key=lambda move: believed[move])
        return Verdict(self.agent.name, believed[best], best, values)

    def _believed(self, position: Position) -> tuple[float, dict[str, float]]:
        """The best value, and that of each move of which the agent says it."""
        analysis = self.agent.analyse(position, stream(self.seed, "review"))
        believed = {move.move: move.value for move in analysis.moves if move.value is not None}
        if not believed:
            raise BadInput(f"{self.agent.name} does not value moves, as a judge must; take another, such as mcts.")
        return max(believed.values()), believed


def _text(position: Position, end: tuple[int, ...]) -> str:
    return next(turn.text for turn in position.turns() if turn.end.words == end)
