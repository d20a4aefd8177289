"""Alpha-beta search with iterative deepening, for games of two sides without chance.

Depth counts turns: it falls when another player acts. Values are whole numbers, so that windows are exact: the best
score is UNIT * SPAN, and with every turn that passes a value comes one nearer to 0. So a win is worth more the sooner
it comes, and a loss less; an estimate counts as an end that is very far away. The value of a search is that of plain
minimax to the same depth, whatever the table holds.

The search keeps its own stack, so that it can be paused after any number of positions and resumed.
"""

from typing import Any, NamedTuple

import numpy as np

from spielwerk.games.evaluation import before, evaluate
from spielwerk.games.rules import ACTIONS, BEST, OVER, TEAM, mover, moves, play, scores
from spielwerk.games.words import copy_state, key_of
from spielwerk.search.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    HORIZON,
    NOT_FOUND,
    action_of,
    found,
    horizon_of,
    settles,
    store,
    value_of,
)

UNIT, SPAN = 1 << 36, 1 << 14  # steps from 0 to the best score, and turns that can be told apart
FAR = SPAN // 2  # how far away an estimate lies
LIMIT = 1 << 62  # beyond every value
UNKNOWN = -LIMIT - 1  # no value yet
PORTION = 10_000  # positions between two looks at the clock, or at whether to stop

# The columns of `frames`: who acts, turns left to search, the window, the best value and action so far, how many
# actions there are (0: not yet listed) and how many of them were tried, the position's key, 1 if the horizon was seen
# below, 1 if the action now tried is only asked whether it is better, and two actions that were good here before.
MOVER, LEFT, LOW, HIGH, VALUE, CHOICE, COUNT, TRIED, KEY, OPEN, SCOUT, KILLER, SECOND, FIELDS = range(14)
DEPTH, TOP, AGE, COUNTERS = range(4)  # of `counters`: the depth wanted, the frame on top, the age of the table


class Memory(NamedTuple):
    """What the search works on: a frame is one position on the path."""

    counters: np.ndarray  # [COUNTERS]
    stop: np.ndarray  # [1]: another thread may set it to end the search
    frames: np.ndarray  # [frames, FIELDS]
    states: np.ndarray  # [frames, WORDS]
    lists: np.ndarray  # [frames, MOST_MOVES]: the actions
    ranks: np.ndarray  # [frames, MOST_MOVES]: of the actions, the best to try first
    table: np.ndarray  # [entries, ENTRY]: see `search/table.py`
    history: np.ndarray  # [2, ACTIONS]: how good each action was elsewhere, by side
    data: Any  # of the evaluation


def best_action(state, rng, scratch, memory):
    """Alpha-beta as an agent (see `arena/playing/kernels.py`): deepens to the depth wanted, or until all is decided."""
    prepare(state, memory)
    action = memory.frames[0, CHOICE]
    for depth in range(1, memory.counters[DEPTH] + 1):
        begin(state, depth, memory)
        while not proceed(PORTION, scratch.scores, memory):
            if depth > 1 and memory.stop[0] != 0:
                return action
        action = memory.frames[0, CHOICE]
        if decided(memory.frames):
            break
    return action


def decided(frames):
    """Whether a search that is finished would find nothing else with more depth."""
    return frames[0, COUNT] == 1 or frames[0, OPEN] == 0 or abs(frames[0, VALUE]) > UNIT * SPAN - FAR


def prepare(state, memory):
    """Forgets what earlier decisions have found out."""
    frames, history = memory.frames, memory.history
    memory.counters[AGE] += 1
    for f in range(frames.shape[0]):
        frames[f, KILLER] = NOT_FOUND
        frames[f, SECOND] = NOT_FOUND
    for action in range(ACTIONS):
        history[0, action] = 0
        history[1, action] = 0
    before(state, memory.data)


def begin(state, depth, memory):
    """Puts the position on the stack, to be searched to `depth`."""
    frames = memory.frames
    copy_state(state, memory.states[0])
    frames[0, MOVER] = mover(state)
    frames[0, LEFT] = depth
    frames[0, KEY] = key_of(state)
    ask(0, -LIMIT, LIMIT, frames)
    memory.counters[TOP] = 0


def proceed(budget, results, memory):
    """Searches on, `budget` steps at most; returns whether the search is finished."""
    counters, frames = memory.counters, memory.frames
    f = counters[TOP]
    spent = 0
    while f >= 0 and spent < budget:
        spent += 1
        value = UNKNOWN
        if frames[f, COUNT] == 0:
            list_actions(f, memory)
        elif frames[f, TRIED] < frames[f, COUNT] and frames[f, VALUE] < frames[f, HIGH]:
            try_next(f, memory)
            value = known_value(f, results, memory)
            f += 1 if value == UNKNOWN else 0
        else:
            remember(f, memory)
            f -= 1
            if f >= 0:
                value = seen(frames[f + 1, VALUE], frames[f + 1, MOVER], frames[f, MOVER])
        if value != UNKNOWN:
            f = receive(f, value, memory)
    counters[TOP] = f
    return f < 0


def ask(f, low, high, frames):
    """Asks for the value of the position of frame `f`, as far as it lies between `low` and `high`."""
    frames[f, LOW] = low
    frames[f, HIGH] = high
    frames[f, VALUE] = -LIMIT
    frames[f, COUNT] = 0
    frames[f, OPEN] = 0


