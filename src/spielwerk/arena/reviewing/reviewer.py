"""Going through a record with a judge.

A turn is judged by its regret, in score units: next to nothing (the best), inaccurate, a mistake, a blunder. Where
scores are equities, as in backgammon, the limits are those that its players use. A blunder in a won position is a
missed win.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from spielwerk.arena.records.record import UNFINISHED, Line, Record
from spielwerk.arena.records.retrace import check, positions
from spielwerk.arena.reviewing.judge import Judge
from spielwerk.arena.reviewing.review import (
    BAD,
    BEST,
    BLUNDER,
    FORCED,
    MISSED_WIN,
    MISTAKE,
    SMALL,
    UNKNOWN,
    PlayerReview,
    Review,
    ReviewedTurn,
)
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.games.registry import game as game_of

WON = 0.9  # the value from which on a position counts as won
Progress = Callable[[int], None]  # receives the number of turns done


class Limits(NamedTuple):
    """The regret from which on a turn is what it is called."""

    small: float
    mistake: float
    blunder: float


SCORES, EQUITIES = Limits(0.01, 0.1, 0.25), Limits(0.005, 0.04, 0.08)


def review_of(record: Record, judge: Judge, luck: bool = True, callback: Progress = lambda done: None) -> Review:
    """What each turn of a game cost; every turn must keep the rules."""
    check(record)
    game, turns = game_of(record.game), []
    before = record.begin()
    for line, after in positions(record):
        turns.append(_reviewed(judge, len(turns) + 1, before, line, after, luck))
        before = after
        callback(len(turns))
    players = tuple(_player(game, player, record.agents[player], turns) for player in range(game.players))
    return Review(record.game, record.agents, record.scores, game.player_names, tuple(turns), players)


def _reviewed(judge: Judge, number: int, before: Position, line: Line, after: Position, luck: bool) -> ReviewedTurn:
    here = before.roll(line.roll) if before.chance and line.roll is not None else before
    given = judge.expected(here) - judge.expected(before) if luck and before.chance else None
    roll = None if here is before else next(text for text in before.rolls() if before.roll(text) == here)
    if not line.move or line.move.endswith(UNFINISHED):
        return ReviewedTurn(number, line.player, roll, line.move, "", None, None, UNKNOWN, "", given)
    turns = here.turns()
    move = next((turn.text for turn in turns if turn.end == after), line.move)
    said = judge.verdict(here, after)
    regret = None if said.played is None else max(round(said.value - said.played, 9), 0.0)
    verdict = FORCED if len(turns) == 1 else called(before.game, said.value, regret)
    better = said.best if verdict not in (BEST, FORCED) and said.best != move else ""
    return ReviewedTurn(number, line.player, roll, move, said.by, said.value, regret, verdict, better, given)


def called(game: Game, value: float, regret: float | None) -> str:
    """What a turn is called that costs so much of the value of the best one."""
    limits = EQUITIES if game.equities else SCORES
    if regret is None:
        return UNKNOWN
    if regret < limits.mistake:
        return BEST if regret < limits.small else SMALL
    if regret < limits.blunder:
        return MISTAKE
    return MISSED_WIN if value >= WON else BLUNDER


def _player(game: Game, player: int, name: str, turns: list[ReviewedTurn]) -> PlayerReview:
    own = [turn for turn in turns if turn.player == player]
    decisions = [turn for turn in own if turn.verdict not in (FORCED, UNKNOWN)]
    count = {verdict: sum(turn.verdict == verdict for turn in decisions) for verdict in (BEST, *BAD)}
    luck = [turn.luck for turn in own if turn.luck is not None]
    return PlayerReview(
        player=player,
        name=name,
        decisions=len(decisions),
        regret=sum(turn.regret or 0.0 for turn in decisions),
        accuracy=count[BEST] / len(decisions) if decisions else None,
        mistakes=count[MISTAKE],
        blunders=count[BLUNDER],
        missed_wins=count[MISSED_WIN],
        luck=sum(luck) if luck else None,
    )
