"""Backgammon for people: moves such as `8/5 6/5*`, `bar/22`, `6/off`, `13/8(2)`, `pass`.

Text of a position: 26 letters from X's side, then the player, then what is due. The letters are O's bar,
the points 1 to 24, X's bar: `.` (or `-`) empty, `A` to `O` one to fifteen checkers of X, small letters for O's.
Due: `opening`, `roll`, the dice (`31`), the second half of a double (`33/2`), or `wins`.
XGIDs and GNU Backgammon's ids are read too: `backgammon_ids.py`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from spielwerk.games.backgammon import BAR, DONE, FIRST, NONE, OPENING, PLANES, ROLL, SECOND
from spielwerk.games.face import backgammon_ids as ids
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.face import Steps
    from spielwerk.games.game import Game
    from spielwerk.games.position import Position, Turn

NAMES = ("X", "O")
TEXT = re.compile(r"([-.A-Oa-o]{26}) ([XO]) (opening|roll|wins|[1-6]{2}(?:/2)?)")
PART = re.compile(r"(bar|[0-9]{1,2})((?:/(?:off|[0-9]{1,2})\*?)+)(?:\(([1-4])\))?")


def player_names(game: Game) -> tuple[str, ...]:
    """X moves from 24 to 1 on the board as it is drawn, O the other way."""
    return NAMES


def checkers(words: tuple[int, ...], player: int) -> list[int]:
    """The player's checkers on its own points 1 to 24, then on its bar."""
    planes = _own_planes(words, player)
    return [sum((plane >> place & 1) << digit for digit, plane in enumerate(planes)) for place in range(25)]


def words_with(words: tuple[int, ...], x: list[int], o: list[int]) -> list[int]:
    """The words of a position with other checkers of X and O, each as its owner counts them."""
    return [*words[:4], *_planes(x), *_planes(o)]


def _own_planes(words: tuple[int, ...], player: int) -> tuple[int, ...]:
    """The words of a player's checkers."""
    return words[4 + PLANES * player : 4 + PLANES * (player + 1)]


def _planes(own: list[int]) -> list[int]:
    return [sum((number >> digit & 1) << place for place, number in enumerate(own)) for digit in range(PLANES)]


def write(position: Position) -> str:
    """The letters, the player and what is due."""
    x, o = (checkers(position.words, player) for player in (0, 1))
    letters = ids.letters(x, o)
    player, stage, larger, smaller = position.words[:4]
    second = "/2" if stage == SECOND else ""
    due = {ROLL: "roll", OPENING: "opening", DONE: "wins"}.get(stage, f"{larger}{smaller}{second}")
    return f"{letters} {NAMES[player]} {due}"


def read(game: Game, text: str) -> list[int]:
    """Our own text, an XGID, or GNU Backgammon's position id, alone or with its match id."""
    text = ids.own_text(text)
    match = TEXT.fullmatch(text)
    if not match:
        raise BadInput(
            f'"{text}" is not a position of backgammon; write it as "{game.start()}", as an XGID or as a GNU id.'
        )
    if match[1][0].isupper() or match[1][25].islower():
        raise BadInput(f"In \"{text}\" a checker is on the wrong bar: O's bar is the first letter, X's the last.")
    return _words(game, *ids.numbers(match[1]), NAMES.index(match[2]), match[3])


def _words(game: Game, x: list[int], o: list[int], player: int, due: str) -> list[int]:
    most = game.constants["CHECKERS"]
    for name, own in zip(NAMES, (x, o), strict=True):
        if sum(own) > most:
            raise BadInput(f"{name} has {sum(own)} checkers; {game.name} has {most}.")
    if any(x[p] and o[23 - p] for p in range(24)):
        raise BadInput("A point cannot hold checkers of both players.")
    _check_end(x, o, player, due)
    if due == "opening" and (x != o or x[:24] != game.constants["SETUP"].tolist()):
        raise BadInput('Only the starting position can be "opening"; write "roll".')
    dice = sorted(map(int, due[:2]), reverse=True) if due[0].isdigit() else [0, 0]
    if due.endswith("/2") and dice[0] != dice[1]:
        raise BadInput(f'"{due}" is not a double; only a double has a second half.')
    stages = {"roll": ROLL, "opening": OPENING, "wins": DONE}
    stage = stages.get(due, SECOND if due.endswith("/2") else FIRST)
    return [player, stage, *dice, *_planes(x), *_planes(o)]


