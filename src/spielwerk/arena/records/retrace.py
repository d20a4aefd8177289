"""Records and the rules: writing down what was played, and playing it again to check every turn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from spielwerk.arena.playing.block import Block
from spielwerk.arena.playing.boards import forfeited
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.record import UNFINISHED, Line, Record, result_text
from spielwerk.games.batch_rows import start_rows
from spielwerk.games.game import Game
from spielwerk.games.position import Position, Turn
from spielwerk.names import BadInput, printable

EXACT = 1e-6  # a result may be written with this relative error


def records(plan: Plan, game: Game, block: Block, match: int | None = None) -> dict[int, Record]:
    """The records of a block, by game; none where no traces were kept. `match` is its number in the store."""
    from spielwerk.version import __version__

    count = len(block.traces)
    if not count:
        return {}
    seats, starts = plan.seats(game, block.first, count), _starts(plan, game, block.first, count)
    about = {"Seed": str(plan.seed)} | ({"Seating": plan.seating} if game.players > 2 else {})
    about |= {"Opening": f"{plan.opening} random turns"} if plan.opening else {}
    made = {}
    for i, trace in enumerate(block.traces):
        number = block.first + i
        headers = ({} if match is None else {"Match": str(match)}) | {"Number": str(number)}
        agents = tuple(plan.agents[agent] for agent in seats[i])
        fault = block.faults.get(number)
        headers |= about | {"Version": __version__}
        made[number] = recorded(starts[i], trace, agents, block.scores[i].tolist(), fault, headers)
    return made


def recorded(
    start: Position,
    trace: Iterable[int],
    agents: Sequence[str],
    scores: Sequence[float],
    fault: tuple[int, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Record:
    """The record of a game of which every action and roll is known."""
    game = start.game
    turns, end = _lines(start, trace)
    return Record(
        game=game.name,
        agents=tuple(agents),
        turns=tuple(turns),
        scores=tuple(scores),
        start=None if start == game.start() else str(start),
        fault=None if fault is None else (fault[0], printable(fault[1])),
        cut=not end.over and fault is None,
        headers=headers or {},
    )


def positions(record: Record, game: Game | None = None) -> Iterator[tuple[Line, Position]]:
    """Each turn and the position after it; BadInput names the turn that breaks the rules."""
    position = record.begin(game)
    for number, line in enumerate(record.turns, 1):
        unfinished = not line.move or line.move.endswith(UNFINISHED)
        try:
            if unfinished and number < len(record.turns):
                raise BadInput("only the last turn of a game can be unfinished.")
            position = _after(position, line)
        except BadInput as problem:
            raise BadInput(f"Turn {number}: {problem}") from None
        yield line, position


def decisions(record: Record) -> Iterator[tuple[Position, Line, Position]]:
    """Each turn with the position in which it was decided, after its roll, and the position after it."""
    before = record.begin()
    for line, after in positions(record):
        yield before.roll(line.roll) if before.chance and line.roll is not None else before, line, after
        before = after


def check(record: Record, game: Game | None = None) -> Position:
    """Plays the game again: every roll and move must be legal, the result what the rules say; returns the end."""
    position = record.begin(game)
    for _, after in positions(record, game):
        position = after
    expected = _result(record, position)
    if not _same(record.scores, expected):
        right, given = (result_text(scores) for scores in (expected, record.scores))
        raise BadInput(f'The result is "{right}" by the rules, not "{given}".')
    return position


def _same(given: Sequence[float] | None, expected: Sequence[float] | None) -> bool:
    if given is None or expected is None:
        return given is expected
    return all(math.isclose(*pair, rel_tol=EXACT) for pair in zip(given, expected, strict=True))


def _result(record: Record, end: Position) -> Sequence[float] | None:
    """The scores that follow from how the game ended; None where it was left before."""
    if end.scores is not None:
        if record.fault or record.cut:
            raise BadInput("The game has ended by the rules; it cannot be cut or forfeited as well.")
        return end.scores
    if record.fault:
        return forfeited(end.game, record.fault[0]).tolist()  # also who is not to act may give up
    if record.cut:
        return [0.0] * end.game.players
    if record.scores is not None:
        raise BadInput('The game is not over after its last turn, and neither cut nor forfeited; its result is "*".')
    return None


def _after(position: Position, line: Line) -> Position:
    names = position.game.player_names
    if position.chance and line.roll is not None:
        position = position.roll(line.roll)
    elif line.roll is not None or position.mover < 0:
        position.spelled(line.move)  # says that no roll is due, that one comes first, or that the game is over
        raise BadInput(f'no roll is due, but "{line.roll}" is given.')
    if position.mover != line.player:
        raise BadInput(f"{names[position.mover]} is to act, not {names[line.player]}.")
    if not line.move:
        return position
    if line.move.endswith(UNFINISHED):
        return _partly(position, line.move)
    # The first turn that is written just like the move: quicker than listing and understanding them all.
    exactly = next((turn.end for turn in position.ways() if turn.text == line.move), None)
    return exactly or position.play(line.move)


def _partly(position: Position, move: str) -> Position:
    """The position in the middle of a turn of which `move` is the beginning."""
    begun: list[tuple[tuple[Position, int], ...]] = [()]
    while begun:
        steps = begun.pop()
        here = steps[-1][0].after(steps[-1][1]) if steps else position
        for action in here.actions():
            done, after = (*steps, (here, action)), here.after(action)
            if after.mover == position.mover:
                if _unfinished(done, after) == move:
                    return after
                begun.append(done)
    raise BadInput(f'"{move}" does not begin a turn here.')


def _unfinished(steps: tuple[tuple[Position, int], ...], end: Position) -> str:
    return f"{Turn(steps, end).text} {UNFINISHED}"


def _lines(start: Position, trace: Iterable[int]) -> tuple[list[Line], Position]:
    """The turns of a game and its last position; one array is played on, since this runs for whole matches."""
    game, state, here = start.game, start.state, start
    play, roll = game.rule("play"), game.rule("roll")
    written: list[Line] = []
    rolled: str | None = None
    steps: tuple[tuple[Position, int], ...] = ()
    for number in trace:
        if here.chance:
            rolled = game.face.spell_roll(game, number)
            roll(state, number)
            here = Position(game, state)
            continue
        steps = (*steps, (here, number))
        play(state, number)
        here = Position(game, state)
        if here.mover != steps[0][0].mover:
            written.append(Line(steps[0][0].mover, rolled, Turn(steps, here).text))
            rolled, steps = None, ()
    if rolled is not None or steps:
        written.append(Line(here.mover, rolled, _unfinished(steps, here) if steps else ""))
    return written, here


def _starts(plan: Plan, game: Game, first: int, count: int) -> list[Position]:
    states = np.zeros((count, game.constants["WORDS"]), np.int64)
    game.rows(start_rows)(count, states, plan.dice(game, first, count))
    return [Position(game, state) for state in states]
