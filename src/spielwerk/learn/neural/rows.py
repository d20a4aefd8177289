"""Row kernels of self-play with networks."""

from spielwerk.games.chance import playout_turns, random_action
from spielwerk.games.rules import OVER, mover, start
from spielwerk.kernel.random import below, fraction


def begin_rows(i, state, actions, weights, results, arrays):
    """A new game on every board that is over, after so many random turns."""
    states, rngs, turns = arrays  # [n, WORDS], [n, 1], [2 a span]: fewest and most
    binding = True
    while mover(states[i]) == OVER:
        begin(states[i], rngs[i], actions, weights, turns, binding)
        binding = False  # no game may last as long as the fewest turns


def cut_rows(i, state, actions, weights, results, arrays):
    """A new game, which may be over, on every board whose game is cut off."""
    states, rngs, cut, turns = arrays  # [n, WORDS], [n, 1], [n], [2 a span]
    if cut[i]:
        begin(states[i], rngs[i], actions, weights, turns, True)


def begin(state, rng, actions, weights, turns, binding):
    """A position after so many random turns as one of the spans says, whose fewest turns may not be `binding`."""
    start(state, rng)
    spans = turns.shape[0] // 2
    span = below(rng, spans) if spans > 1 else 0
    fewest, most = (turns[2 * span] if binding else 0), turns[2 * span + 1]
    if most > 0:
        playout_turns(state, rng, actions, weights, fewest + below(rng, most - fewest + 1))


def lot_rows(i, state, actions, weights, results, arrays):
    """Draws lots: 1 on a share of the boards, 0 on the others."""
    rngs, share, drawn = arrays  # [n, 1], [1], [n]
    drawn[i] = 1 if fraction(rngs[i]) < share[0] else 0


def wander_rows(i, state, actions, weights, results, arrays):
    """A random action in the place of the chosen one on a share of the boards, on which it says so."""
    states, rngs, share, chosen, wandered = arrays  # [n, WORDS], [n, 1], [1], [n], [n]
    wandered[i] = 0
    if mover(states[i]) >= 0 and fraction(rngs[i]) < share[0]:
        chosen[i] = random_action(states[i], rngs[i], actions)
        wandered[i] = 1