def _check_end(x: list[int], o: list[int], player: int, due: str) -> None:
    own, other = (x, o) if player == 0 else (o, x)
    if (due == "wins") != (sum(own) == 0):
        raise BadInput(f'{NAMES[player]} has {sum(own)} checkers left; write "wins" exactly when none are left.')
    if sum(other) == 0:
        raise BadInput(f"{NAMES[1 - player]} has no checkers left and would have won already.")


def formats(game: Game) -> dict[str, Callable[[Position], str]]:
    """The ids that other backgammon programs understand."""
    return {"gnu": ids.gnu, "xgid": ids.xgid}


def more_facts(position: Position) -> dict[str, Any]:
    """The id that other backgammon programs understand, with which the player to act is on roll."""
    return {"gnu_id": ids.gnu_id(position)}


def spell_roll(game: Game, outcome: int) -> str:
    """Such as `3-1`."""
    return f"{outcome // 10}-{outcome % 10}"


def same_roll(given: str, roll: str) -> bool:
    """The dice in any order, with or without something between."""
    match = re.fullmatch(r"\s*([1-6])[\s,:/-]*([1-6])\s*", given)
    return match is not None and sorted(match.groups()) == sorted(roll.split("-"))


def spell(steps: Steps, end: Position) -> str:
    """The checkers' journeys, from the highest point down, hits marked."""
    journeys: list[list[tuple[int, str]]] = []  # (place, "*" or "") of each stop
    hit: set[int] = set()
    for position, action in steps:
        for origin, target in _targets(position, action):
            star = "*" if target >= 0 and target not in hit and _blot(position, target) else ""
            hit |= {target} if star else set()
            begun = next((journey for journey in journeys if journey[-1][0] == origin), None)
            if begun is None:
                begun = [(origin, "")]
                journeys.append(begun)
            begun.append((target, star))
    texts = Counter(_journey(journey) for journey in sorted(journeys, reverse=True))
    return " ".join(text + (f"({n})" if n > 1 else "") for text, n in texts.items()) or "pass"


