"""Records: one game as readable text or as one line of JSON. `docs/records.md` describes both."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from spielwerk.data import json_text
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.games.registry import game as game_of

UNFINISHED = "…"  # ends the last move of a game that was cut or forfeited in the middle of a turn
NO_RESULT = "*"  # the result of a game that was left before its end, as chess players write it


class Line(NamedTuple):
    """One turn of a game."""

    player: int
    roll: str | None  # None where no roll was due
    move: str  # empty where the game stopped after the roll
    comment: str = ""  # such as what was done with a cube; no rule knows of it

    def facts(self) -> dict[str, Any]:
        """What JSON says of it."""
        facts = self._asdict()
        return facts if self.comment else {key: facts[key] for key in facts if key != "comment"}


@dataclass(frozen=True)
class Record:
    """One game, from its start to its result."""

    game: str
    agents: tuple[str, ...]  # by seat
    turns: tuple[Line, ...]
    scores: tuple[float, ...] | None  # None: the game was left before its end
    start: str | None = None  # the first position, if it is not the game's own start
    fault: tuple[int, str] | None = None  # the player who forfeited, and why
    cut: bool = False  # the game was too long, and counts as drawn
    headers: Mapping[str, str] = field(default_factory=dict)  # whatever else is known, such as the seed

    def begin(self, game: Game | None = None) -> Position:
        """The first position; `game` may be the same game for another target."""
        game = game or game_of(self.game)
        return game.start() if self.start is None else game.parse(self.start)

    def text(self) -> str:
        """Headers, a blank line, and a turn a line."""
        game = game_of(self.game)
        lines = [written(game, number, turn) for number, turn in enumerate(self.turns, 1)]
        return "\n".join([*self._headers(game), "", *lines]) + "\n"

    def json(self) -> str:
        """One object on one line."""
        return json_text(self.facts(), ensure_ascii=False)

    def facts(self) -> dict[str, Any]:
        """What `json` writes."""
        fault = {"player": self.fault[0], "reason": self.fault[1]} if self.fault else None
        return {
            "game": self.game,
            "agents": self.agents,
            "headers": dict(self.headers),
            "start": self.start,
            "turns": [turn.facts() for turn in self.turns],
            "scores": self.scores,
            "fault": fault,
            "cut": self.cut,
        }

    def _headers(self, game: Game) -> list[str]:
        lines = [_header("Game", self.game), _header("Agents", *self.agents)]
        lines += [_header(key, value) for key, value in self.headers.items()]
        lines += [_header("Start", self.start)] if self.start is not None else []
        lines += [_header("Result", result_text(self.scores))]
        lines += [_header("Fault", game.player_names[self.fault[0]], self.fault[1])] if self.fault else []
        return lines + ([_header("Cut", "too long, counts as drawn")] if self.cut else [])


def written(game: Game, number: int, turn: Line) -> str:
    """A turn as a line of text: number, player, roll, move, and a comment in braces."""
    before = f"{number:3}. {game.player_names[turn.player]}"
    after = f" {{{turn.comment}}}" if turn.comment else ""
    if turn.roll is not None:
        return f"{before} {turn.roll}: {turn.move}".rstrip() + after
    # Where a roll could stand, a move with a colon of its own must not look like one.
    colon = ": " if ":" in turn.move and game.constants["MOST_OUTCOMES"] else ""
    return f"{before} {colon}{turn.move}{after}"


def score_text(score: float) -> str:
    """Such as +1, -0.5 or 0: as short as is exact."""
    short = f"{score:+g}"
    return "0" if score == 0 else short if float(short) == score else f"{score:+}"


def result_text(scores: Sequence[float] | None) -> str:
    """The score of each player, or that there is none."""
    return NO_RESULT if scores is None else " ".join(map(score_text, scores))


def _header(key: str, *values: str) -> str:
    return f"[{key} {' '.join(json.dumps(value, ensure_ascii=False) for value in values)}]"
