"""Evolution as its description reads, slow and plain: networks as lists of edges, games as lists of matches."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np

import spielwerk as sw
from spielwerk.kernel.random import below, streams
from spielwerk.learn.evolution.genome.activations import ACTIVATIONS
from spielwerk.learn.evolution.genome.blueprint import Blueprint
from spielwerk.learn.evolution.genome.genome import Genome

Stacks = tuple[int, ...]
FAR = 1e9  # no sum and no value lies beyond
FORMULAS: Mapping[str, Callable[[float], float]] = {
    "elu": lambda x: x if x > 0 else math.exp(x) - 1,
    "relu": lambda x: x if x > 0 else 0.0,
    "tanh": math.tanh,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)) if x > -700 else 0.0,
    "identity": lambda x: x,
    "sin": math.sin,
    "cos": math.cos,
    "gauss": lambda x: math.exp(-(x**2)) if abs(x) < 26 else 0.0,
    "abs": abs,
    "square": lambda x: min(x**2, FAR),
    "step": lambda x: 1.0 if x > 0 else 0.0,
    "wave": lambda x: math.cos(math.pi * x),
}


def within(low: float, x: float, high: float) -> float:
    """`x`, or the bound that it lies beyond."""
    return sorted((low, x, high))[1]


def outputs(genome: Genome, inputs: Sequence[float]) -> list[float]:
    """What a network answers: each node asks those before it; nobody looks at layers."""
    before: dict[int, list[tuple[int, float]]] = {place: [] for place in range(len(genome.nodes))}
    for (_, source, target, on), weight in zip(genome.edges.tolist(), genome.weights.tolist(), strict=True):
        if on:
            before[target].append((source, weight))

    @cache
    def value(place: int) -> float:
        if place < genome.inputs:
            return float(inputs[place])
        total = float(genome.biases[place])
        for source, weight in before[place]:
            total += weight * value(source)
        return FORMULAS[ACTIVATIONS[genome.nodes[place, 2]]](within(-FAR, total, FAR))

    return [value(genome.inputs + k) for k in range(genome.outputs)]


def reaching(genome: Genome) -> set[int]:
    """The inputs from which a way of edges that are on leads to an output."""
    found, waiting = set(), list(range(genome.inputs, genome.inputs + genome.outputs))
    while waiting:
        place = waiting.pop()
        if place not in found:
            found.add(place)
            waiting += [source for _, source, target, on in genome.edges.tolist() if on and target == place]
    return {place for place in found if place < genome.inputs}


def moves(stacks: Stacks) -> list[tuple[int, int]]:
    """Stack and matches of each legal move of nim: by matches, then by stack."""
    return [(stack, take) for take in range(1, max(stacks) + 1) for stack, size in enumerate(stacks) if size >= take]


def after(stacks: Stacks, stack: int, take: int) -> Stacks:
    """The stacks after a move."""
    return tuple(size - take * (number == stack) for number, size in enumerate(stacks))


@cache
def end(stacks: Stacks, misere: bool) -> tuple[bool, int]:
    """Whether who is to move wins, and in how many turns: who wins hurries, who loses tarries."""
    if not any(stacks):
        return misere, 0
    others = [end(after(stacks, *move), misere) for move in moves(stacks)]
    lost = [turns for wins, turns in others if not wins]
    return (True, 1 + min(lost)) if lost else (False, 1 + max(turns for _, turns in others))


def right(stacks: Stacks, move: tuple[int, int] | None, misere: bool) -> bool:
    """Whether a move keeps a won position won, or delays the end of a lost one as long as possible."""
    if move is None:
        return False
    wins, turns = end(stacks, misere)
    others_win, others_turns = end(after(stacks, *move), misere)
    return not others_win if wins else 1 + others_turns == turns


def perfect(stacks: Stacks, misere: bool) -> tuple[int, int]:
    """The first move that wins soonest, or loses latest."""
    wins, turns = end(stacks, misere)
    return next(move for move in moves(stacks) if end(after(stacks, *move), misere) == (not wins, turns - 1))


class NimPlayer:
    """A network that plays nim."""

    def __init__(self, blueprint: Blueprint, genome: Genome) -> None:
        self.settings, self.genome, self.misere = blueprint.settings, genome, blueprint.game.settings.misere
        self.sizes = [int(size) for size in blueprint.game.settings.stacks.split("-")]
        self.move = cache(self._move)

    def seen(self, stacks: Stacks) -> list[float]:
        """What the network sees of these stacks: numbers, their binary digits, or a node for each but 0."""
        both = list(zip(stacks, self.sizes, strict=True))
        if self.settings.inputs == "bits":
            return [float(digit) for now, most in both for digit in reversed(f"{now:0{len(f'{most:b}')}b}")]
        if self.settings.inputs == "onehot":
            return [float(now == value) for now, most in both for value in range(1, most + 1)]
        if self.settings.inputs == "observe":
            return [*(now / max(self.sizes) for now in stacks), float(self.settings.output != "afterstate")]
        return [float(now) for now in stacks]

    def _move(self, stacks: Stacks) -> tuple[int, int] | None:
        """Stack and matches; None where its outputs mean no legal move."""
        if self.settings.output == "afterstate":
            return max(moves(stacks), key=lambda move: self._worth(after(stacks, *move)))  # of equal ones the first
        values = outputs(self.genome, self.seen(stacks))
        if self.settings.output == "direct":
            stack, take = (math.floor(within(-1000, value, 1000) + 0.5) for value in values)
        else:
            n = len(stacks)
            stack, take = values[:n].index(max(values[:n])), 1 + values[n:].index(max(values[n:]))
        if 0 <= stack < len(stacks) and 1 <= take <= stacks[stack]:
            return stack, take
        return self._nearest(stacks, stack, take) if self.settings.illegal == "safe" else None

    def _worth(self, stacks: Stacks) -> float:
        if any(stacks):
            return outputs(self.genome, self.seen(stacks))[0]
        return -math.inf if self.misere else math.inf

    def _nearest(self, stacks: Stacks, stack: int, take: int) -> tuple[int, int]:
        """First the nearest stack that has matches, then as many of them as come nearest."""
        filled = [number for number, size in enumerate(stacks) if size]
        nearest = min(filled, key=lambda number: abs(number - stack))
        return nearest, int(within(1, take, stacks[nearest]))


def nim_game(players: Sequence[NimPlayer], stacks: Stacks) -> tuple[int, int]:
    """Who wins, and after how many turns; an illegal move loses, and is a turn too."""
    turn = 0
    while any(stacks):
        move = players[turn % 2].move(stacks)
        if move is None:
            return 1 - turn % 2, turn + 1
        stacks = after(stacks, *move)
        turn += 1
    return (turn if players[0].misere else turn - 1) % 2, turn


def nim_start(game: sw.Game, rng: np.ndarray) -> Stacks:
    """The stacks of a game, drawn where they are random."""
    sizes = [int(size) for size in game.settings.stacks.split("-")]
    filled = int(below(rng, len(sizes))) if game.settings.simple else None
    if game.settings.sizes == "random":
        sizes = [1 + int(below(rng, size)) for size in sizes]
    return tuple(size if filled in (None, stack) else 0 for stack, size in enumerate(sizes))


def nim_meeting(blueprint: Blueprint, a: Genome, b: Genome, word: np.ndarray) -> list[float]:
    """Wins of both, turns and games of a pairing, once from each seat."""
    one, other = NimPlayer(blueprint, a), NimPlayer(blueprint, b)
    stacks = nim_start(blueprint.game, word.copy())
    first, turns = nim_game((one, other), stacks)
    second, more = nim_game((other, one), stacks)
    won = (first == 0) + (second == 1)
    return [won, 2 - won, turns + more, 2]


def nim_positions(game: sw.Game) -> set[tuple[int, Stacks]]:
    """Everything that the game can come to, as who is to move and the stacks, but its ends."""
    sizes = tuple(int(size) for size in game.settings.stacks.split("-"))
    starts = [sizes]
    if game.settings.sizes == "random":
        starts = [tuple(1 + size for size in drawn) for drawn in np.ndindex(*sizes)]
    if game.settings.simple:
        starts = [
            tuple(size * (k == filled) for k, size in enumerate(one)) for one in starts for filled in range(len(one))
        ]
    found, waiting = set(), [(0, start) for start in starts]
    while waiting:
        mover, stacks = waiting.pop()
        if any(stacks) and (mover, stacks) not in found:
            found.add((mover, stacks))
            waiting += [(1 - mover, after(stacks, *move)) for move in moves(stacks)]
    return found


def nim_grade(player: NimPlayer, game: sw.Game) -> float:
    """The share of right moves in all positions with something to choose."""
    asked = [stacks for _, stacks in nim_positions(game) if len(moves(stacks)) > 1]
    return sum(right(stacks, player.move(stacks), player.misere) for stacks in asked) / len(asked)


def nim_loss(player: NimPlayer, game: sw.Game) -> float:
    """The score lost in these positions, on average: 2 where a won one is thrown away."""
    asked = [stacks for _, stacks in nim_positions(game) if len(moves(stacks)) > 1]
    lost = 0
    for stacks in asked:
        move, wins = player.move(stacks), end(stacks, player.misere)[0]
        others_win = any(end(after(stacks, *one), player.misere)[0] for one in moves(stacks))
        lost += 2 * (wins and (others_win if move is None else end(after(stacks, *move), player.misere)[0]))
    return lost / len(asked)


def nim_points(player: NimPlayer, starts: Sequence[Stacks]) -> tuple[int, int]:
    """Points and moves with something to choose in games against perfect play, once from each seat."""
    points = made = 0
    for stacks in starts:
        for seat in range(2):
            here, turn = stacks, 0
            while any(here):
                move = player.move(here) if turn % 2 == seat else perfect(here, player.misere)
                if turn % 2 == seat and len(moves(here)) > 1:
                    made += 1
                    points += right(here, move, player.misere)
                if move is None:
                    break
                here, turn = after(here, *move), turn + 1
    return points, made


def nim_moves(player: NimPlayer, other: NimPlayer | None, starts: Sequence[Stacks]) -> tuple[int, int]:
    """Points and all moves of a player in games against another, or perfect play, once from each seat.

    A forced move is right unless the output is illegal.
    """
    points = made = 0
    for stacks in starts:
        for seat in range(2):
            here, turn = stacks, 0
            while any(here):
                mine = turn % 2 == seat
                by = player if mine else other
                move = perfect(here, player.misere) if by is None else by.move(here)
                made += mine
                points += mine and move is not None and (len(moves(here)) == 1 or right(here, move, player.misere))
                if move is None:
                    break
                here, turn = after(here, *move), turn + 1
    return points, made


def starts_of(game: sw.Game, seed: int, purpose: str, count: int) -> list[Stacks]:
    """The starts of so many games of nim."""
    return [nim_start(game, word) for word in streams(seed, purpose, count)]


class Player:
    """A network that plays any game by scoring where each move leads to."""

    def __init__(self, blueprint: Blueprint, genome: Genome) -> None:
        assert blueprint.settings.output == "afterstate"
        self.genome = genome

    def action(self, position: sw.Position) -> int:
        """The first of the best actions."""
        return max(position.actions(), key=lambda action: self._worth(position.play(action), position.mover))

    def _worth(self, position: sw.Position, me: int) -> float:
        """Where a turn goes on, what its next action can make of it, and no farther."""
        if not position.over and actor(position) == me and not position.chance:
            return max(self._settled(position.play(action), me) for action in position.actions())
        return self._settled(position, me)

    def _settled(self, position: sw.Position, me: int) -> float:
        if position.scores is not None:
            return position.scores[me] * 1e20
        return outputs(self.genome, position.observe(me).ravel().tolist())[0]


def actor(position: sw.Position) -> int:
    """Who acts next, perhaps after a roll."""
    return position.roller if position.chance else position.mover


def game_of(players: Sequence[Player], game: sw.Game, word: np.ndarray, longest: int) -> tuple[float, int]:
    """The first player's score in a game for two, and its turns; after too many actions it is a draw."""
    rng, state = word.copy(), game.blank()
    game.rule("start")(state, rng)
    position, turns, played, before = sw.Position(game, state), 0, 0, None
    while not position.over:
        if position.chance:
            position, before = position.roll(drawn(position, rng)), None
            continue
        if played == longest:
            return 0.0, turns
        turns, before = turns + (position.mover != before), position.mover
        position, played = position.play(players[position.mover].action(position)), played + 1
    assert position.scores is not None
    return position.scores[0], turns


