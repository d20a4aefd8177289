"""The whole games that a history keeps: of each champion against the one before, and against one of all before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from spielwerk.arena.playing.boards import forfeited
from spielwerk.arena.records.record import Record
from spielwerk.arena.records.retrace import recorded
from spielwerk.games.game import Game
from spielwerk.games.outputs import ILLEGAL
from spielwerk.games.position import Position
from spielwerk.learn.evolution.history.history import GAMES, NOTHING, History

ILLEGAL_OUTPUT = "an output that is no legal move"
SOME = 8  # starts that are looked at


@dataclass(frozen=True)
class WholeGame:
    """A game of the champion of a generation against that of an earlier one."""

    generation: int
    against: int
    seats: tuple[bool, ...]  # those of the champion
    record: Record
    start: str  # where starts are drawn, and else where it is not the usual one; "" otherwise
    end: Position
    kept: int  # actions and rolls
    whole: bool  # whether these are all; otherwise the result is not known

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        about = {"generation": self.generation, "against": self.against, "whole": self.whole}
        unknown = {} if self.whole else {"scores": None, "cut": False}
        return about | self.record.facts() | {"start": self.start or None} | unknown


def whole_games(history: History, game: Game, generation: int) -> Iterator[WholeGame]:
    """The games that are kept of a generation; the first one has none."""
    for k in range(GAMES):
        against = int(history.against[generation, k])
        if against >= 0:
            yield _whole_game(history, game, generation, k, against)


def _whole_game(history: History, game: Game, generation: int, k: int, against: int) -> WholeGame:
    trace = [number for number in history.traces[generation, k].tolist() if number != NOTHING]
    failed = bool(trace) and trace[-1] == ILLEGAL
    played = trace[:-1] if failed else trace
    team, start = history.teams[generation, k], Position(game, history.starts[generation, k])
    seats = tuple(bool(game.constants["TEAM"][player] == team) for player in range(game.players))
    agents = [f"champion {generation if mine else against}" for mine in seats]
    end = _end(start, played)
    fault = (end.mover, ILLEGAL_OUTPUT) if failed else None
    scores = end.scores or (forfeited(game, end.mover).tolist() if failed else [0.0] * game.players)
    record = recorded(start, played, agents, scores, fault)
    whole = end.over or failed or len(trace) < history.traces.shape[2]
    begun = str(start) if _draws_starts(game) else record.start or ""
    return WholeGame(generation, against, seats, record, begun, end, len(played), whole)


def _draws_starts(game: Game) -> bool:
    """Whether games may begin in different positions."""
    return len({game.start(seed) for seed in range(SOME)}) > 1


def _end(position: Position, trace: list[int]) -> Position:
    """Where actions and rolls lead."""
    game, state, here = position.game, position.state, position
    for number in trace:
        game.rule("roll" if here.chance else "play")(state, number)
        here = Position(game, state)
    return here
