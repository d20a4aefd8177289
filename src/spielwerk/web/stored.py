"""Stored games for the page: the list of them, each position of one, and games and positions of other programs."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Any

from spielwerk.arena.records import formats
from spielwerk.arena.records.played import Kept, KeptGame, PlayedGames
from spielwerk.arena.records.record import Record
from spielwerk.arena.records.retrace import check, decisions
from spielwerk.arena.sitting import HUMAN, Step
from spielwerk.games.face import backgammon_ids as ids
from spielwerk.games.position import Position
from spielwerk.games.registry import kinds
from spielwerk.names import BadInput
from spielwerk.web import limits
from spielwerk.web.play.table_view import places_touched
from spielwerk.web.views import given_up, scene_facts, stage_facts, status

MOST_IMPORTED = 500
LONGEST_QUOTE = 60  # letters of what cannot be read


def listed(games: PlayedGames, before: int | None, most: int) -> list[dict[str, Any]]:
    """The last games, or the last before a number, the newest first."""
    return [_summary(one) for one in games.last(most, before)]


def frames(kept: KeptGame) -> dict[str, Any]:
    """A game with the board before each turn (after its roll) and at its end."""
    record = kept.record
    game, end, boards = limits.bounded_game(record.game), record.begin(), []
    for here, line, end in decisions(record):
        step = Step(here, line, end, False)
        made = places_touched(step) if line.move else []
        boards.append(_frame(here, line.player, line.roll, line.move, made, status(here, line.roll)))
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
    line = " ".join(plain.split())
    if ("\n" not in plain or ids.recognised(line)) and (found := _position(line)):
        return found
    records = [record for _, record in islice(formats.read(plain.splitlines(keepends=True)), MOST_IMPORTED + 1)]
    if not records:
        raise BadInput("There is no game in this text.")
    if len(records) > MOST_IMPORTED:
        raise BadInput(f"This text has more than {MOST_IMPORTED} games, the most that are imported at once.")
    for record in records:
        limits.bounded_game(record.game)
        check(record)
    return records


def store_imported(games: PlayedGames, records: list[Record]) -> list[int]:
    """Keeps games of other programs among those that were played here."""
    about = {"against": HUMAN, "seat": None, "seed": 0, "imported": True}
    return [games.begin_game(Kept(record, (0, 0)), about) for record in records]


def _position(text: str) -> tuple[str, str] | None:
    """Ids of backgammon, and positions of any game as they are written here; None of what may be a game."""
    if ids.recognised(text) and not formats.recognised(text):
        return _parsed("backgammon", text)  # or its sentence about what is wrong
    for kind in kinds():
        with suppress(BadInput):
            return _parsed(kind, text)
    if formats.recognised(text):
        return None
    quoted = text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]} …"
    raise BadInput(f'"{quoted}" is neither a position nor a game in a form that can be read here.')


def _parsed(kind: str, text: str) -> tuple[str, str]:
    game = limits.bounded_game(kind)
    return game.name, str(game.parse(text))


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