def drawn(position: sw.Position, rng: np.ndarray) -> int:
    """A roll, from the random stream."""
    game = position.game
    out, weights = (np.zeros(game.constants["MOST_OUTCOMES"], np.int64) for _ in range(2))
    n = game.rule("outcomes")(position.state, out, weights)
    each = [
        outcome for outcome, weight in zip(out[:n].tolist(), weights[:n].tolist(), strict=True) for _ in range(weight)
    ]
    return each[int(below(rng, len(each)))]


def meeting(blueprint: Blueprint, a: Genome, b: Genome, word: np.ndarray, longest: int) -> list[float]:
    """As `nim_meeting`, for any game of two players."""
    one, other = Player(blueprint, a), Player(blueprint, b)
    first, turns = game_of((one, other), blueprint.game, word, longest)
    second, more = game_of((other, one), blueprint.game, word, longest)
    won = [(1 + (score > 0) - (score < 0)) / 2 for score in (first, -second)]
    return [sum(won), 2 - sum(won), turns + more, 2]


def shares(pairs: Sequence[Sequence[int]], given: Sequence[Sequence[float]], count: int) -> list[float]:
    """Fitness: the share of its games that each genome has won."""
    won, played = [0.0] * count, [0.0] * count
    for pair, (first, second, _, games) in zip(pairs, given, strict=True):
        for who, points in zip(pair, (first, second), strict=True):
            if who < count:
                won[who] += points
                played[who] += games
    return [points / games if games else 0.0 for points, games in zip(won, played, strict=True)]


