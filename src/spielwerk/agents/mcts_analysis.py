"""What a tree search says of each turn, for people."""

from __future__ import annotations

from spielwerk.arena.analysis import Analysis, Judged
from spielwerk.games.position import Position
from spielwerk.search.trees.statistics import NodeStatistics, TreeStatistics


def analysis(position: Position, statistics: TreeStatistics, by_mean: bool) -> Analysis:
    """Visits and value of every turn; by visits or by mean, as the search decides."""
    ends = statistics.turns(position)
    whole = sum(found.visits for found in ends.values()) or 1

    def order(found: NodeStatistics) -> tuple[float, float, float]:
        """What decides in the end; a certain win comes first, a certain loss last."""
        certain, reward = {1.0: 1, 0.0: -1}.get(found.exact, 0), found.reward or 0.0
        return (certain, reward, found.visits) if by_mean else (certain, found.visits, reward)

    def score(found: NodeStatistics) -> float | None:
        return None if found.reward is None else (2 * found.reward - 1) * position.game.constants["BEST"]

    judged = []
    for turn in sorted(position.turns(), key=lambda turn: order(ends[turn.end.words]), reverse=True):
        found = ends[turn.end.words]
        judged.append(Judged(turn.text, score(found), found.visits, found.visits / whole))
    return Analysis(str(position), judged[0].value, tuple(judged))
