"""Shots of backgammon: the rolls with which a player hits blots, as the rules allow turns.

Places are those of the player who hits: `own` its checkers, `single` those alone on a place, `free` the points on
which it may land, `blots` those among them where it hits.
"""

from spielwerk.games.boards.backgammon import BAR, POINTS, after, below, origins, rear
from spielwerk.kernel.bits import highest, lowest


def movable(own):
    """The places whose checkers may move: the bar alone while one is there."""
    return own & (1 << BAR) if own >> BAR else own


def direct_shots(own, blots):
    """Rolls with a die that brings a checker onto a blot."""
    safe = 0
    for die in range(1, 7):
        safe += 0 if (movable(own) >> die) & blots else 1
    return 36 - safe * safe


def shots(own, single, waiting, free, blots, out, at):
    """Writes what the owner of the places `own` would hit, were it to roll; all places are as it counts them.

    Shots: rolls of 36 with which a legal turn hits a blot. Loss: the mean over all rolls of the pips, of 24, that the
    blot with most to lose among those that can be hit would lose. Double shots: rolls but doubles with which a turn
    hits two blots.
    """
    hitting, lost, twice = 0, 0, 0
    if (blots & below(rear(own))) != 0:
        for larger in range(1, 7):
            hit = hit_by_double(own, waiting, free, blots, larger)
            if hit:
                hitting += 1
                lost += highest(hit) + 1
            for smaller in range(1, larger):
                hit = hit_by(own, single, free, blots, larger, smaller)
                if hit:
                    hitting += 2
                    lost += 2 * (highest(hit) + 1)
                    if hit & (hit - 1) and hits_two(own, single, blots, larger, smaller):
                        twice += 2
    out[at] = hitting / 36
    out[at + 1] = lost / (36 * 24)
    out[at + 2] = twice / 36


def hit_by_double(own, waiting, free, blots, die):
    """The blots that a turn of a double may hit: `waiting` checkers enter from the bar, then one goes on."""
    reached = own & POINTS
    hit = 0
    if waiting:
        landing = (1 << BAR >> die) & free
        if landing == 0:
            return 0
        hit = landing & blots
        reached |= landing
    for _ in range(4 - waiting):
        reached = (reached >> die) & free
        hit |= reached & blots
    return hit


def hit_by(own, single, free, blots, larger, smaller):
    """The blots that a turn of two different dice may hit, each for itself."""
    first = movable(own)
    direct = ((first >> larger) | (first >> smaller)) & blots
    hit = hit_by_both(own, single, free, blots, larger, smaller)
    hit |= hit_by_both(own, single, free, blots, smaller, larger)
    if direct & ~hit and not both_playable(own, single, free, larger, smaller):
        die = larger if origins(own, free, larger) else smaller
        hit = (first >> die) & blots
    return hit


def hit_by_both(own, single, free, blots, die, then):
    """The blots hit by turns that play both dice, `die` first: on its landing, or by the checker that goes on.

    From the bar, any checker may play the second die. A blot that another checker hits by the second die is found in
    the other order, since a step never hinders that of another checker.
    """
    if own >> BAR:
        landing = (1 << BAR >> die) & free
        if landing == 0:
            return 0
        rest = after(own, single, BAR, die)
        hit = (movable(rest) >> then) & blots
        return hit | landing & blots if origins(rest, free, then) else hit
    hit = (((own >> die) & free) >> then) & blots
    landings = (own >> die) & blots & ~hit
    while landings:
        landing = lowest(landings)
        if origins(after(own, single, landing + die, die), free, then):
            hit |= 1 << landing
        landings &= landings - 1
    return hit


def both_playable(own, single, free, larger, smaller):
    """Whether some turn plays both dice, which are different."""
    return plays_both(own, single, free, larger, smaller) or plays_both(own, single, free, smaller, larger)


def plays_both(own, single, free, die, then):
    """Whether `die` can be played and `then` after it."""
    firsts = origins(own, free, die)
    while firsts:
        if origins(after(own, single, lowest(firsts), die), free, then):
            return True
        firsts &= firsts - 1
    return False


def hits_two(own, single, blots, larger, smaller):
    """Whether a turn of two different dice hits two blots."""
    return hits_both(own, single, blots, larger, smaller) or hits_both(own, single, blots, smaller, larger)


def hits_both(own, single, blots, die, then):
    """Whether `die` hits a blot and `then` another one."""
    landings = (movable(own) >> die) & blots
    while landings:
        landing = lowest(landings)
        rest = movable(after(own, single, landing + die, die))
        if (rest >> then) & blots & ~(1 << landing):
            return True
        landings &= landings - 1
    return False
