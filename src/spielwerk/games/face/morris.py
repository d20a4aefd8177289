"""Morris for people: `d6` places, `d6-d7` slides or jumps, `c3xa4` and `a4-a7xd2` take.

A position is `********/********/******** w p p 0 9 0 9`: the rings from the inner to the outer one, each
clockwise from its top middle (O white, @ black), the mover, its phase (p placing, m moving), what is due
(p place, s select, r remove), and men on the board and in hand of white and of black. Then, where they
are not 0: `q12` quiet turns, `t57` turns, and with `repeat` the slides of the quiet turns, `ra1a4.d6d7`.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from spielwerk.games.boards.morris import board_lines, places
from spielwerk.games.morris import (
    DRAWN,
    DUE,
    HAND,
    LOST,
    MEN,
    PAST,
    PLAYED,
    STATUS,
    STILL,
    begin_turn,
)
from spielwerk.games.position import Position
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.face import Steps
    from spielwerk.games.game import Game
    from spielwerk.games.position import Turn

NAMES = ("white", "black")
LETTERS = "O@"
FORM = re.compile(
    r"(?P<board>[O@*/]+) (?P<mover>[wb]) (?P<phase>[pm]) (?P<due>[psr])(?P<men>(?: [0-9]{1,2}){4})"
    r"(?: q(?P<q>[0-9]{1,7}))?(?: t(?P<t>[0-9]{1,7}))?(?: r(?P<r>[a-g1-7.]+))?"
)
GLYPHS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # lines that go 1 up, 2 right, 4 down, 8 left


def player_names(game: Game) -> tuple[str, ...]:
    """White begins."""
    return NAMES


@cache
def point_names(rules: str) -> tuple[str, ...]:
    """The points' names, such as a7, by number."""
    points = places(rules)
    rings = points[-1][0]
    return tuple(f"{'abcdefg'[x + rings]}{y + rings + 1}" for x, y in points)


def write(position: Position) -> str:
    """The rings, the mover, its phase and what is due, the men, and the counters that are not 0."""
    words = position.words
    who = words[STATUS] & 1
    placing = "p" if words[HAND + who] else ""
    letters = _letters(position)
    rings = "/".join("".join(letters[point] for point in ring) for ring in rings_of(position.game.settings.rules))
    men = [f"{words[MEN + side].bit_count()} {words[HAND + side]}" for side in (0, 1)]
    parts = [rings, "wb"[who], placing or "m", "r" if words[DUE] else placing or "s", *men]
    parts += [f"{label}{words[i]}" for label, i in (("q", STILL), ("t", PLAYED)) if words[i]]
    if len(words) > PAST and words[STILL]:
        parts.append("r" + ".".join(_slides_so_far(position)))
    return " ".join(parts)


def read(game: Game, text: str) -> list[int]:
    """The words that play would have given; the end of the game follows from the board and the counters."""
    match = FORM.fullmatch(text)
    if not match:
        form = "rings, mover, phase, what is due, men on the board and in hand"
        raise BadInput(f'"{text}" is not a position of {game.name}; write {form}, such as "{game.start()}".')
    who = "wb".index(match["mover"])
    white, white_hand, black, black_hand = map(int, match["men"].split())
    words = [who, *_men(game, match["board"]), white_hand, black_hand, 0, int(match["q"] or 0), int(match["t"] or 0)]
    _check_men(game, words, (white, black))
    _check_due(game, words, match["phase"], match["due"])
    _check_counters(game, words)
    if match["r"] or (game.settings.repeat and words[STILL]):
        return _with_past(game, words, (match["r"] or "").split("."))
    return _begun(game, words)


def spell(steps: Steps, end: Position) -> str:
    """Where the man goes, or whence and where, and the man taken."""
    names = point_names(end.game.settings.rules)
    text = ""
    for position, action in steps:
        source, target = divmod(action, len(names))
        before = "x" if position.words[DUE] else f"{names[source]}-" if source < len(names) else ""
        text += before + names[target]
    return text


def understand(position: Position, turns: list[Turn], text: str) -> list[Turn]:
    """In any case, with or without spaces and dashes; the man taken may be left out."""
    given = _plain(text)
    if position.words[DUE]:
        given = "x" + given.removeprefix("x")
    exact = [turn for turn in turns if _plain(turn.text) == given]
    return exact or [turn for turn in turns if _plain(turn.text).partition("x")[0] == given]