def list_actions(f, memory):
    """Lists the actions of frame `f`, with a rank each: those first that were good here or elsewhere."""
    frames, lists, ranks = memory.frames, memory.lists, memory.ranks
    n = moves(memory.states[f], lists[f])
    entry = found(memory.table, frames[f, KEY], memory.counters[AGE])
    hint = action_of(memory.table, entry) if entry != NOT_FOUND else NOT_FOUND
    side = TEAM[frames[f, MOVER]]
    for i in range(n):
        action = lists[f, i]
        ranks[f, i] = memory.history[side, action]
        if action == hint:
            ranks[f, i] = LIMIT
        elif action == frames[f, KILLER]:
            ranks[f, i] = LIMIT - 1
        elif action == frames[f, SECOND]:
            ranks[f, i] = LIMIT - 2
    frames[f, COUNT] = n
    frames[f, TRIED] = 0
    frames[f, CHOICE] = lists[f, 0]


def try_next(f, memory):
    """Plays the untried action of the highest rank."""
    frames, states, lists, ranks = memory.frames, memory.states, memory.lists, memory.ranks
    tried = frames[f, TRIED]
    best = tried
    for i in range(tried + 1, frames[f, COUNT]):
        if ranks[f, i] > ranks[f, best]:
            best = i
    action = lists[f, best]
    ranks[f, best] = ranks[f, tried]
    lists[f, best] = lists[f, tried]
    lists[f, tried] = action
    frames[f, TRIED] = tried + 1
    # The first action gets the whole window; of the others it is asked first whether they are better at all.
    frames[f, SCOUT] = 1 if tried > 0 and frames[f, LEFT] > 1 else 0
    copy_state(states[f], states[f + 1])
    play(states[f + 1], action)


def known_value(f, results, memory):
    """The value of the action that frame `f` tries, or UNKNOWN if frame `f + 1` must search for it."""
    frames, states, table = memory.frames, memory.states, memory.table
    me = frames[f, MOVER]
    who = mover(states[f + 1])
    left = frames[f, LEFT] - (0 if who == me else 1)
    if who == OVER or left == 0 or f + 2 == frames.shape[0]:
        frames[f, SCOUT] = 0
        frames[f + 1, OPEN] = 0 if who == OVER else 1
        return worth(states[f + 1], me, results, memory.data)
    frames[f + 1, MOVER] = who
    frames[f + 1, LEFT] = left
    frames[f + 1, KEY] = key_of(states[f + 1])
    low = sure(f, frames)
    low, high = window(low, low + 1 if frames[f, SCOUT] == 1 else frames[f, HIGH], who, me)
    entry = found(table, frames[f + 1, KEY], memory.counters[AGE])
    if entry != NOT_FOUND and settles(table, entry, left, low, high):
        frames[f + 1, OPEN] = horizon_of(table, entry)
        return seen(value_of(table, entry), who, me)
    ask(f + 1, low, high, frames)
    return UNKNOWN


def sure(f, frames):
    """What the mover of frame `f` is sure of already."""
    return max(frames[f, LOW], frames[f, VALUE])


def receive(f, value, memory):
    """Takes the value of the action that frame `f` tries, or asks again; returns the frame on top."""
    frames = memory.frames
    low, high = sure(f, frames), frames[f, HIGH]
    if frames[f, SCOUT] == 1 and low < value and value < high:
        frames[f, SCOUT] = 0
        low, high = window(low, high, frames[f + 1, MOVER], frames[f, MOVER])
        ask(f + 1, low, high, frames)
        return f + 1
    frames[f, OPEN] |= frames[f + 1, OPEN]
    if value > frames[f, VALUE]:
        frames[f, VALUE] = value
        frames[f, CHOICE] = memory.lists[f, frames[f, TRIED] - 1]
        if value >= high:
            reward(f, frames, memory.history)
    return f


def reward(f, frames, history):
    """Notes an action that was good enough to end the search of its position."""
    action = frames[f, CHOICE]
    history[TEAM[frames[f, MOVER]], action] += frames[f, LEFT] * frames[f, LEFT]
    if frames[f, KILLER] != action:
        frames[f, SECOND] = frames[f, KILLER]
        frames[f, KILLER] = action


def remember(f, memory):
    """Puts what frame `f` has found into the table."""
    frames = memory.frames
    value = frames[f, VALUE]
    bound = AT_LEAST if value >= frames[f, HIGH] else EXACT if value > frames[f, LOW] else AT_MOST
    bound += HORIZON * frames[f, OPEN]
    store(memory.table, frames[f, KEY], memory.counters[AGE], frames[f, LEFT], bound, value, frames[f, CHOICE])


def worth(state, me, results, data):
    """What `me`, who has just acted, expects in `state` without a search."""
    who = mover(state)
    if who == OVER:
        scores(state, results)
        return nearer(exact(results[me]))
    return seen(estimated(evaluate(state, who, data)), who, me)


def seen(value, who, me):
    """A value for `who`, who is to act, as `me`, who has just acted, sees it."""
    if who == me:
        return value
    value = nearer(value)
    return value if TEAM[who] == TEAM[me] else -value


def window(low, high, who, me):
    """The values for `who` that `me` sees between `low` and `high`."""
    if who == me:
        return low, high
    if TEAM[who] != TEAM[me]:
        low, high = -high, -low
    return low + 1 if low >= 0 else low - 1, high + 1 if high > 0 else high - 1


def nearer(value):
    """The value, one turn away from it."""
    return value - 1 if value > 0 else value + 1 if value < 0 else 0


def exact(score):
    """A score at the end as a value."""
    return int(np.floor(score / BEST * UNIT + 0.5)) * SPAN


def estimated(score):
    """An expected score as a value: nearer to 0 than the same score at any end within reach."""
    value = exact(score)
    return value - FAR if value > 0 else value + FAR if value < 0 else 0