def edges_of(genome: Genome) -> dict[int, float]:
    """The weight of each edge, by its number."""
    return dict(zip(genome.edges[:, 0].tolist(), genome.weights.tolist(), strict=True))


def biases_of(genome: Genome) -> dict[int, float]:
    """The bias of each node, by its number."""
    return dict(zip(genome.nodes[:, 0].tolist(), genome.biases.tolist(), strict=True))


def distance(a: Genome, b: Genome, per_gene: float, per_weight: float) -> float:
    """NEAT's: the edges that only one has, for each of the larger genome; the mean difference of all that both have."""
    parts = [(edges_of(a), edges_of(b)), (biases_of(a), biases_of(b))]
    alone = len(parts[0][0].keys() ^ parts[0][1].keys())
    apart = [abs(mine[number] - others[number]) for mine, others in parts for number in mine.keys() & others.keys()]
    return per_gene * alone / max(len(a.edges), len(b.edges), 1) + per_weight * sum(apart) / max(len(apart), 1)


def inherited(child: Genome, fitter: Genome, other: Genome) -> Iterator[tuple[float, set[float]]]:
    """Each weight and bias of a child, and what it may be: that of either parent if both have it, or of the fitter."""
    for part in (edges_of, biases_of):
        mine, fit, others = part(child), part(fitter), part(other)
        assert mine.keys() == fit.keys()
        yield from ((value, {fit[number], others.get(number, fit[number])}) for number, value in mine.items())
