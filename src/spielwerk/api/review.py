"""`sw.review`: a game turn by turn, with what each turn cost."""

from __future__ import annotations

from contextlib import closing

from spielwerk.agents.registry import agent as agent_of
from spielwerk.arena.agent import Agent
from spielwerk.arena.records.record import Record
from spielwerk.arena.reviewing.judge import Judge
from spielwerk.arena.reviewing.review import Review
from spielwerk.arena.reviewing.reviewer import Progress, review_of
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput
from spielwerk.solvers.oracle import Oracle, oracle

JUDGE = "mcts:iterations=2000"  # where nobody names another one


def review(
    record: Record,
    judge: str | Agent = JUDGE,
    *,
    luck: bool = True,
    seed: int = 1,
    callback: Progress = lambda done: None,
) -> Review:
    """Goes through a game with a judge: the game's oracle where it knows, and elsewhere the agent `judge`.

    `luck` values every roll against all that could have been rolled, which takes as many analyses; `callback` receives
    the number of turns done.
    """
    game = game_of(record.game)
    thinker = agent_of(judge, game) if isinstance(judge, str) else judge
    if not isinstance(judge, str):
        return review_of(record, Judge(known(game), thinker, seed), luck, callback)
    with closing(thinker):
        return review_of(record, Judge(known(game), thinker, seed), luck, callback)


def known(game: Game) -> Oracle | None:
    """The oracle of a game, if it can say anything here."""
    try:
        found = oracle(game)
        found.ready()
    except BadInput:  # it is too large to be solved, or no table is here
        return None
    return found
