"""What networks see of backgammon: Tesauro's 198 inputs, and those of experts beside them.

`expert` writes the class of the position (contact, crashed, race), Tesauro's inputs, and 24 numbers a side, `SIDE`,
for the player who looks and then, by the same functions, for the other one. A place is a bit as in the state, 0 to 23
the points as their owner counts them and 24 the bar. Rolls count of 36, doubles once and others twice; dice that are
already rolled change nothing. What can be hit is counted in `backgammon_shots.py`.
"""

from spielwerk.games.boards.backgammon import (
    BAR,
    FAR_HOME,
    HOME,
    PLANES,
    POINTS,
    across,
    below,
    checkers_left,
    checkers_on,
    made,
    occupied,
    planes_of,
    rear,
)
from spielwerk.games.observations.backgammon_shots import direct_shots, shots
from spielwerk.kernel.bits import count, highest, lowest
from spielwerk.kernel.specialise import unbound

CHECKERS: int = unbound("CHECKERS")
CLASSES = ("contact", "crashed", "race")
SIDE = (
    *("pips", "lead", "off 1", "off 2", "off 3", "break contact", "free pips", "timing", "moment", "wastage"),
    *("anchor", "deepest anchor", "prime", "block", "builders", "dances"),
    *("escapes", "leaps", "back escapes", "home escapes", "direct shots", "shots", "loss", "double shots"),
)
TESAURO = 198
EXPERT = len(CLASSES) + TESAURO + 2 * len(SIDE)
SIDES = len(CLASSES) + TESAURO  # where the numbers of the first side begin
COUNTED = len(SIDE)
AHEAD = 16  # a board of open points is laid before the first one, for checkers that would leave the board
BUILT = 31 << 2  # own points 3 to 7
PLACES = POINTS | 1 << BAR
BEHIND = FAR_HOME | 1 << BAR  # where checkers enter


def tesauro(state, player, out):
    """Tesauro's 198 inputs: 98 a player (`player` first), then whose turn it is.

    Four units a point: one or more, two or more, three or more checkers, half of those beyond three;
    then half the checkers on the bar, and the share borne off.
    """
    units(state, player, out, 0)


def units(state, player, out, at):
    """Writes Tesauro's inputs from `at` on."""
    for side in range(2):
        planes = planes_of(player if side == 0 else 1 - player)
        for point in range(24):
            number = checkers_on(state, planes, point)
            unit = at + 98 * side + 4 * point
            for least in range(3):
                out[unit + least] = 1.0 if number > least else 0.0
            out[unit + 3] = max(number - 3, 0) / 2
        out[at + 98 * side + 96] = checkers_on(state, planes, BAR) / 2
        out[at + 98 * side + 97] = 1.0 - checkers_left(state, planes) / CHECKERS
    out[at + 196] = 1.0 if state[0] == player else 0.0
    out[at + 197] = 1.0 - out[at + 196]


def expert(state, player, out):
    """The class of the position, Tesauro's inputs, then what experts count: `player`'s side, the other's."""
    own, other = planes_of(player), planes_of(1 - player)
    kind = position_class(state, own, other)
    for k in range(3):
        out[k] = 1.0 if k == kind else 0.0
    units(state, player, out, 3)
    count_side(state, own, other, out, SIDES)
    count_side(state, other, own, out, SIDES + COUNTED)


def position_class(state, own, other):
    """0 contact, 1 crashed, 2 race: the checkers have all passed each other, or one player has none left.

    Crashed is contact in which a side has collapsed: at most two fifths of its checkers (6 of 15) are on the bar or
    on its points 3 to 24, the others being borne off or out of play on its points 1 and 2.
    """
    men, others = occupied(state, own), occupied(state, other)
    if men == 0 or others == 0 or highest(men) + highest(others) < 23:
        return 2
    least = min(number_on(state, own, PLACES & ~3), number_on(state, other, PLACES & ~3))
    return 1 if 5 * least <= 2 * CHECKERS else 0


def count_side(state, own, other, out, at):
    """Writes the numbers of one side in the order of `SIDE`, from `at` on."""
    men, others = occupied(state, own), occupied(state, other)
    points, blocked = made(state, own), across(made(state, other))
    count_pips(state, own, other, 23 - rear(others), out, at)
    anchors = points & FAR_HOME
    out[at + 10] = (24 - lowest(anchors)) / 6 if anchors else 0.0
    out[at + 11] = (24 - highest(anchors)) / 6 if anchors else 0.0
    out[at + 12] = prime(points & POINTS) / 6
    out[at + 13] = block(points, others) / 6
    out[at + 14] = builders(men, points, spares(state, own), blocked) / 36
    out[at + 15] = dances(blocked) / 36
    escapes(men, blocked, out, at + 16)
    out[at + 20] = direct_shots(others, across(men & ~points)) / 36
    single, waiting = others & ~made(state, other), checkers_on(state, other, BAR)
    shots(others, single, waiting, POINTS & ~across(points), across(men & ~points), out, at + 21)


def count_pips(state, own, other, meeting, out, at):
    """Writes what is counted in pips and checkers; `meeting` is the place of the other's rearmost checker."""
    pips = pips_of(state, own, PLACES)
    lead = pips_of(state, other, PLACES) - pips
    out[at] = pips / 167
    out[at + 1] = min(max(5 * lead / max(pips, 1), 0.0), 2.0)
    for third in range(3):
        out[at + 2 + third] = off_in(state, own, third)
    out[at + 5] = break_contact(state, own, meeting) / 167
    out[at + 6] = pips_of(state, own, below(meeting)) / 167
    out[at + 7] = timing(state, own) / 100
    out[at + 8] = moment(state, own) / 250
    out[at + 9] = min(wastage(state, own) / 15, 2.0)


