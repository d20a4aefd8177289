"""Grading genomes in compiled code: on the decisions of an exam, and in games against perfect play or each other."""

from math import isnan, nan
from typing import NamedTuple

import numpy as np

from spielwerk.games.outputs import ILLEGAL
from spielwerk.games.rules import CHANCE, OVER, TEAM, mover, moves, play, roll, scores, start
from spielwerk.games.words import copy_state
from spielwerk.kernel.specialise import unbound
from spielwerk.learn.afterstates import WORST
from spielwerk.learn.evolution.exams.known_positions import MISSING, KnownPositions, found
from spielwerk.learn.evolution.genome.inputs import see
from spielwerk.learn.evolution.genome.outputs import WON, Judge, answer, of_row
from spielwerk.learn.evolution.genome.wiring import think_rows
from spielwerk.search.playout import random_outcome

SIDES: int = unbound("SIDES")
RIGHT, REGRET = 0, 1  # of a genome's marks
DECIDED, DECISIONS, POINTS, MOVES = 0, 1, 2, 3  # counted in games: right decisions and all of them, points and moves
COUNTED = 4
PERFECT = -1  # as an opponent: perfect play


class Ends(NamedTuple):
    """Questions as ends of turns, each different end once."""

    sights: np.ndarray  # float64 [ends, inputs]: what is seen of each
    fixed: np.ndarray  # float64 [ends]: its worth where it is the end of the game, else NaN
    first: np.ndarray  # int64 [questions + 1]: where the options of each question begin
    options: np.ndarray  # int64 [options]: which end each one is
    given: np.ndarray  # float64 [options, 2]: the marks


class Actions(NamedTuple):
    """Questions as positions and their actions."""

    states: np.ndarray  # int64 [questions, WORDS]
    first: np.ndarray  # int64 [questions + 1]: where the options of each question begin
    options: np.ndarray  # int64 [options]: actions
    given: np.ndarray  # float64 [options, 2]: the marks


class PerfectPlay(NamedTuple):
    """The questions of all positions that a game can come to."""

    known: KnownPositions
    asked: Actions
    best: np.ndarray  # int64 [questions]: the option that perfect play takes


def grade_ends(i, state, actions, weights, results, arrays):
    """Row kernel: genome `i` chooses the best end of each turn; marks [n, questions, 2] are what is given for that.

    judged [n, ends, 1] and values [n, nodes, BLOCK] are scratch.
    """
    marks, asked, judged, values, networks = arrays
    first, options = asked.first, asked.options
    think_rows(i, asked.sights, judged[i], values[i], networks)
    for end in range(asked.sights.shape[0]):
        if not isnan(asked.fixed[end]):
            judged[i, end, 0] = asked.fixed[end]
    for q in range(first.shape[0] - 1):
        best = WORST
        chosen = first[q]
        for option in range(first[q], first[q + 1]):
            if judged[i, options[option], 0] > best:
                best = judged[i, options[option], 0]
                chosen = option
        marks[i, q, RIGHT] = asked.given[chosen, RIGHT]
        marks[i, q, REGRET] = asked.given[chosen, REGRET]


def grade_actions(i, state, actions, weights, results, arrays):
    """Row kernel: genome `i` answers each question; an illegal answer is wrong, and loses what can be lost."""
    marks, asked, networks, scratch = arrays
    first, given = asked.first, asked.given
    judge = Judge(i, networks, of_row(i, scratch))
    for q in range(first.shape[0] - 1):
        copy_state(asked.states[q], state)
        action = answer(state, judge)
        most = 0.0
        for option in range(first[q], first[q + 1]):
            most = max(most, given[option, REGRET])
            if asked.options[option] == action:
                marks[i, q, RIGHT] = given[option, RIGHT]
                marks[i, q, REGRET] = given[option, REGRET]
        if action == ILLEGAL:
            marks[i, q, REGRET] = most


def graded_games(i, state, actions, weights, results, arrays):
    """Row kernel: genome `i` plays `others[p]`, a genome or PERFECT, from every seat; counts [n, COUNTED] add up.

    A decision is a move where there is something to choose. A point is for a right decision and for any legal move
    where there is nothing to choose; an illegal output is a move without a point. Each game begins with a stream of
    `words` [games, 1], rng [1] is scratch; it ends after `longest[0]` actions, or with an illegal output.
    """
    counts, others, words, rng, longest, perfect, networks, scratch = arrays
    own = of_row(i, scratch)
    for p in range(words.shape[0]):
        for side in range(SIDES):
            rng[0] = words[p, 0]
            start(state, rng)
            played = 0
            who = mover(state)
            while who != OVER and played < longest[0]:
                if who == CHANCE:
                    roll(state, random_outcome(state, rng, actions, weights))
                    who = mover(state)
                    continue
                q = found(state, perfect.known)
                mine = TEAM[who] == side
                if mine or others[p] != PERFECT:
                    action = answer(state, Judge(i if mine else others[p], networks, own))
                elif q != MISSING:
                    action = perfect.asked.options[perfect.best[q]]
                else:
                    moves(state, actions)
                    action = actions[0]
                if mine:
                    count_move(q, action, perfect.asked, counts[i])
                if action == ILLEGAL:
                    break
                play(state, action)
                played += 1
                who = mover(state)


def count_move(q, action, asked, counts):
    """Counts a move in position `q`, which is MISSING where there is nothing to choose."""
    counts[MOVES] += 1
    if q != MISSING:
        right = is_right(q, action, asked)
        counts[DECISIONS] += 1
        counts[DECIDED] += right
        counts[POINTS] += right
    elif action != ILLEGAL:
        counts[POINTS] += 1


def is_right(q, action, asked):
    """1 where an action is a right answer to a question, otherwise 0."""
    for option in range(asked.first[q], asked.first[q + 1]):
        if asked.options[option] == action and asked.given[option, RIGHT] > 0.0:
            return 1
    return 0


def sight(i, state, actions, weights, results, arrays):
    """Row kernel: what player `movers[i]` sees of end `i`; of the end of the game, what it is worth (else NaN)."""
    ends, movers, sights, fixed, scratch = arrays
    fixed[i] = nan
    if mover(ends[i]) == OVER:
        scores(ends[i], results)
        fixed[i] = results[movers[i]] * WON
    else:
        see(ends[i], movers[i], sights[i], scratch.seen[0], scratch.observed[0])
