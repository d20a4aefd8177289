"""Games between genomes, each pairing from every seat, on the same dice."""

from typing import NamedTuple

import numpy as np

from spielwerk.games.outputs import ILLEGAL
from spielwerk.games.rules import CHANCE, OVER, TEAM, mover, play, roll, scores, start
from spielwerk.games.words import copy_state
from spielwerk.kernel.specialise import unbound
from spielwerk.learn.evolution.genome.outputs import Judge, answer, of_row
from spielwerk.search.playout import random_outcome

SIDES: int = unbound("SIDES")  # teams of the game
FIRST, SECOND, TURNS, GAMES = 0, 1, 2, 3  # of what a pairing gives: wins of both (a draw is half a win), turns, games
GIVEN = 4
BLOCK = 16  # pairings of a row


class Meetings(NamedTuple):
    """Pairings, each played from every seat."""

    pairs: np.ndarray  # int64 [n, 2]: rows of genomes
    words: np.ndarray  # uint64 [n, 1]: the random stream of each pairing
    rngs: np.ndarray  # uint64 [blocks, 1], scratch
    given: np.ndarray  # float64 [n, GIVEN], written
    trace: np.ndarray  # int64 [0]: of these games none is kept


class ShownGames(NamedTuple):
    """Single games that are kept whole."""

    pairs: np.ndarray  # int64 [n, 3]: rows of genomes, and the team of the first
    words: np.ndarray  # uint64 [n, 1]: the random stream of each game
    starts: np.ndarray  # int64 [n, WORDS], written
    traces: np.ndarray  # int32 [n, numbers], written: actions and rolls


class Board(NamedTuple):
    """One game, with what a row of a kernel has to work in."""

    state: np.ndarray  # int64 [WORDS]
    rng: np.ndarray  # uint64 [1]
    actions: np.ndarray  # int64 [most actions or outcomes]
    weights: np.ndarray  # int64, as long: of outcomes
    results: np.ndarray  # float64 [PLAYERS]
    trace: np.ndarray  # int [numbers]: as many actions and rolls as fit are kept
    longest: int  # actions after which the game is a draw


class Pairing(NamedTuple):
    """Genome `a` is team `side`, genome `b` all others."""

    a: int
    b: int
    side: int


def meetings(i, state, actions, weights, results, arrays):
    """Row kernel: the pairings of block `i`, each once from every seat; longest [1] is that of a board."""
    met, longest, networks, scratch = arrays
    pairs, given = met.pairs, met.given
    mine = of_row(i, scratch)
    board = Board(state, met.rngs[i], actions, weights, results, met.trace, longest[0])
    for p in range(i * BLOCK, min((i + 1) * BLOCK, pairs.shape[0])):
        for column in range(GIVEN):
            given[p, column] = 0.0
        for side in range(SIDES):
            board.rng[0] = met.words[p, 0]
            start(state, board.rng)
            score, turns = game(Pairing(pairs[p, 0], pairs[p, 1], side), board, networks, mine)
            given[p, FIRST] += win(score)
            given[p, SECOND] += win(-score)
            given[p, TURNS] += turns
            given[p, GAMES] += 1


def win(score):
    """What a score counts for: only whether it is won."""
    return 1.0 if score > 0.0 else (0.5 if score == 0.0 else 0.0)


def shown(i, state, actions, weights, results, arrays):
    """Row kernel: game `i`, from a start that is kept, with a trace of all actions and rolls."""
    games, longest, networks, scratch = arrays
    board = Board(state, games.words[i], actions, weights, results, games.traces[i], longest[0])
    start(state, board.rng)
    copy_state(state, games.starts[i])
    game(Pairing(games.pairs[i, 0], games.pairs[i, 1], games.pairs[i, 2]), board, networks, of_row(i, scratch))


def game(pairing, board, networks, scratch):
    """Plays on to the end; returns the score of the first genome, and the number of turns.

    Whoever gives an illegal output has lost.
    """
    state, trace = board.state, board.trace
    kept = 0
    turns = 0
    played = 0
    before = CHANCE
    acting = mover(state)
    while acting != OVER:
        if acting == CHANCE:
            number = random_outcome(state, board.rng, board.actions, board.weights)
            roll(state, number)
            before = CHANCE
        else:
            if played == board.longest:
                return 0.0, turns
            mine = TEAM[acting] == pairing.side
            if acting != before:
                turns += 1
                before = acting
            number = answer(state, Judge(pairing.a if mine else pairing.b, networks, scratch))
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
    scores(state, board.results)
    score = 0.0
    for player in range(len(TEAM)):
        if TEAM[player] == pairing.side:
            score = board.results[player]
    return score, turns