def board(position: Position) -> str:
    """The board with its lines, and men in hand beside it."""
    rules = position.game.settings.rules
    rings = places(rules)[-1][0]
    canvas = _canvas(board_lines(rules), rings)
    for (x, y), letter in zip(places(rules), _letters(position), strict=True):
        if letter != "*":
            canvas[2 * (rings - y)][4 * (rings + x)] = letter
    rows = ["".join(row) for row in canvas]
    for i in range(len(rows)):
        rows[i] = f"{len(rows) // 2 + 1 - i // 2 if i % 2 == 0 else ' '}  {rows[i]}"
    rows[0] += f"    @ black  {position.words[HAND + 1]} in hand"
    rows[2] += f"    O white  {position.words[HAND]} in hand"
    rows[-1] += f"    {_standing(position)}"
    return "\n".join([*(row.rstrip() for row in rows), "   " + "   ".join("abcdefg"[: 2 * rings + 1])])


def more_facts(position: Position) -> dict[str, Any]:
    """Where the men are, how many are in hand, and whether a man is to be taken."""
    letters = _letters(position)
    names = point_names(position.game.settings.rules)
    men = [[name for name, letter in zip(names, letters, strict=True) if letter == one] for one in LETTERS]
    return {"men": men, "hand": list(position.words[HAND:DUE]), "removal": bool(position.words[DUE])}


@cache
def rings_of(rules: str) -> list[list[int]]:
    """The points of each ring, the inner one first, clockwise from the top middle."""
    points = places(rules)
    ways = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    return [[points.index((r * x, r * y)) for x, y in ways] for r in range(1, points[-1][0] + 1)]


def _letters(position: Position) -> list[str]:
    white, black = position.words[MEN : MEN + 2]
    points = range(position.game.constants["POINTS"])
    return ["O" if white >> point & 1 else "@" if black >> point & 1 else "*" for point in points]


def _slides_so_far(position: Position) -> list[str]:
    """The slides that led from each remembered position to the next, and to this one."""
    names = point_names(position.game.settings.rules)
    words = position.words
    men = [(word & (1 << len(names)) - 1, word >> len(names)) for word in words[PAST : PAST + words[STILL]]]
    slides = []
    for (white, rest), (white_next, rest_next) in pairwise([*men, words[MEN : MEN + 2]]):
        left, reached = white & ~white_next, white_next & ~white
        if not left:
            black, black_next = (mask & (1 << len(names)) - 1 for mask in (rest, rest_next))
            left, reached = black & ~black_next, black_next & ~black
        slides.append(names[left.bit_length() - 1] + names[reached.bit_length() - 1])
    return slides


def _men(game: Game, text: str) -> list[int]:
    """The masks of white's and black's men."""
    rings = rings_of(game.settings.rules)
    if [len(ring) for ring in text.split("/")] != [8] * len(rings):
        raise BadInput(f'The board of {game.name} is {len(rings)} rings of 8 points joined by "/", not "{text}".')
    points = list(zip(chain(*rings), text.replace("/", ""), strict=True))
    return [sum(1 << point for point, letter in points if letter == one) for one in LETTERS]


def _check_men(game: Game, words: list[int], claimed: tuple[int, int]) -> None:
    allotted = game.constants["ALLOTTED"]
    alive = [words[MEN + side].bit_count() + words[HAND + side] for side in (0, 1)]
    for side in (0, 1):
        on_board = words[MEN + side].bit_count()
        if on_board != claimed[side]:
            raise BadInput(f"The board shows {on_board} {NAMES[side]} men, but the line says {claimed[side]}.")
        if alive[side] > allotted:
            raise BadInput(
                f"{NAMES[side].capitalize()} cannot have {alive[side]} men; {game.name} gives each player {allotted}."
            )
        if alive[side] < 2:
            raise BadInput(
                f"{NAMES[side].capitalize()} cannot have {alive[side]} men; the game ends when a player has 2."
            )
    mover, other = NAMES[words[STATUS]], NAMES[1 - words[STATUS]]
    if alive[1 - words[STATUS]] < 3:
        raise BadInput(f"{other.capitalize()} has only 2 men and so has lost; then {other} is to move, not {mover}.")


def _check_due(game: Game, words: list[int], phase: str, due: str) -> None:
    """Checks the phase and what is due, and notes a removal in the words."""
    who = words[STATUS]
    name, other = NAMES[who].capitalize(), NAMES[1 - who].capitalize()
    hand = words[HAND + who]
    wanted = "p" if hand else "m"
    if phase != wanted and (due != "r" or hand):
        raise BadInput(f'{name} has {hand} men in hand, so the phase is "{wanted}", not "{phase}".')
    if due != "r":
        wanted = "p" if hand else "s"
        if due != wanted:
            raise BadInput(f'{name} has {hand} men in hand, so "{wanted}" or "r" is due, not "{due}".')
        return
    words[DUE] = 1
    if words[MEN + who].bit_count() + hand < 3:
        raise BadInput(f"{name} has only 2 men and cannot take one.")
    if not _has_mill(game, words[MEN + who]):
        raise BadInput(f"{name} has no mill, so no removal can be due.")
    if not words[MEN + 1 - who]:
        raise BadInput(f"{other} has no man on the board that could be removed.")


