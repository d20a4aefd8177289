"""Judge: what the turns of a position are worth, by an oracle where it knows, elsewhere by an agent, and its error.

A tree search hardly visits the moves that it does not like, and what it says of them is noise. So the moves that count
(the first few, and the one played) are valued by searches of their own, of the positions after them. With more than two
sides that cannot be: there a search says what its own mover expects, and of moves that it has hardly visited nothing.

Twins, turns that are the same up to a symmetry of the position, are worth the same: the mean of what is said of them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from spielwerk.arena.agent import Agent
from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.arena.grading.questions import question
from spielwerk.arena.reviewing.estimate import Estimate, estimate_of, mean
from spielwerk.arena.reviewing.twins import twin_of
from spielwerk.games.position import Position
from spielwerk.kernel.random import stream
from spielwerk.names import BadInput
from spielwerk.search.stop import Stop, taken
from spielwerk.solvers.oracle import Oracle

ORACLE = "oracle"
CLOSELY = 3  # moves of a tree search that are looked at closely, besides the one played
SEEN = 0.5  # of the most visits of a move, from which on the value of another one can be compared with its own


@dataclass(frozen=True)
class Valuation:
    """What a judge says of a position: each move as the mover sees it, the best first; None where it cannot say."""

    by: str
    moves: tuple[tuple[str, Estimate | None], ...]

    @property
    def best(self) -> tuple[str, Estimate]:
        """The best move."""
        move, estimate = self.moves[0]
        assert estimate is not None
        return move, estimate

    def of(self, move: str) -> Estimate | None:
        """What one of the moves is worth."""
        return dict(self.moves).get(move)


class Judge:
    """Asks the oracle first, if there is one, and then the agent, whose `error` may have been measured."""

    def __init__(
        self,
        oracle: Oracle | None,
        agent: Agent,
        error: float | None = None,
        *,
        seed: int = 1,
        stop: Stop | None = None,
    ) -> None:
        self.oracle, self.agent, self.error, self.seed, self.stop = oracle, agent, error, seed, stop
        self._analyses: dict[Position, Analysis] = {}  # a position is asked about for its turns, and for its luck

    def valuation(self, position: Position, played: Position | None = None, closely: int = CLOSELY) -> Valuation:
        """What the turns of a player are worth, at least the best ones and the one that led to `played`."""
        return self._known(position) or self._opinion(position, played, closely)

    def expected(self, position: Position) -> Estimate:
        """The score that the player to act can expect, before a roll or after it."""
        truth = self.oracle.truth(position) if self.oracle else None
        if truth is not None and truth.scores is None:
            return Estimate(truth.value)
        if position.chance:
            return mean([(share, self.expected(position.roll(outcome))) for outcome, share in position.outcomes()])
        return max(self._seen(position).values())

    def _known(self, position: Position) -> Valuation | None:
        asked = question(self.oracle, position, "") if self.oracle else None
        if asked is None:
            return None
        turns = sorted(position.turns(), key=lambda turn: -asked.worths[turn.end.words].place)
        return Valuation(ORACLE, tuple((turn.text, Estimate(asked.worths[turn.end.words].score)) for turn in turns))

    def _opinion(self, position: Position, played: Position | None, closely: int) -> Valuation:
        """What the agent says; moves of which it says nothing come last."""
        turns, twin = {turn.text: turn for turn in position.turns()}, twin_of(position)
        searched = any(one.visits is not None for one in self._analysed(position).moves)
        if searched and position.game.sides == 2:
            asked = [twin(turns[one.move].end) for one in self._valued(position)]
            asked = list(dict.fromkeys(asked))[:closely] + ([twin(played)] if played else [])
            known = self._looked_closely(position, asked)
        else:
            known = _means(self._seen(position), {move: twin(turn.end) for move, turn in turns.items()})
        moves = [(one.move, known.get(twin(turns[one.move].end))) for one in self._analysed(position).moves]
        moves.sort(key=lambda one: -one[1].value if one[1] else float("inf"))
        return Valuation(self.agent.name, tuple(moves))

    def _looked_closely(self, position: Position, ends: list[Position]) -> dict[Position, Estimate]:
        """What turns are worth by searches of their own, as many as there is time for."""
        known: dict[Position, Estimate] = {}
        for end in ends:
            if known and self.stop and self.stop.is_set:
                break
            known[end] = self._worth(position, end)
        return known

    def _worth(self, position: Position, end: Position) -> Estimate:
        """What the mover of a position can expect after a turn, by a search of its own; for two sides."""
        if end.scores is not None:
            return Estimate(end.scores[position.mover])
        team, acts = position.game.constants["TEAM"], end.roller if end.chance else end.mover
        return self.expected(end).turned(1 if team[acts] == team[position.mover] else -1)

    def _seen(self, position: Position) -> dict[str, Estimate]:
        """The moves that the agent has looked at well enough; a certain win, which comes first, needs no visits."""
        first, *others = self._valued(position)
        enough = SEEN * max(one.visits or 0 for one in (first, *others))
        seen = [one for one in others if one.visits is None or one.visits >= enough]
        if not seen or (first.visits or enough) >= enough or first.value == position.game.constants["BEST"]:
            seen = [first, *seen]
        return {one.move: estimate_of(position.game, one, self.error) for one in seen}

    def _valued(self, position: Position) -> list[Judged]:
        """The moves of which the agent says what they are worth, those that it likes best first."""
        valued = [one for one in self._analysed(position).moves if one.value is not None]
        if not valued:
            raise BadInput(f"{self.agent.name} does not value moves, as a judge must; take another, such as mcts.")
        return valued

    def _analysed(self, position: Position) -> Analysis:
        if position not in self._analyses:
            more = taken(self.agent.analyse, self.stop)
            self._analyses[position] = self.agent.analyse(position, stream(self.seed, "review"), **more)
        return self._analyses[position]


def _means(seen: dict[str, Estimate], names: dict[str, Position]) -> dict[Position, Estimate]:
    """By the name of twins, the mean of what is said of them."""
    together: dict[Position, list[Estimate]] = defaultdict(list)
    for move, estimate in seen.items():
        together[names[move]].append(estimate)
    return {name: mean([(1 / len(those), one) for one in those]) for name, those in together.items()}
