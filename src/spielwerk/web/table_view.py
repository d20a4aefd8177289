"""What a table tells its browsers: the state of the game, and what its moves are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.api.truth import Truth
from spielwerk.arena.sitting import HUMAN, Sitting, Step
from spielwerk.games.position import Position, Turn
from spielwerk.games.scenes import PartialTurn
from spielwerk.games.scenes.showing import hops_of, partial_turn
from spielwerk.web.views import partial_facts, result, scene_facts, status, touched

if TYPE_CHECKING:
    from spielwerk.web.table import Table

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
        "status": _status(sitting),
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
    moves = [
        [one.move, one.value, one.regret, one.verdict, _hops(turns.get(one.move)) if place < ARROWS else []]
        for place, one in enumerate(truth.moves)
    ]
    about = {"version": version, "mover": position.mover, "best": position.game.constants["BEST"]}
    return {"type": "truth", **about, "by": truth.by, "value": truth.value, "moves": moves}


def _hops(turn: Turn | None) -> list[list[str]]:
    return [list(hop) for hop in hops_of(turn)] if turn else []


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


def _status(sitting: Sitting) -> str:
    game, position = sitting.position.game, sitting.position
    if sitting.gave_up and sitting.scores:
        who, how = sitting.gave_up
        return f"{game.player_names[who]} {how}. {result(game, sitting.scores)}"
    if position.mover >= 0 and sitting.seats[position.mover] != HUMAN:
        return f"{sitting.seats[position.mover]} is thinking."
    rolled = f" {sitting.rolled}" if sitting.rolled else ""
    return status(position) if not rolled else f"{game.player_names[position.mover]} rolled{rolled}. {status(position)}"
