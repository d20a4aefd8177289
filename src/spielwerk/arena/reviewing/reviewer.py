"""Going through a record with a judge.

A turn is judged by its regret, in score units: next to nothing (the best), inaccurate, a mistake, a blunder. Where
scores are equities, as in backgammon, the limits are those that its players use. What is not more than the judge's own
error is never called worse than good. A blunder that gives a won position away is a missed win, another one after which
the game is lost a losing blunder.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from spielwerk.arena.records.record import UNFINISHED, Line, Record
from spielwerk.arena.records.retrace import check, positions
from spielwerk.arena.reviewing.estimate import Estimate, margin
from spielwerk.arena.reviewing.judge import Judge
from spielwerk.arena.reviewing.review import (
    BAD,
    BEST,
    BLUNDER,
    FORCED,
    GOOD,
    LOSING_BLUNDER,
    MISSED_WIN,
    MISTAKE,
    SMALL,
    UNKNOWN,
    WELL,
    PlayerReview,
    Review,
    ReviewedTurn,
)
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.games.registry import game as game_of

WON = 0.9  # the value from which on a position counts as won, and with its sign changed as lost
DIGITS = 9  # of a regret
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
    given = judge.expected(here).value - judge.expected(before).value if luck and before.chance else None
    roll = None if here is before else next(text for text in before.rolls() if before.roll(text) == here)
    if not line.move or line.move.endswith(UNFINISHED):
        return ReviewedTurn(number, line.player, roll, line.move, "", None, None, None, UNKNOWN, "", given)
    turns = here.turns()
    move = next((turn.text for turn in turns if turn.end == after), line.move)
    said = judge.valuation(here, after)
    (best, value), played = said.best, said.of(move)
    regret, error = (None, None) if played is None else (regret_of(value, played), margin(value, played))
    verdict = FORCED if len(turns) == 1 else called(before.game, value, played)
    better = best if verdict not in (*WELL, FORCED) and best != move else ""
    return ReviewedTurn(number, line.player, roll, move, said.by, value.value, regret, error, verdict, better, given)


def regret_of(best: Estimate, played: Estimate) -> float:
    """What a turn costs against the best one."""
    return max(round(best.value - played.value, DIGITS), 0.0)


def called(game: Game, best: Estimate, played: Estimate | None) -> str:
    """What a turn is called beside the best one."""
    if played is None:
        return UNKNOWN
    regret, limits = regret_of(best, played), EQUITIES if game.equities else SCORES
    if regret < limits.small:
        return BEST
    if regret <= margin(best, played):
        return GOOD
    if regret < limits.blunder:
        return SMALL if regret < limits.mistake else MISTAKE
    if best.value >= WON > played.value:
        return MISSED_WIN
    return LOSING_BLUNDER if played.value <= -WON < best.value else BLUNDER


def _player(game: Game, player: int, name: str, turns: list[ReviewedTurn]) -> PlayerReview:
    own = [turn for turn in turns if turn.player == player]
    decisions = [turn for turn in own if turn.verdict not in (FORCED, UNKNOWN)]
    count = {verdict: sum(turn.verdict == verdict for turn in decisions) for verdict in (*WELL, *BAD)}
    luck = [turn.luck for turn in own if turn.luck is not None]
    return PlayerReview(
        player=player,
        name=name,
        decisions=len(decisions),
        regret=sum(turn.regret or 0.0 for turn in decisions),
        accuracy=(count[BEST] + count[GOOD]) / len(decisions) if decisions else None,
        mistakes=count[MISTAKE],
        blunders=count[BLUNDER],
        missed_wins=count[MISSED_WIN],
        losing_blunders=count[LOSING_BLUNDER],
        luck=sum(luck) if luck else None,
    )
