"""The usual judge of a game: who says what moves are worth where the oracle does not know and nobody names another one.

Where a trained agent comes with the package it is that: in games with dice `td`, which values all moves at once, and in
others `alphazero`, which looks at the moves that count by searches of their own. Elsewhere it is a search by playouts.

Their error was measured: nine of ten moves that cost nothing by the truth cost at most so much by the judge
(`benchmarks/judges.py`; `arena/reviewing/estimate.py` says what the error of any other agent is).
"""

from __future__ import annotations

from spielwerk import names
from spielwerk.api.arguments import as_agent
from spielwerk.arena.agent import Agent
from spielwerk.arena.reviewing.judge import Judge
from spielwerk.games.game import Game
from spielwerk.learn.shipped import shipped_network
from spielwerk.names import BadInput
from spielwerk.search.stop import Stop
from spielwerk.solvers.oracle import Oracle, oracle

SEARCH = "mcts:iterations=2000"
MEASURED = {  # by the kind of the agent and of the game
    ("td", "backgammon"): 0.03,
    ("td", "einstein"): 0.05,  # a guess: 0.003 on 4×4, where the truth is known; larger boards are harder
    ("alphazero", "morris"): 0.42,
    ("alphazero", "othello"): 0.28,
}


def usual_judge(game: Game) -> str:
    """The name of the agent that judges a game."""
    kinds = ("td", "alphazero") if game.constants["MOST_OUTCOMES"] else ("alphazero", "td")
    return next((kind for kind in kinds if shipped_network(kind, game)), SEARCH)


def judge_of(game: Game, by: str | Agent = "", *, seed: int = 1, stop: Stop | None = None) -> Judge:
    """The oracle where it knows, and elsewhere the agent named, or the usual one; whoever named it closes it."""
    thinker = as_agent(usual_judge(game) if by == "" else by, game)
    return Judge(known(game), thinker, measured_error(thinker), seed=seed, stop=stop)


def measured_error(judge: Agent) -> float | None:
    """Of a difference of two values by a judge as it comes with the package; None where nobody has measured it."""
    kind, settings = names.split(judge.name)
    return None if settings else MEASURED.get((kind, judge.game.kind))


def known(game: Game) -> Oracle | None:
    """The oracle of a game, if it can say anything here."""
    try:
        found = oracle(game)
        found.ready()
    except BadInput:  # it is too large to be solved, or no table is here
        return None
    return found
