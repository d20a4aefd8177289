"""Nine men's morris: place your men, slide them along the lines, and take a man when you close a mill.

Also with Lasker's rule (slide before all men are placed), as Morabaraba (twelve men, diagonals), and as
six men's morris. Points are numbered in reading order, from the top left corner.

State words: [status, men of player 0, men of player 1 (a bit a point), hand of player 0, hand of player 1,
1 if a removal is due, quiet turns, turns, and with `repeat` the earlier positions since the last placing
or taking, as many as quiet turns]. The status is the player to move, plus 2 if it has lost, plus 4 if the
game is drawn. A counter that is switched off stays 0.

Actions: source * POINTS + target slides or jumps; POINTS * POINTS + point places, or takes if a removal is
due. So a turn that closes a mill is two actions of the same player.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import comb
from typing import Any

import numpy as np

from spielwerk.games.boards.morris import board_lines, mills, neighbours, partners, places, turnings
from spielwerk.games.observations.morris import CLASSES, bits, bits_shape, planes_shape, points, shape, tactics
from spielwerk.games.rules import OVER
from spielwerk.kernel.bits import count, lowest
from spielwerk.kernel.specialise import unbound
from spielwerk.names import BadInput, choice, setting

TITLE = "Nine men's morris"
FACE = "spielwerk.games.face.morris"
SCENE = "spielwerk.games.scenes.morris"
EVALUATIONS = {"hand": "spielwerk.games.evaluation.morris"}
LAYOUT = "spielwerk.games.cells.morris"
ORACLE = "spielwerk.solvers.morris.oracle:MorrisOracle"
SOLVER = "spielwerk.solvers.morris.solver"
PHASES = "spielwerk.games.phases.morris"
JUDGED = "spielwerk.games.judged.morris:read"
GRAPH = "spielwerk.games.graphs.morris:graph"
GROUPS = "spielwerk.games.groups.morris:groups"
SHAPING = "spielwerk.games.shaping.morris"
MOVE_PARTS = "spielwerk.games.move_parts.morris"
RANDOM_POSITIONS = "spielwerk.games.random_positions.morris:scatter"
PUBLIC_SET = ("spielwerk.solvers:morris/judged.jsonl.gz", {"rules": "standard"})  # draw rules do not change the truth
VARIANTS = ("rules=lasker", "rules=morabaraba", "rules=six", "repeat=3", "quiet=0,turns=200")
MOST_TURNS, MOST_REMEMBERED = 1_000_000, 400
EACH = {"standard": 9, "lasker": 10, "morabaraba": 12, "six": 6}  # men of a player


@dataclass(frozen=True)
class Settings:
    """The settings of morris."""

    rules: str = choice("standard", "lasker", "morabaraba", "six", help="which morris")
    quiet: int = setting(100, "turns without placing or taking that make a draw; 0 = off")
    turns: int = setting(0, "turns of both players together that make a draw; 0 = off")
    repeat: int = choice(0, 2, 3, help="how many times the same position makes a draw; 0 = off")


def title(settings: Settings) -> str:
    """What the variant is called."""
    titles = {"lasker": "Lasker morris", "morabaraba": "Morabaraba", "six": "Six men's morris"}
    return titles.get(settings.rules, TITLE)


STATUS, MEN, HAND, DUE, STILL, PLAYED, PAST = 0, 1, 3, 5, 6, 7, 8  # where the words are
LOST, DRAWN = 2, 4  # added to the status

POINTS: int = unbound("POINTS")
ALL: int = unbound("ALL")  # every point's bit
NOWHERE: int = unbound("NOWHERE")  # a bit that no man has
ALLOTTED: int = unbound("ALLOTTED")  # men of a player
JUMPING: bool = unbound("JUMPING")  # with three men
EARLY: bool = unbound("EARLY")  # men may slide before all are placed
QUIET: int = unbound("QUIET")
TURNS: int = unbound("TURNS")
REPEAT: int = unbound("REPEAT")
NEIGHBOURS: np.ndarray = unbound("NEIGHBOURS")  # [point]: the points a man can slide to
PARTNERS: np.ndarray = unbound("PARTNERS")  # [point, mill]: the other two points of a mill, or NOWHERE
THROUGH: int = unbound("THROUGH")  # mills through a point, at most
MILLS: np.ndarray = unbound("MILLS")  # the points of each mill
TURNED: np.ndarray = unbound("TURNED")  # [symmetry, point]: where the point goes


def start(state, rng):
    for i in range(PAST + QUIET if REPEAT else PAST):
        state[i] = 0
    state[HAND] = ALLOTTED
    state[HAND + 1] = ALLOTTED


def mover(state):
    return state[STATUS] if state[STATUS] < LOST else OVER


def moves(state, out):
    who = state[STATUS]
    own = state[MEN + who]
    other = state[MEN + 1 - who]
    if state[DUE] != 0:
        return list_points(POINTS * POINTS, takeable(other), out, 0)
    free = ALL & ~(own | other)
    if state[HAND + who] == 0:
        if JUMPING and count(own) == 3:
            return list_jumps(own, free, out)
        return list_slides(own, free, out)
    return list_points(POINTS * POINTS, free, out, list_slides(own, free, out) if EARLY else 0)


def list_points(first, points, out, n):
    while points != 0:
        out[n] = first + lowest(points)
        points &= points - 1
        n += 1
    return n


def list_jumps(own, free, out):
    n = 0
    while own != 0:
        n = list_points(lowest(own) * POINTS, free, out, n)
        own &= own - 1
    return n


def list_slides(own, free, out):
    # Three slides a man are written, real or not, and the next man's follow the real ones: a branch for
    # each would be guessed wrong half the time. An unsigned index spares the test for a negative one.
    n = 0
    while own != 0:
        source = lowest(own)
        own &= own - 1
        targets = NEIGHBOURS[source] & free
        second = targets & (targets - 1)
        third = second & (second - 1)
        fourth = third & (third - 1)
        out[np.uint64(n)] = source * POINTS + lowest(targets | NOWHERE)
        out[np.uint64(n + 1)] = source * POINTS + lowest(second | NOWHERE)
        out[np.uint64(n + 2)] = source * POINTS + lowest(third | NOWHERE)
        n += count(targets)
        if fourth != 0:
            out[np.uint64(n - 1)] = source * POINTS + lowest(fourth)
    return n


def takeable(men):
    """The men outside mills, or all if all are in mills."""
    loose = 0
    left = men
    while left != 0:
        point = lowest(left)
        left &= left - 1
        if not in_mill(men, point):
            loose |= 1 << point
    return loose if loose != 0 else men


def in_mill(men, point):
    for mill in range(THROUGH):
        if men & PARTNERS[point, mill] == PARTNERS[point, mill]:
            return True
    return False


def play(state, action):
    who = state[STATUS]
    point = action - POINTS * POINTS
    if state[DUE] != 0:
        state[DUE] = 0
        state[MEN + 1 - who] ^= 1 << point
    else:
        if point >= 0:
            place(state, who, point)
        else:
            point = slide(state, who, action)
        if in_mill(state[MEN + who], point) and state[MEN + 1 - who] != 0:
            forget(state)
            state[DUE] = 1
            return
    if TURNS > 0:
        state[PLAYED] += 1
    begin_turn(state, 1 - who)


def place(state, who, point):
    forget(state)
    state[HAND + who] -= 1
    state[MEN + who] |= 1 << point


def slide(state, who, action):
    """Slides or jumps, and returns the target."""
    if REPEAT > 0:
        state[PAST + state[STILL]] = packed(state, who)
    if QUIET > 0:
        state[STILL] += 1
    source = action // POINTS
    target = action - source * POINTS
    state[MEN + who] ^= 1 << source | 1 << target
    return target


def begin_turn(state, who):
    """Makes `who` the player to move, or ends the game."""
    state[STATUS] = who + verdict(state, who)


def verdict(state, who):
    own = state[MEN + who]
    men = count(own)
    if state[HAND + who] > 0:
        if men + state[HAND + who] < 3:
            return LOST
    elif men < 3:
        return LOST
    elif not (JUMPING and men == 3):
        free = ALL & ~(own | state[MEN + 1 - who])
        if free == 0:
            return DRAWN  # nobody can move
        if blocked(own, free):
            return LOST
    if QUIET > 0 and state[STILL] >= QUIET:
        return DRAWN
    if TURNS > 0 and state[PLAYED] >= TURNS:
        return DRAWN
    if REPEAT > 0 and repeated(state, who):
        return DRAWN
    return 0


def blocked(own, free):
    while own != 0:
        if NEIGHBOURS[lowest(own)] & free != 0:
            return False
        own &= own - 1
    return True


def packed(state, who):
    """The position as one word, for the memory of earlier ones."""
    return state[MEN] | state[MEN + 1] << POINTS | who << 2 * POINTS


def repeated(state, who):
    now = packed(state, who)
    times = 1
    for i in range(state[STILL]):
        if state[PAST + i] == now:
            times += 1
    return times >= REPEAT


def forget(state):
    """A placing or taking: no earlier position can come again."""
    if REPEAT > 0:
        for i in range(state[STILL]):
            state[PAST + i] = 0
    state[STILL] = 0


def scores(state, out):
    last = state[STATUS] & 1
    lost = 0.0 if state[STATUS] >= DRAWN else 1.0
    out[last] = 0.0 - lost  # -lost could be -0.0
    out[1 - last] = lost


def observe(state, player, out):
    own = state[MEN + player]
    other = state[MEN + 1 - player]
    for point in range(POINTS):
        mine = own >> point & 1
        theirs = other >> point & 1
        out[point] = mine
        out[POINTS + point] = theirs
        out[2 * POINTS + point] = 1 - mine - theirs
    n = 3 * POINTS
    for side in range(2):
        who = player if side == 0 else 1 - player
        now = phase(state, who)
        for each in range(3):
            out[n + 3 * side + each] = 1.0 if now == each else 0.0
        out[n + 6 + side] = state[HAND + who] / ALLOTTED
        out[n + 8 + side] = 1.0 if now == 2 else 0.0
    out[n + 10] = 1.0 if state[DUE] != 0 and state[STATUS] == player else 0.0


def phase(state, who):
    """0 placing, 1 moving, 2 jumping."""
    if state[HAND + who] > 0:
        return 0
    return 2 if JUMPING and count(state[MEN + who]) == 3 else 1


def turned_state(k, state, out):
    for i in range(PAST):
        out[i] = state[i]
    out[MEN] = turned_men(k, state[MEN])
    out[MEN + 1] = turned_men(k, state[MEN + 1])
    if REPEAT > 0:
        for i in range(PAST, PAST + QUIET):
            word = state[i]
            first = turned_men(k, word & ALL)
            second = turned_men(k, word >> POINTS & ALL)
            out[i] = first | second << POINTS | word >> 2 * POINTS << 2 * POINTS


def turned_men(k, men):
    out = 0
    while men != 0:
        out |= 1 << TURNED[k, lowest(men)]
        men &= men - 1
    return out


def turned(k, action):
    target = TURNED[k, action % POINTS]
    source = action // POINTS
    return (TURNED[k, source] if source < POINTS else source) * POINTS + target


OBSERVATIONS = {"tactics": (shape, tactics), "points": (planes_shape, points), "bits": (bits_shape, bits)}
INPUTS = "tactics"
INPUT_CLASSES = {"tactics": len(CLASSES)}


def constants(settings: Settings) -> dict[str, Any]:
    """The constants of a variant."""
    _check(settings)
    points, lines = places(settings.rules), board_lines(settings.rules)
    through = partners(points, lines)
    return {
        "PLAYERS": 2,
        "TEAM": (0, 1),
        "WORDS": PAST + (settings.quiet if settings.repeat else 0),
        "ACTIONS": (len(points) + 1) * len(points),
        "MOST_MOVES": _most_moves(settings.rules),
        "MOST_OUTCOMES": 0,
        "SYMMETRIES": 16,
        "OBSERVATION": (3 * len(points) + 11,),
        "LONGEST": _longest(settings),
        "POINTS": len(points),
        "ALL": (1 << len(points)) - 1,
        "NOWHERE": 1 << len(points),
        "ALLOTTED": EACH[settings.rules],
        "JUMPING": settings.rules != "six",
        "EARLY": settings.rules == "lasker",
        "QUIET": settings.quiet,
        "TURNS": settings.turns,
        "REPEAT": settings.repeat,
        "NEIGHBOURS": neighbours(points, lines),
        "PARTNERS": through,
        "THROUGH": through.shape[1],
        "MILLS": mills(points, lines),
        "TURNED": turnings(points),
    }


def states(settings: Settings) -> int:
    """An upper bound of the positions, counters and memory aside: men on the board and in hand, mover, removal."""
    points, men = len(places(settings.rules)), EACH[settings.rules]
    sides = product(range(men + 1), repeat=2)
    return 4 * sum(comb(points, w) * comb(points - w, b) * (men - w + 1) * (men - b + 1) for w, b in sides)


def _check(settings: Settings) -> None:
    for name, value in (("quiet", settings.quiet), ("turns", settings.turns)):
        if not 0 <= value <= MOST_TURNS:
            raise BadInput(f'morris: {name} cannot be "{value}"; possible: 1 to {MOST_TURNS}, or 0 for off.')
    if settings.repeat and not 1 <= settings.quiet <= MOST_REMEMBERED:
        raise BadInput(
            f"morris: repeat={settings.repeat} needs quiet from 1 to {MOST_REMEMBERED}, not {settings.quiet}, "
            "since every position of the quiet turns is remembered."
        )


def _most_moves(rules: str) -> int:
    """Each stretch of a line allows one slide at most; three men may jump to any free point."""
    points = len(places(rules))
    stretches = sum(len(line) - 1 for line in board_lines(rules))
    slides_and_placings = stretches + points if rules == "lasker" else max(stretches, points)
    return max(slides_and_placings, 3 * (points - 3) if rules != "six" else 0)


def _longest(settings: Settings) -> int:
    """Placings, takings (one man too many ends the game), and QUIET slides at most after each of them."""
    placings, takings = 2 * EACH[settings.rules], 2 * EACH[settings.rules] - 5
    pauses = takings + 1 + (placings if settings.rules == "lasker" else 0)
    bounds = []
    if settings.quiet:
        bounds.append(placings + takings + pauses * settings.quiet)
    if settings.turns:
        bounds.append(settings.turns + min(settings.turns, takings))
    return min(bounds, default=0)