def _has_mill(game: Game, men: int) -> bool:
    mills = ((1 << point | pair) for point, row in enumerate(game.constants["PARTNERS"].tolist()) for pair in row)
    return any(men & mill == mill for mill in mills)


def _check_counters(game: Game, words: list[int]) -> None:
    settings = game.settings
    for name, count, most in (("quiet", words[STILL], settings.quiet), ("turns", words[PLAYED], settings.turns)):
        if count > most:
            limit = f"up to {most}" if most else f"none, since {name}=0"
            raise BadInput(f"{name[0]}{count} is impossible; {game.name} counts {limit}.")
    if settings.turns and words[STILL] > words[PLAYED]:
        raise BadInput(f"q{words[STILL]} is impossible after t{words[PLAYED]}: quiet turns are turns too.")
    if words[DUE] and (words[STILL] or (settings.turns and words[PLAYED] == settings.turns)):
        raise BadInput("A removal is due, so the last turn was not quiet and the turn limit is not yet reached.")


def _begun(game: Game, words: list[int]) -> list[int]:
    """The words, with the rules' verdict on whether the game is over."""
    state = game.blank()
    state[: len(words)] = words
    if not words[DUE]:
        game.kernel(begin_turn)(state, words[STATUS])
    return state.tolist()


def _with_past(game: Game, words: list[int], slides: list[str]) -> list[int]:
    """Takes the slides back, and plays them again, which fills the memory and shows that they are legal."""
    if not game.settings.repeat:
        raise BadInput(f"{game.name} remembers no slides; only variants with repeat=2 or 3 do.")
    if len(slides) != words[STILL] or not all(slides):
        raise BadInput(f"q{words[STILL]} needs {words[STILL]} slides after r, such as ra1a4.d6d7.")
    names = point_names(game.settings.rules)
    actions = [_slide(names, slide) for slide in slides]
    first = [*words[:STILL], 0, max(words[PLAYED] - len(slides), 0)]
    for number, (source, target) in enumerate(reversed(actions)):
        side = MEN + (words[STATUS] + 1 + number) % 2
        if not first[side] >> target & 1 or (first[MEN] | first[MEN + 1]) >> source & 1:
            raise BadInput(f"The slide {slides[-1 - number]} cannot have led to this position.")
        first[side] ^= 1 << source | 1 << target
    first[STATUS] = (words[STATUS] + len(slides)) % 2
    position = Position(game, np.array(_begun(game, first), np.int64))
    for slide, (source, target) in zip(slides, actions, strict=True):
        action = source * len(names) + target
        if action not in position.actions() or position.play(action).words[DUE]:
            raise BadInput(f"The slide {slide} is not legal, or closes a mill, where it should have been played.")
        position = position.play(action)
    return list(position.words)


def _slide(names: tuple[str, ...], text: str) -> tuple[int, int]:
    source, target = text[:2], text[2:]
    if source not in names or target not in names:
        raise BadInput(f'"{text}" is not a slide; write the two points, such as a1a4.')
    return names.index(source), names.index(target)


def _plain(text: str) -> str:
    return re.sub(r"[\s\-–—]", "", text.lower())


def _standing(position: Position) -> str:
    """Who is to do what, or how the game ended."""
    status = position.words[STATUS]
    if status >= DRAWN:
        return "drawn"
    if status >= LOST:
        return f"{NAMES[1 - status % 2]} has won"
    return f"{NAMES[status]} to {'take a man' if position.words[DUE] else 'move'}"


def _canvas(lines: list[list[tuple[int, int]]], rings: int) -> list[list[str]]:
    """The lines of the empty board in box-drawing characters, four columns and two rows a unit."""
    arms = np.zeros((4 * rings + 1, 8 * rings + 1), np.int64)
    diagonals = []
    for (x1, y1), (x2, y2) in (pair for line in lines for pair in pairwise(sorted(line))):
        top, left, right = 2 * (rings - max(y1, y2)), 4 * (rings + x1), 4 * (rings + x2)
        bottom = 2 * (rings - min(y1, y2))
        if y1 == y2:
            arms[top, left:right] |= 2
            arms[top, left + 1 : right + 1] |= 8
        elif x1 == x2:
            arms[top:bottom, left] |= 4
            arms[top + 1 : bottom + 1, left] |= 1
        else:
            diagonals.append((top + 1, left + 2, "╱" if y2 > y1 else "╲"))
    canvas = [[GLYPHS[arm] for arm in row] for row in arms.tolist()]
    for row, column, glyph in diagonals:
        canvas[row][column] = glyph
    return canvas
