"""The board of backgammon: the planes of a player's checkers, as `backgammon.py` describes them, and single steps."""

from spielwerk.kernel.bits import count, highest, reverse, shift_right

BAR = 24  # the place after the points
POINTS, HOME, FAR_HOME = (1 << 24) - 1, (1 << 6) - 1, 63 << 18
PLANES = 4  # word 4 of a state is the first plane; 15 checkers need four digits


def planes_of(player):
    """The word of the player's first plane."""
    return 4 + PLANES * player


def occupied(state, planes):
    """The places with a checker."""
    return state[planes] | state[planes + 1] | state[planes + 2] | state[planes + 3]


def made(state, planes):
    """The places with two checkers or more."""
    return state[planes + 1] | state[planes + 2] | state[planes + 3]


def checkers_on(state, planes, place):
    """How many checkers are on one place."""
    number = 0
    for digit in range(PLANES):
        number |= ((state[planes + digit] >> place) & 1) << digit
    return number


def checkers_left(state, planes):
    """How many checkers are not borne off."""
    number = 0
    for digit in range(PLANES):
        number += count(state[planes + digit]) << digit
    return number


def put(state, planes, place):
    """Adds a checker: binary addition of 1, the carry going from plane to plane."""
    carry = 1 << place
    for digit in range(PLANES):
        plane = state[planes + digit]
        state[planes + digit] = plane ^ carry
        carry &= plane


def lift(state, planes, place):
    """Takes a checker away: binary subtraction of 1."""
    borrow = 1 << place
    for digit in range(PLANES):
        plane = state[planes + digit]
        state[planes + digit] = plane ^ borrow
        borrow &= ~plane


def across(places):
    """The points as the other player counts them."""
    return shift_right(reverse(places & POINTS), 40)


def rear(men):
    """The place of the rearmost checker; -1 if there is none."""
    return highest(men) if men else -1


def below(place):
    """The places before one place, which may be -1."""
    return (1 << max(place, 0)) - 1


def origins(own, free, die):
    """The places in `own` from which a checker can move by `die` to a `free` point, or off."""
    movable = own & (1 << BAR) if own >> BAR else own
    found = (free << die) & movable
    if own <= HOME and own > 0:
        found |= own & (1 << (die - 1))
        if own >> (die - 1) == 0:
            found |= 1 << highest(own)
    return found


def after(own, single, place, die):
    """The places occupied once a checker has moved; `single` are the places with one checker."""
    own &= ~(single & (1 << place))
    return own | (1 << (place - die)) if place >= die else own
