"""Row kernels of a batch: what the rules say of each of many positions (see `kernel/rows.py`)."""

from spielwerk.games.chance import random_action, random_outcome
from spielwerk.games.rules import (
    CHANCE,
    OVER,
    PLAYERS,
    mover,
    moves,
    observe,
    outcomes,
    play,
    roll,
    roller,
    scores,
    start,
    turned,
    turned_state,
)
from spielwerk.games.words import copy_state


def actor(state):
    """Who acts next, perhaps after a roll; OVER at the end."""
    who = mover(state)
    return roller(state) if who == CHANCE else who


def start_rows(i, state, actions, weights, results, arrays):
    """A starting position on every board."""
    states, rngs = arrays  # [n, WORDS], [n, 1]
    start(states[i], rngs[i])


def who_rows(i, state, actions, weights, results, arrays):
    """The mover of each board, and who acts next."""
    states, movers, actors = arrays  # [n, WORDS], [n], [n]
    movers[i] = mover(states[i])
    actors[i] = actor(states[i])


def mask_rows(i, state, actions, weights, results, arrays):
    """A 1 for each legal action of each board; the rest is 0 already."""
    states, mask = arrays  # [n, WORDS], [n, ACTIONS]
    mark_legal(states[i], actions, mask[i])


def mark_legal(state, actions, marks):
    """Writes a 1 for each legal action."""
    if mover(state) >= 0:
        for k in range(moves(state, actions)):
            marks[actions[k]] = 1


def count_outcome_rows(i, state, actions, weights, results, arrays):
    """How many outcomes the roll of each board may have."""
    states, counts = arrays  # [n, WORDS], [n]
    counts[i] = outcomes(states[i], actions, weights) if mover(states[i]) == CHANCE else 0


def outcome_rows(i, state, actions, weights, results, arrays):
    """The outcomes of each board's roll, and their weights."""
    states, offsets, out, out_weights = arrays  # [n, WORDS], [n + 1], [m], [m]
    if mover(states[i]) == CHANCE:
        for k in range(outcomes(states[i], actions, weights)):
            out[offsets[i] + k] = actions[k]
            out_weights[offsets[i] + k] = weights[k]


def observe_rows(i, state, actions, weights, out, arrays):
    """What the player who acts next sees on each board (see `kernel/tiles.py`)."""
    (states,) = arrays  # [n, WORDS]
    copy_state(states[i], state)
    observe(state, max(actor(state), 0), out)


def observe_as_rows(i, state, actions, weights, out, arrays):
    """The same; where the game is over, what a viewer sees."""
    states, viewers = arrays  # [n, WORDS], [n]
    copy_state(states[i], state)
    who = actor(state)
    observe(state, viewers[i] if who == OVER else who, out)


def play_rows(i, state, actions, weights, results, arrays):
    """Plays an action on each board, or none where it is below 0."""
    states, chosen = arrays  # [n, WORDS], [n]
    if chosen[i] >= 0:
        copy_state(states[i], state)
        play(state, chosen[i])
        copy_state(state, states[i])


def roll_rows(i, state, actions, weights, results, arrays):
    """Applies an outcome to each board, or none where it is below 0."""
    states, rolled = arrays  # [n, WORDS], [n]
    if rolled[i] >= 0:
        roll(states[i], rolled[i])


def random_roll_rows(i, state, actions, weights, results, arrays):
    """Rolls on each board where a roll is due, from its own random stream."""
    states, rngs = arrays  # [n, WORDS], [n, 1]
    if mover(states[i]) == CHANCE:
        roll(states[i], random_outcome(states[i], rngs[i], actions, weights))


def turned_rows(i, state, actions, weights, results, arrays):
    """Each board turned by its own symmetry."""
    states, symmetries, out = arrays  # [n, WORDS], [n], [n, WORDS]
    copy_state(states[i], state)  # a board may be turned in place
    turned_state(symmetries[i], state, out[i])


def turned_action_rows(i, state, actions, weights, results, arrays):
    """Each action on the turned board; one below 0 stays as it is."""
    chosen, symmetries, out = arrays  # [n], [n], [n]
    out[i] = turned(symmetries[i], chosen[i]) if chosen[i] >= 0 else chosen[i]


def score_rows(i, state, actions, weights, results, arrays):
    """The scores of each board that is over; the rest is 0 already."""
    states, out = arrays  # [n, WORDS], [n, PLAYERS]
    if mover(states[i]) == OVER:
        scores(states[i], results)
        for player in range(PLAYERS):
            out[i, player] = results[player]


def restart_rows(i, state, actions, weights, results, arrays):
    """A starting position on each board that is over."""
    states, rngs, restarted = arrays  # [n, WORDS], [n, 1], [n]
    restarted[i] = mover(states[i]) == OVER
    if restarted[i]:
        start(states[i], rngs[i])


def random_step_rows(i, state, actions, weights, out, arrays):
    """A random action on each board, new games and rolls where due; then its mask and what its mover sees."""
    states, rngs, mask = arrays  # [n, WORDS], [n, 1], [n, ACTIONS], all 0
    copy_state(states[i], state)
    if mover(state) >= 0:
        play(state, random_action(state, rngs[i], actions))
    if mover(state) == OVER:
        start(state, rngs[i])
    if mover(state) == CHANCE:
        roll(state, random_outcome(state, rngs[i], actions, weights))
    mark_legal(state, actions, mask[i])
    observe(state, mover(state), out)
    copy_state(state, states[i])