def number_on(state, planes, places):
    """How many checkers are on several places."""
    number = 0
    for digit in range(PLANES):
        number += count(state[planes + digit] & places) << digit
    return number


def place_sum(places):
    """The sum of the places' numbers, binary digit by binary digit."""
    total = count(places & 0xAAAAAA) + 2 * count(places & 0xCCCCCC) + 4 * count(places & 0xF0F0F0)
    return total + 8 * count(places & 0x100FF00) + 16 * count(places & 0x1FF0000)


def sum_on(state, planes, places):
    """The sum of the place of each checker on several places."""
    total = 0
    for digit in range(PLANES):
        total += place_sum(state[planes + digit] & places) << digit
    return total


def pips_of(state, planes, places):
    """How far the checkers on several places together are from being borne off."""
    return sum_on(state, planes, places) + number_on(state, planes, places)


def off_in(state, planes, third):
    """How much of a third (0, 1, 2) of the checkers is borne off: 8 of 15 fill 1, 0.6 and 0."""
    off = CHECKERS - checkers_left(state, planes)
    return min(max(3 * off / CHECKERS - third, 0.0), 1.0)


def break_contact(state, planes, meeting):
    """Pips until every checker has passed the other's rearmost one, or is off where that one is on the bar."""
    behind = PLACES & ~below(meeting + 1)
    target = max(meeting - 1, -1)
    return sum_on(state, planes, behind) - target * number_on(state, planes, behind)


def timing(state, planes):
    """Pips to play before the home board breaks or a checker leaves the other's home board.

    Checkers on the points 7 to 18 go to the 6 point; those at home go to the 1 point, two staying on each made point.
    """
    outfield = POINTS & ~HOME & ~FAR_HOME
    outside = sum_on(state, planes, outfield) - 5 * number_on(state, planes, outfield)
    return outside + sum_on(state, planes, HOME) - 2 * place_sum(made(state, planes) & HOME)


def moment(state, planes):
    """The mean square of how far the checkers behind the mean place are behind it; 0 if there are none."""
    number = number_on(state, planes, PLACES)
    if number == 0:
        return 0.0
    mean = sum_on(state, planes, PLACES) / number
    places = occupied(state, planes) & ~below(int(mean) + 1)
    squares, behind = 0.0, 0
    while places:
        place = lowest(places)
        places &= places - 1
        on = checkers_on(state, planes, place)
        squares += on * (place - mean) * (place - mean)
        behind += on
    return squares / max(behind, 1)


def wastage(state, planes):
    """Keith's count of pips that a bear-off wastes.

    2 for each checker but the first on the 1 point, 1 for each but the first on the 2 point, 1 for each but three on
    the 3 point, 1 for each of the points 4, 5 and 6 that is empty.
    """
    wasted = 2 * max(checkers_on(state, planes, 0) - 1, 0) + max(checkers_on(state, planes, 1) - 1, 0)
    return wasted + max(checkers_on(state, planes, 2) - 3, 0) + 3 - count(occupied(state, planes) & 56)


def prime(points):
    """How many made points lie side by side at most."""
    length = 0
    while points:
        points &= points >> 1
        length += 1
    return length


def block(points, others):
    """How many of the six points before the other's rearmost checker are made."""
    return count(points & POINTS & (63 << (24 - rear(others))))


def spares(state, planes):
    """The points that have no pair: one checker, or three or more."""
    pairs = state[planes + 1] & ~(state[planes] | state[planes + 2] | state[planes + 3])
    return occupied(state, planes) & POINTS & ~pairs


def builders(men, points, spare, blocked):
    """Rolls but doubles that make one of the own points 3 to 7, with spares: two, or one that joins a blot.

    Only distances count, not whether the rest of a roll can be played; with a checker on the bar there are none.
    """
    rolls = 0
    if men >> BAR == 0:
        blots = men & ~points
        for larger in range(2, 7):
            for smaller in range(1, larger):
                far, near = spare >> larger, spare >> smaller
                if (far & near | (far | near) & blots) & BUILT & ~points & ~blocked:
                    rolls += 2
    return rolls


def dances(blocked):
    """Rolls with which no checker would enter from the bar."""
    closed = count(blocked & FAR_HOME)
    return closed * closed


def escapes(men, blocked, out, at):
    """Writes rolls of 36 whose two dice one checker can play alone, the whole way; a double is two steps here.

    Escapes: of the rearmost checker. Leaps: those of its escapes that end beyond all points that block it among the
    six before it. Back escapes: the mean over the places on the bar and in the other's home board that have a
    checker; 1 if none has. Home escapes: the mean over all these seven places.
    """
    place = rear(men) + AHEAD
    open = (POINTS & ~blocked) << AHEAD | (1 << AHEAD) - 1
    front = (blocked << AHEAD) & (63 << (place - 6))
    last = lowest(front) if front else place
    back = (men & BEHIND) << AHEAD
    escaped, leapt, backs, homes = 0, 0, 0, 0
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            weight = 1 if larger == smaller else 2
            able = (open << (larger + smaller)) & ((open << larger) | (open << smaller))
            if (able >> place) & 1:
                escaped += weight
                leapt += weight if place - larger - smaller < last else 0
            backs += weight * count(able & back)
            homes += weight * count(able & (BEHIND << AHEAD))
    out[at] = escaped / 36
    out[at + 1] = leapt / 36
    out[at + 2] = backs / (36 * count(back)) if back else 1.0
    out[at + 3] = homes / (36 * count(BEHIND))