def _targets(position: Position, action: int) -> list[tuple[int, int]]:
    """(origin, target) of the one or two checkers that the action moves; a target below 0 is off."""
    dice = position.words[2:4] if action % 2 == 0 else position.words[3:1:-1]
    origins = (action // 52, action // 2 % 26)
    return [(origin, max(origin - die, -1)) for origin, die in zip(origins, dice, strict=True) if origin != NONE]


def _blot(position: Position, target: int) -> bool:
    return any(plane >> 23 - target & 1 for plane in _own_planes(position.words, 1 - position.mover))


def _journey(stops: list[tuple[int, str]]) -> str:
    shown = [stops[0], *(stop for stop in stops[1:-1] if stop[1]), stops[-1]]
    return "/".join({BAR: "bar", -1: "off"}.get(place, str(place + 1)) + star for place, star in shown)


def understand(position: Position, turns: list[Turn], text: str) -> list[Turn]:
    """Turns that move the same checkers; a hit that is marked must happen, one that is not may."""
    text = text.lower().replace(",", " ")
    if text.strip() in ("", "pass", "-"):
        return [turn for turn in turns if text.strip() and turn.text == "pass"]
    change: Counter[int] = Counter()
    stars: set[int] = set()
    for part in text.split():
        match = PART.fullmatch(part)
        stops = [match[1], *match[2][1:].split("/")] if match else []
        places = [_place(stop) for stop in stops]
        if not match or not all(_makes(position, *hop) for hop in pairwise(places)):
            return []
        change[places[0]] -= int(match[3] or 1)
        change[places[-1]] += int(match[3] or 1)
        stars |= {place for place, stop in zip(places, stops, strict=True) if stop.endswith("*")}
    wanted = _planes_after(position, change)
    same = [turn for turn in turns if _own_planes(turn.end.words, position.mover) == wanted and stars <= _hits(turn)]
    return [turn for turn in same if _hits(turn) == stars] or same


def _makes(position: Position, origin: int, target: int) -> bool:
    """Whether dice rolled can add up to a way down from one place to another."""
    larger, smaller = position.words[2:4]
    sums = {larger, smaller, larger + smaller} | ({3 * larger, 4 * larger} if larger == smaller else set())
    return origin > target and (target == -1 or origin - target in sums)


def _place(stop: str) -> int:
    name = stop.strip("*")
    return {"bar": BAR, "off": -1}[name] if name in ("bar", "off") else int(name) - 1


def _planes_after(position: Position, change: Counter[int]) -> tuple[int, ...] | None:
    """The words of the mover's checkers, so many more or less on each place (-1 is off); None where that cannot be."""
    own = [number + change[place] for place, number in enumerate(checkers(position.words, position.mover))]
    known = all(place <= BAR or not number for place, number in change.items())
    return tuple(_planes(own)) if known and all(0 <= number < 1 << PLANES for number in own) else None


def _hits(turn: Turn) -> set[int]:
    before = turn.steps[0][0]
    old, new = (checkers(words, 1 - before.mover) for words in (before.words, turn.end.words))
    return {23 - place for place in range(24) if new[place] < old[place]}


def board(position: Position) -> str:
    """Points as the player to act counts them; of more than five checkers the outermost is their number."""
    return board_from(position, 0)


def board_from(position: Position, seat: int) -> str:
    """The board with the home of one player at the bottom right."""
    own, other = (checkers(position.words, player) for player in (seat, 1 - seat))
    signed = [own[point] - other[23 - point] for point in range(24)]
    names = NAMES[seat], NAMES[1 - seat]
    top, bottom = list(range(12, 24)), list(range(11, -1, -1))
    labels = [point + 1 if position.words[0] == seat else 24 - point for point in range(24)]
    rows = [_columns([f"{labels[point]:2}" for point in top]), _edge()]
    rows += [_row(names, signed, top, height, -other[BAR]) for height in range(5)]
    rows += [_columns(["  "] * 12, "BAR")]
    rows += [_row(names, signed, bottom, height, own[BAR]) for height in reversed(range(5))]
    rows += [_edge(), _columns([f"{labels[point]:2}" for point in bottom])]
    most = position.game.constants["CHECKERS"]
    off = (f"{name} {most - sum(checkers(position.words, player))}" for player, name in enumerate(NAMES))
    return "\n".join([*rows, f"borne off: {', '.join(off)}; {_standing(position)}"])


def _standing(position: Position) -> str:
    """Who is to do what, or has won."""
    player, stage, larger, smaller = position.words[:4]
    due = {ROLL: "to roll", OPENING: "to roll", DONE: "has won"}.get(stage, f"to play {larger}-{smaller}")
    return f"{NAMES[player]} {due}"


def _edge() -> str:
    return f"+{'-' * 25}+-----+{'-' * 25}+"


def _columns(cells: list[str], bar: str = "") -> str:
    left, right = ("".join(f" {cell} " for cell in part) for part in (cells[:6], cells[6:]))
    return f"|{left} |{bar:^5}|{right} |"


def _row(names: tuple[str, str], signed: list[int], points: list[int], height: int, bar: int) -> str:
    """The checkers at one height from the edge; positive numbers are those of the first of the names."""
    cells = []
    for number in (signed[point] for point in points):
        counted = height == 0 and abs(number) > 5
        letter = names[number < 0] if abs(number) > height else ""
        cells.append(f"{abs(number) if counted else letter:>2}")
    shown = f"{names[bar < 0]} {abs(bar)}" if bar and height == 2 else ""
    return _columns(cells, shown)
