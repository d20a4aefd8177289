"""What the page shows of a review: the facts, and for each turn how the move played and the better one are made."""

from __future__ import annotations

from typing import Any

from spielwerk.api.truth import ValuedMove
from spielwerk.arena.records.record import Record
from spielwerk.arena.records.retrace import decisions
from spielwerk.arena.reviewing.review import BEST, Review, ReviewedTurn
from spielwerk.games.position import Position
from spielwerk.web.play.table_view import move_facts


def review_facts(record: Record, found: Review) -> dict[str, Any]:
    """The facts of a review, with the moves to be drawn, the better one first."""
    facts = found.facts()
    for turn, reviewed, (here, _, _) in zip(facts["turns"], found.turns, decisions(record), strict=True):
        turn["moves"] = _moves(here, reviewed)
    return facts


def _moves(here: Position, turn: ReviewedTurn) -> list[list[Any]]:
    if turn.value is None:
        return []
    kept = None if turn.regret is None else turn.value - turn.regret
    shown = [ValuedMove(turn.better, turn.value, 0.0, BEST)] if turn.better else []
    shown.append(ValuedMove(turn.move, kept, turn.regret, turn.verdict))
    ways = {way.text: way for way in here.turns()}
    return [move_facts(one, ways.get(one.move)) for one in shown]
