"""The interface of the rules: what a game is made of, and the laws it keeps.

A position is a 1-D array of int64 words. The rules of a game are plain functions over one position in
the subset of Python that both compilers take: they allocate nothing and call no methods. Algorithms
import these names; `specialise` binds them to one game's functions and constants.

`tests/test_laws.py` checks every law below for every game and variant.
"""

from __future__ import annotations

from spielwerk.kernel.specialise import interface, unbound

CHANCE = -1  # what `mover` says before a roll
OVER = -2  # what `mover` says at the end

PLAYERS: int = unbound("PLAYERS")
TEAM: tuple[int, ...] = unbound("TEAM")  # the team of each player
WORDS: int = unbound("WORDS")  # of a position
ACTIONS: int = unbound("ACTIONS")  # actions are numbers below it
MOST_MOVES: int = unbound("MOST_MOVES")  # legal in one position
MOST_OUTCOMES: int = unbound("MOST_OUTCOMES")  # of one chance node; 0 in a game without chance
FAIR: bool = unbound("FAIR")  # whether the outcomes of a chance node all have weight 1
SYMMETRIES: int = unbound("SYMMETRIES")  # with the identity
OBSERVATION: tuple[int, ...] = unbound("OBSERVATION")  # the shape of a network's input
BEST: float = unbound("BEST")  # the highest score, and the lowest with its sign changed
LONGEST: int = unbound("LONGEST")  # actions in a game; 0 where no bound is known

CONSTANTS = (
    *("PLAYERS", "TEAM", "WORDS", "ACTIONS", "MOST_MOVES"),
    *("MOST_OUTCOMES", "FAIR", "SYMMETRIES", "OBSERVATION", "BEST", "LONGEST"),
)


@interface
def start(state, rng):
    """Writes a starting position; random set-ups are drawn from `rng`.

    Law: every word of `state` is written, and the position is not over.
    """
    raise NotImplementedError


@interface
def mover(state):
    """The player to act, `CHANCE` before a roll, or `OVER` at the end."""
    raise NotImplementedError


@interface
def roller(state):
    """At a chance node, the player who acts after the roll (the one who throws the dice)."""
    raise NotImplementedError


@interface
def moves(state, out):
    """Writes the legal actions of the mover, in ascending order, and returns how many.

    Laws: there is at least one, at most `MOST_MOVES`; different actions lead to different positions.
    """
    raise NotImplementedError


@interface
def play(state, action):
    """Applies a legal action: the part of it that is no chance.

    Law: no game has more than `LONGEST` actions, where that is set.
    """
    raise NotImplementedError


@interface
def outcomes(state, out, weights):
    """At a chance node: writes the outcomes and their whole-number weights, and returns how many.

    Law: at least one, at most `MOST_OUTCOMES`, every weight at least 1, and exactly 1 where `FAIR`.
    """
    raise NotImplementedError


@interface
def roll(state, outcome):
    """Applies an outcome; the roller is then to act."""
    raise NotImplementedError


@interface
def scores(state, out):
    """At the end: writes each player's score.

    Laws: members of a team score the same; one score of each team sums to 0; none is above `BEST`.
    """
    raise NotImplementedError


@interface
def observe(state, player, out):
    """Writes the input of a network, seen by `player`, as flat float32.

    Law: turning a position only rearranges the numbers that the player who follows `seat` sees.
    """
    raise NotImplementedError


@interface
def turned_state(k, state, out):
    """Writes the position on the board turned by symmetry `k`; k = 0 is the identity.

    Laws: it has the same mover up to `seat`, the same outcomes, and scores that follow `seat`.
    """
    raise NotImplementedError


@interface
def turned(k, action):
    """The action that corresponds to `action` on the board turned by symmetry `k`.

    Law: turned_state(k, play(s, a)) == play(turned_state(k, s), turned(k, a)) for every legal a.
    """
    raise NotImplementedError


@interface
def seat(k, player):
    """The player who takes the part of `player` on the board turned by symmetry `k`."""
    raise NotImplementedError


FUNCTIONS = (
    *("start", "mover", "roller", "moves", "play", "outcomes", "roll"),
    *("scores", "observe", "turned_state", "turned", "seat"),
)
