"""Games between genomes, each pairing from every seat, on the same dice."""

from spielwerk.games.rules import CHANCE, OVER, TEAM, mover, play, roll, scores, start
from spielwerk.kernel.specialise import unbound
from spielwerk.learn.evolution.genome.outputs import ILLEGAL, answer
from spielwerk.search.playout import random_outcome
from spielwerk.search.state import copy_state

SIDES: int = unbound("SIDES")  # teams of the game
FIRST, SECOND, TURNS, GAMES = 0, 1, 2, 3  # of what a pairing gives: wins of both (a draw is half a win), turns, games
GIVEN = 4
BLOCK = 16  # pairings of a row


def meetings(i, state, actions, weights, results, arrays):
    """Row kernel: the pairings of block `i`, each once from every seat.

    pairs [n, 2] are rows of genomes; words [n, 1] the random stream of each pairing, rngs [blocks, 1] room for it;
    given [n, GIVEN]; longest [1] is how many actions a game may have; of these games no trace is kept.
    """
    pairs, words, rngs, given, longest, trace, genomes, wires, room = arrays
    for p in range(i * BLOCK, min((i + 1) * BLOCK, pairs.shape[0])):
        for column in range(GIVEN):
            given[p, column] = 0.0
        for side in range(SIDES):
            rngs[i, 0] = words[p, 0]
            start(state, rngs[i])
            who = pairs[p, 0], pairs[p, 1], side
            score, turns = game(
                who, state, rngs[i], longest[0], trace, i, actions, weights, results, genomes, wires, room
            )
            given[p, FIRST] += win(score)
            given[p, SECOND] += win(-score)
            given[p, TURNS] += turns
            given[p, GAMES] += 1


def win(score):
    """What a score counts for: only whether it is won."""
    return 1.0 if score > 0.0 else (0.5 if score == 0.0 else 0.0)


def shown(i, state, actions, weights, results, arrays):
    """Row kernel: game `i`, from a start that is kept, with a trace of all actions and rolls.

    pairs [n, 3] are rows of genomes and the team of the first; starts [n, WORDS]; traces [n, numbers]; see `meetings`.
    """
    pairs, words, starts, traces, given, longest, genomes, wires, room = arrays
    start(state, words[i])
    copy_state(state, starts[i])
    who = pairs[i, 0], pairs[i, 1], pairs[i, 2]
    score, turns = game(who, state, words[i], longest[0], traces[i], i, actions, weights, results, genomes, wires, room)
    given[i, FIRST] = win(score)
    given[i, SECOND] = win(-score)
    given[i, TURNS] = turns
    given[i, GAMES] = 1


def game(who, state, rng, longest, trace, r, actions, weights, results, genomes, wires, room):
    """Plays on to the end: `who = (a, b, side)`, genome `a` is team `side`, `b` all others.

    Returns the score of `a`, and the number of turns. Whoever gives an illegal output has lost; a game that is too long
    is a draw. As many actions and rolls as there is room for are kept in `trace`.
    """
    a, b, side = who
    kept = 0
    turns = 0
    played = 0
    before = CHANCE
    acting = mover(state)
    while acting != OVER:
        if acting == CHANCE:
            number = random_outcome(state, rng, actions, weights)
            roll(state, number)
            before = CHANCE
        else:
            if played == longest:
                return 0.0, turns
            mine = TEAM[acting] == side
            if acting != before:
                turns += 1
                before = acting
            number = answer(a if mine else b, state, r, genomes, wires, room)
            if number == ILLEGAL:
                if kept < trace.shape[0]:
                    trace[kept] = ILLEGAL
                return -1.0 if mine else 1.0, turns
            play(state, number)
            played += 1
        if kept < trace.shape[0]:
            trace[kept] = number
        kept += 1
        acting = mover(state)
    scores(state, results)
    score = 0.0
    for player in range(len(TEAM)):
        if TEAM[player] == side:
            score = results[player]
    return score, turns
