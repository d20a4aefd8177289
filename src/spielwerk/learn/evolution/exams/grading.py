"""Grading genomes in compiled code: on the decisions of an exam, and in games against perfect play."""

from math import isnan, nan

from spielwerk.games.rules import CHANCE, OVER, TEAM, WORDS, mover, moves, play, roll, scores, start
from spielwerk.kernel.specialise import unbound
from spielwerk.learn.evolution.exams.known_positions import MISSING, found
from spielwerk.learn.evolution.genome.inputs import see
from spielwerk.learn.evolution.genome.outputs import ILLEGAL, WON, WORST, answer
from spielwerk.learn.evolution.genome.wiring import think_rows
from spielwerk.search.playout import random_outcome

SIDES: int = unbound("SIDES")
RIGHT, LOSS = 0, 1  # of a genome's marks


def grade_ends(i, state, actions, weights, results, arrays):
    """Row kernel: genome `i` chooses the best end of each turn; marks [n, questions, 2] are what is given for that.

    sights [ends, inputs] is what is seen of each different end, and fixed [ends] its worth where it is the end of the
    game (else NaN); options [options] says which end each one is; given [options, 2]; judged [n, ends, 1] and
    values [n, nodes, BLOCK] are room.
    """
    marks, sights, fixed, first, options, given, judged, values, genomes, wires = arrays
    think_rows(i, sights, judged[i], values[i], genomes, wires)
    for end in range(sights.shape[0]):
        if not isnan(fixed[end]):
            judged[i, end, 0] = fixed[end]
    for q in range(first.shape[0] - 1):
        best = WORST
        chosen = first[q]
        for option in range(first[q], first[q + 1]):
            if judged[i, options[option], 0] > best:
                best = judged[i, options[option], 0]
                chosen = option
        marks[i, q, RIGHT] = given[chosen, RIGHT]
        marks[i, q, LOSS] = given[chosen, LOSS]


def grade_actions(i, state, actions, weights, results, arrays):
    """Row kernel: genome `i` answers each question; an illegal answer is wrong, and loses what can be lost."""
    marks, states, first, options, given, genomes, wires, room = arrays
    for q in range(first.shape[0] - 1):
        for word in range(WORDS):
            state[word] = states[q, word]
        action = answer(i, state, i, genomes, wires, room)
        most = 0.0
        for option in range(first[q], first[q + 1]):
            most = max(most, given[option, LOSS])
            if options[option] == action:
                marks[i, q, RIGHT] = given[option, RIGHT]
                marks[i, q, LOSS] = given[option, LOSS]
        if action == ILLEGAL:
            marks[i, q, LOSS] = most


def perfect_games(i, state, actions, weights, results, arrays):
    """Row kernel: genome `i` plays from every seat against perfect play; right [n, 2] are its right decisions, and all.

    Each game begins with a stream of `words` [games, 1], rng [1] is room for it; it ends after `longest[0]` actions, or
    with an illegal output of the genome.
    """
    right, words, rng, longest, slots, states, first, options, given, best, genomes, wires, room = arrays
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
                q = found(state, slots, states)
                if TEAM[who] == side:
                    action = answer(i, state, i, genomes, wires, room)
                    if q != MISSING:
                        right[i, 1] += 1
                        for option in range(first[q], first[q + 1]):
                            if options[option] == action and given[option, RIGHT] > 0.0:
                                right[i, 0] += 1
                    if action == ILLEGAL:
                        break
                elif q != MISSING:
                    action = options[best[q]]
                else:
                    moves(state, actions)
                    action = actions[0]
                play(state, action)
                played += 1
                who = mover(state)


def sight(i, state, actions, weights, results, arrays):
    """Row kernel: what player `movers[i]` sees of end `i`; of the end of the game, what it is worth (else NaN)."""
    ends, movers, sights, fixed, room = arrays
    _, seen, observed, _, _, _, _, _, _ = room
    fixed[i] = nan
    if mover(ends[i]) == OVER:
        scores(ends[i], results)
        fixed[i] = results[movers[i]] * WON
    else:
        see(ends[i], movers[i], sights[i], seen[0], observed[0])
