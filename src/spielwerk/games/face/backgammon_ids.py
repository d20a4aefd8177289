"""Positions as other backgammon programs write them: XGIDs, and GNU Backgammon's position and match ids.

An XGID has ten fields: the letters of our own text, the cube, its owner, whose turn it is (1: X), the dice, the score
of both, a rule of the match, its length, the highest cube. GNU's position id counts the checkers of the player who is
not on roll, then those of the one who is; its match id says who that is (1: X), the dice, the cube and the score. Of
the cube and the score a position of Spielwerk knows nothing: they are not read, and written as in a game for money.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.position import Position

XGID = re.compile(r"(?:XGID=)?([-a-oA-O]{26}):(\d+):(-?[01]):(-?1):([0-6]{2}|[DBR]):(\d+):(\d+):(\d+):(\d+):(\d+)")
GNU = re.compile(r"(?:Position ID\s*:\s*)?([A-Za-z0-9+/]{14})(?:(?::|\s+Match ID\s*:\s*)([A-Za-z0-9+/]{12}))?", re.I)
LIKE_XGID, LIKE_GNU = re.compile(r"XGID=|[-a-oA-O]{26}:"), re.compile(r"(?:Position|Match) ID\s*:", re.I)
PLAYING = 1  # the state of a game, in a match id
CENTRED = 3  # the owner of a cube in the middle, in a match id


def own_text(text: str) -> str:
    """The text of Spielwerk for an id, or the text itself where it is none."""
    match = GNU.fullmatch(text)
    if match:
        return _from_gnu(match[1], match[2])
    if LIKE_GNU.match(text):
        raise BadInput(f'"{text}" is not an id of GNU Backgammon; one looks like "4HPwATDgc/ABMA:cAkAAAAAAAAA".')
    return _from_xgid(text) if LIKE_XGID.match(text) else text


def recognised(text: str) -> bool:
    """Whether a text looks like an id, right or wrong."""
    return any((GNU.fullmatch(text), LIKE_XGID.match(text), LIKE_GNU.match(text)))


def xgid(position: Position) -> str:
    """The XGID of a position."""
    places, player, dice = _parts(position, "XGID")
    return f"XGID={places.replace('.', '-')}:0:0:{1 if player == 'X' else -1}:{dice}:0:0:0:0:10"


def gnu(position: Position) -> str:
    """The position id and the match id of a position."""
    _, player, dice = _parts(position, "GNU id")
    fields = ((0, 4), (CENTRED, 2), (player == "X", 1), (0, 1), (PLAYING, 3), (player == "X", 1), (0, 3))
    key = at = 0
    for value, width in (*fields, (int(dice[0]), 3), (int(dice[1]), 3)):
        key |= value << at
        at += width
    return f"{gnu_id(position)}:{base64.b64encode(key.to_bytes(9, 'little')).decode()}"


def gnu_id(position: Position) -> str:
    """GNU Backgammon's position id; the player to act is the one on roll there."""
    places, player, _ = str(position).split()
    x, o = numbers(places)
    return _key([*o, *x] if player == "X" else [*x, *o])


def letters(x: list[int], o: list[int]) -> str:
    """26 letters for the checkers of each, on its own points 1 to 24 and its bar: O's bar, the points, X's bar."""
    signed = [-o[24], *(x[place] - o[23 - place] for place in range(24)), x[24]]
    return "".join(chr(64 + n) if n > 0 else chr(96 - n) if n < 0 else "." for n in signed)


def numbers(places: str) -> tuple[list[int], list[int]]:
    """The checkers of X and of O, each on its own points 1 to 24 and its bar, that 26 letters say."""
    signed = [0 if c in ".-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in places]
    return [max(n, 0) for n in signed[1:]], [max(-signed[24 - place], 0) for place in range(24)] + [-signed[0]]


def _parts(position: Position, what: str) -> tuple[str, str, str]:
    """The letters, the player, and the dice or 00."""
    places, player, due = str(position).split()
    if due == "wins" or due.endswith("/2"):
        when = "a game that is over" if due == "wins" else "the middle of a turn"
        raise BadInput(f"There is no {what} for {when}.")
    return places, player, due if due.isdigit() else "00"


def _from_xgid(text: str) -> str:
    match = XGID.fullmatch(text)
    if not match:
        raise BadInput(
            f'"{text}" is not an XGID; one looks like "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".'
        )
    if match[5] in "DBR":
        raise BadInput(f'"{text}" is a cube decision, which Spielwerk does not support.')
    return f"{match[1]} {'X' if match[4] == '1' else 'O'} {_due(match[5], text)}"


def _from_gnu(position: str, match_id: str | None) -> str:
    mover, other = _checkers(position)
    if match_id is None:
        return f"{letters(mover, other)} X roll"
    try:
        key = int.from_bytes(base64.b64decode(match_id, validate=True), "little")
    except binascii.Error:
        raise BadInput(f'"{match_id}" is not a match id.') from None
    if key >> 12 & 7:
        raise BadInput(
            f'"{position}:{match_id}" is a decision about the cube or a resignation, which Spielwerk does not support.'
        )
    due = _due(f"{key >> 15 & 7}{key >> 18 & 7}", match_id)
    by_x = key >> 6 & 1
    return f"{letters(mover, other) if by_x else letters(other, mover)} {'X' if by_x else 'O'} {due}"


def _due(dice: str, text: str) -> str:
    if dice == "00":
        return "roll"
    if not re.fullmatch("[1-6]{2}", dice):
        raise BadInput(f'"{text}" has dice that cannot be rolled: {dice[0]} and {dice[1]}.')
    return dice


def _key(checkers: list[int]) -> str:
    """As many ones as checkers are on each place, each place closed by a zero, in 80 bits."""
    bits = "".join("1" * number + "0" for number in checkers)[:80]
    key = int(bits.ljust(80, "0")[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(key).decode()[:14]


def _checkers(text: str) -> tuple[list[int], list[int]]:
    """The checkers of the player on roll and of the other."""
    key = int.from_bytes(base64.b64decode(text + "=="), "little")
    places = f"{key:080b}"[::-1].split("0")[:50]
    found = [len(ones) for ones in places] + [0] * (50 - len(places))
    if max(found) > 15:
        raise BadInput(f'"{text}" is not a position id: it has {max(found)} checkers on one point.')
    if _key(found) != text:
        raise BadInput(f'"{text}" is not a position id: something follows the last point.')
    return found[25:], found[:25]
