"""Stored games for the page: the list of them, each position of one, and games and positions of other programs."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from spielwerk.arena.records import formats
from spielwerk.arena.records.played import Kept, KeptGame, PlayedGames
from spielwerk.arena.records.record import Record
from spielwerk.arena.records.retrace import check, decisions
from spielwerk.arena.sitting import HUMAN, Step
from spielwerk.games.position import Position
from spielwerk.games.registry import kinds
from spielwerk.names import BadInput
from spielwerk.web import limits
from spielwerk.web.play.table_view import places_touched
from spielwerk.web.views import given_up, scene_facts, stage_facts, status

LISTED = 100
MOST_IMPORTED = 50
ID = re.compile(r"XGID=\S+|[A-Za-z0-9+/]{14}(?::[A-Za-z0-9+/]{12})?")


def listed(games: PlayedGames) -> list[dict[str, Any]]:
    """The last games, the newest first."""
    return [_summary(one) for one in reversed(games.games()[-LISTED:])]


def frames(kept: KeptGame) -> dict[str, Any]:
    """A game with the board before each turn (after its roll) and at its end."""
    record = kept.record
    game, end, boards = limits.bounded_game(record.game), record.begin(), []
    for here, line, end in decisions(record):
        step = Step(here, line, end, False)
        made = places_touched(step) if line.move else []
        boards.append(_frame(here, line.player, line.roll, line.move, made, status(here)))
    boards.append(_frame(end, None, None, "", [], _end(record, end)))
    about = _summary(kept) | {"stage": stage_facts(game), "frames": boards, "text": record.text()}
    return about | {"result": list(record.scores) if record.scores else None}


def _end(record: Record, end: Position) -> str:
    """How a game ended, or where it stands."""
    if record.fault and record.scores:
        return given_up(end.game, record.fault, record.scores)
    if record.cut:
        return "The game was too long, and counts as drawn."
    return status(end) if end.over else f"The game was left here. {status(end)}"


def read_import(text: str) -> tuple[str, str] | list[Record]:
    """A game and a position, or records; BadInput where nobody can read it."""
    plain = text.strip()
    if not plain:
        raise BadInput("There is nothing to import; paste a record, a transcript, a .mat match or a position.")
    if "\n" not in plain and (found := _position(plain)):
        return found
    records = [record for _, record in islice(formats.read(plain.splitlines(keepends=True)), MOST_IMPORTED)]
    if not records:
        raise BadInput("There is no game in this text.")
    for record in records:
        limits.bounded_game(record.game)
        check(record)
    return records


def store_imported(games: PlayedGames, records: list[Record]) -> list[int]:
    """Keeps games of other programs among those that were played here."""
    about = {"against": HUMAN, "seat": None, "seed": 0, "imported": True}
    return [games.begin_game(Kept(record, (0, 0)), about) for record in records]


def _position(text: str) -> tuple[str, str] | None:
    """Ids of backgammon, and positions of any game as they are written here."""
    tried = ["backgammon"] if ID.fullmatch(text) else kinds()
    for kind in tried:
        try:
            game = limits.bounded_game(kind)
            return game.name, str(game.parse(text))
        except BadInput:
            if ID.fullmatch(text):
                raise
    return None


def _frame(
    position: Position, player: int | None, roll: str | None, move: str, last: list[str], words: str
) -> dict[str, Any]:
    return {
        "position": str(position),
        "player": player,
        "roll": roll,
        "move": move,
        "touched": last,
        "status": words,
        "scene": scene_facts(position),
    }


def _summary(kept: KeptGame) -> dict[str, Any]:
    record = kept.record
    return {
        "number": kept.number,
        "game": record.game,
        "agents": list(record.agents),
        "turns": len(record.turns),
        "finished": kept.finished,
        "imported": bool(kept.settings.get("imported")),
        "scores": list(record.scores) if record.scores else None,
        "started": kept.started,
    }
