"""What a table tells its browsers: the state of the game, and what its moves are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.api.truth import Truth, ValuedMove
from spielwerk.arena.sitting import HUMAN, Sitting, Step
from spielwerk.games.position import Position, Turn
from spielwerk.games.scenes import PASS, PartialTurn
from spielwerk.games.scenes.showing import hops_of, partial_turn
from spielwerk.web.views import given_up, name_of, partial_facts, scene_facts, status, touched

if TYPE_CHECKING:
    from spielwerk.web.play.table import Table

ARROWS = 12  # moves of which it is said how they are made by hand


def state_facts(table: Table) -> dict[str, Any]:
    """The message `state`."""
    sitting = table.sitting
    position = sitting.position
    asked = not sitting.ended and position.mover in sitting.people
    partial = partial_turn(position, table.hops) if asked else PartialTurn((), (), None, position)
    facts = {
        "type": "state",
        "version": table.version,
        "number": table.number,
        "position": str(position),
        "mover": position.roller if position.chance else position.mover,
        "asked": asked,
        "ended": sitting.ended,
        "scores": sitting.scores,
        "seats": list(sitting.seats),
        "status": _status(sitting, partial),
        "roll": sitting.rolled,
        "scene": scene_facts(partial.shown, partial.spent),
        "last": _last(table) if sitting.steps else [],
        "turns": [[step.line.player, step.line.roll, step.line.move] for step in sitting.steps],
        "begin": None if sitting.begin == position.game.start() else str(sitting.begin),
        "undoable": any(step.by_person for step in sitting.steps),
    }
    return facts | partial_facts(partial)


def truth_facts(position: Position, truth: Truth, version: int) -> dict[str, Any]:
    """The message `truth`: the value for the mover, and all moves, the best first."""
    turns = {turn.text: turn for turn in position.turns()}
    moves = [move_facts(one, turns.get(one.move) if place < ARROWS else None) for place, one in enumerate(truth.moves)]
    about = {"version": version, "mover": position.mover, "best": position.game.constants["BEST"]}
    return {"type": "truth", **about, "by": truth.by, "value": truth.value, "error": truth.error, "moves": moves}


def hint_facts(position: Position, truth: Truth, version: int) -> dict[str, Any]:
    """The message `hint`: the best move, and how it is made."""
    best = truth.moves[0]
    move, _, _, _, hops = move_facts(best, next(turn for turn in position.turns() if turn.text == best.move))
    return {"type": "hint", "move": move, "by": truth.by, "hops": hops, "version": version}


def move_facts(one: ValuedMove, turn: Turn | None) -> list[Any]:
    """A move, what it is worth and costs, how it is called, and how it is made by hand."""
    hops = [list(hop) for hop in hops_of(turn)] if turn else []
    return [one.move, one.value, one.regret, one.verdict, hops]


def _last(table: Table) -> list[str]:
    """The places that the last turn touched, which are found once."""
    step = table.sitting.steps[-1]
    if table.marked[0] is not step:
        table.marked = step, places_touched(step)
    return table.marked[1]


def places_touched(step: Step) -> list[str]:
    """The places that a turn touched; it may have been read from a record, and is found among all."""
    turn = next((turn for turn in step.here.turns() if turn.end == step.end), None)
    return touched(turn) if turn else []


def _status(sitting: Sitting, partial: PartialTurn) -> str:
    game, position = sitting.position.game, sitting.position
    if sitting.gave_up and sitting.scores:
        return given_up(game, sitting.gave_up, sitting.scores)
    if position.mover >= 0 and sitting.seats[position.mover] != HUMAN:
        return f"{sitting.seats[position.mover]} is thinking."
    return ("" if partial.hops else _passed(sitting)) + status(position, sitting.rolled, partial)


def _passed(sitting: Sitting) -> str:
    """That the player before could not move, which is easily missed."""
    last = sitting.steps[-1].line if sitting.steps else None
    return f"{name_of(sitting.position.game, last.player)} had to pass. " if last and last.move == PASS else ""
