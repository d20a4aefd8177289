"""Records: every game survives the way to text and JSON and back, is checked turn by turn, and can be rebuilt."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spielwerk as sw
from games_written import OPENING
from spielwerk.arena.agent import Agent
from spielwerk.arena.playing import block as blocks
from spielwerk.arena.playing.block import play_block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.reader import parse, read
from spielwerk.arena.records.record import Record
from spielwerk.arena.records.retrace import check, positions, records
from spielwerk.kernel.random import below
from spielwerk.names import BadInput
from variants import DEFAULTS, VARIANTS

# The shortest game in which black takes every disc: nine moves, known since the seventies.
WIPED_OUT = """
[Game "othello"]
[Agents "one" "another \\"player\\""]
[Event "a handbook"]
[Result "+1 -1"]

  1. black e6
  2. white f4
 3. Black   e3
4.white f6
  5 . black G5
  6. white d6
  7. black e7
  8. white f5
  9. black c5
"""


class Clumsy(Agent):
    """Plays random actions, one at a time, and at last something that is not legal."""

    patience = 30

    def choose(self, position: sw.Position, rng: np.ndarray | None = None) -> str | int:
        """Sometimes nonsense."""
        assert rng is not None
        actions = position.actions()
        return 'a "move"\n' if below(rng, self.patience) == 0 else actions[below(rng, len(actions))]


def played(game: sw.Game, count: int, *agents: Agent, seed: int = 1, seating: str = "teams") -> dict[int, Record]:
    plan = Plan(game.name, ("random", "second"), count, seed, seating)
    pair = agents or (sw.agent("random", game), sw.agent("random", game))
    return records(plan, game, play_block(plan, game, pair, 0, count, keep=True), 12)


def clumsy(game: sw.Game) -> tuple[Agent, Agent]:
    second = Clumsy(game, None)
    second.name = "clumsy"
    return sw.agent("random", game), second


@pytest.mark.parametrize("name", [*DEFAULTS, *VARIANTS])
def test_every_game_survives_text_and_json_and_is_found_right(name: str) -> None:
    game = sw.game(name, target="cpu" if name in DEFAULTS else "python")
    seating = "mixed" if game.players > 2 else "teams"
    for number, record in played(game, 6 if name in DEFAULTS else 1, seating=seating).items():
        assert parse(record.text()) == record
        assert parse(record.json()) == record
        assert record.headers["Number"] == str(number)
        assert check(record, game).scores == record.scores


@pytest.mark.parametrize("name", [*DEFAULTS, "einstein:board=6,players=4"])
def test_forfeited_and_cut_games_survive_too(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = sw.game(name)
    forfeited = list(played(game, 40, *clumsy(game)).values())
    assert any(record.fault for record in forfeited)
    monkeypatch.setattr(blocks, "MOST", 5)
    cut = list(played(game, 40).values())
    assert any(record.cut for record in cut)
    for record in forfeited + cut:
        assert parse(record.text()) == record == parse(record.json())
        check(record)
    for record in cut:
        assert not record.cut or record.scores == (0.0,) * game.players


def test_a_turn_can_stop_in_its_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = [
        record.turns[-1].move for record in played(sw.game("backgammon"), 300, *clumsy(sw.game("backgammon"))).values()
    ]
    assert any(move.endswith("…") for move in moves)
    assert "" in moves
    monkeypatch.setattr(blocks, "MOST", 21)
    halves = [record.turns[-1].move for record in played(sw.game("morris"), 100).values()]
    assert any(move.endswith(" …") for move in halves)


def test_agents_stand_in_the_order_of_their_seats() -> None:
    game = sw.game("einstein:board=6,players=4")
    mixed = [record.agents for record in played(game, 4, seating="mixed").values()]
    assert [agents.index("random") for agents in mixed] == [0, 1, 2, 3]
    assert all(agents.count("second") == 3 for agents in mixed)
    teams = [record.agents for record in played(game, 2).values()]
    assert teams == [("random", "second") * 2, ("second", "random") * 2]


def test_a_drawn_set_up_is_written_down_and_shared_by_a_group() -> None:
    made = list(played(sw.game("nim:sizes=random"), 10).values())
    starts = [record.begin() for record in made]
    assert len(set(starts)) > 1
    assert starts[0::2] == starts[1::2]
    assert all(parse(record.text()).begin() == start for record, start in zip(made, starts, strict=True))


def test_a_game_from_a_handbook_is_read_as_people_write_it() -> None:
    record = parse(WIPED_OUT)
    assert record.agents == ("one", 'another "player"')
    assert record.headers == {"Event": "a handbook"}
    assert str(check(record)).count("X") == 13
    assert parse(record.text()) == record
    assert [str(position.mover) for _, position in positions(record)][:3] == ["1", "0", "1"]


def test_a_forfeit_in_the_middle_of_a_turn_is_read() -> None:
    end = check(parse(OPENING))
    assert (end.mover, str(end).split()[-1]) == (0, "21")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("othello", "chess", r'Line 2: There is no game "chess"'),
        ('[Game "othello"]', "", r'Line 3: A game begins with the header "Game"'),
        ("[Event", "[Event one", r"Line 4: .* is not a header"),
        ("[Event", "[Result", r'Line 5: The header "Result" appears twice'),
        ("a handbook", 'a" "handbook', r'Line 4: The header "Event" has one value'),
        ('[Result "+1 -1"]', "", r'Line 2: The game has no header "Result"'),
        ('"+1 -1"', '"+1"', r'Line 2: "scores" must be a list of 2'),
        ('"+1 -1"', '"won"', r'Line 2: "won" is not a result'),
        ('"+1 -1"', '"nan nan"', r'Line 2: "scores" must be a number'),
        ('"one" ', "", r'Line 2: "agents" must be a list of 2'),
        ("  2. white", "  2. green", r"Line 8: .* does not name a player \(black, white\)"),
        ("  6. white d6", "", r'Line 13: "7. black e7" is not turn 6'),
        ("  6. white", "six. white", r"Line 12: .* is not turn 6"),
        ("  6. white", f"{'6' * 5000}. white", r"Line 12: .* is not turn 6"),
    ],
)
def test_a_text_that_cannot_be_read_names_its_line(old: str, new: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        parse(WIPED_OUT.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "old", "new", "sentence"),
    [
        (WIPED_OUT, "white d6", "white a1", 'Turn 6: "a1" is not legal here'),
        (WIPED_OUT, "2. white", "2. black", "Turn 2: white is to act, not black"),
        (WIPED_OUT, "+1 -1", "-1 +1", r'The result is "\+1 -1" by the rules, not "-1 \+1"'),
        (WIPED_OUT, "+1 -1", "0 0", "The result is"),
        (WIPED_OUT, "  9. black c5", "", "The game is not over after its last turn"),
        (WIPED_OUT, "[Event", '[Cut ""]\n[Event', "The game has ended by the rules"),
        (WIPED_OUT, "c5", "c5\n 10. white c4", "Turn 10: .* The game is over"),
        (WIPED_OUT, "white d6", "white", "Turn 6: only the last turn of a game can be unfinished"),
        (OPENING, "X 3-1", "X 3-3", 'Turn 1: "3-3" cannot be rolled here'),
        (OPENING, "O 46: ", "O ", "Turn 2: .* A roll comes first"),
        (OPENING, '[Fault "X"', '[Fault "O"', r'The result is "\+1 -1" by the rules'),
        (OPENING, "2-1:", "2-1: 13/10 …", 'Turn 3: "13/10 …" does not begin a turn here'),
    ],
)
def test_a_game_against_the_rules_names_its_turn(text: str, old: str, new: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        check(parse(text.replace(old, new, 1)))


@pytest.mark.parametrize(
    "changes",
    [
        {"game": 7},
        {"agents": ["one", 2]},
        {"agents": "ab"},
        {"scores": [1, "x"]},
        {"scores": [float("nan"), 0]},
        {"scores": [10**400, 0]},
        {"turns": {}},
        {"turns": [[0, None, "e6"]]},
        {"turns": [{"player": 2, "roll": None, "move": "e6"}]},
        {"turns": [{"player": True, "roll": None, "move": "e6"}]},
        {"turns": [{"player": 0, "roll": 3, "move": "e6"}]},
        {"turns": [{"player": 0}]},
        {"fault": "late"},
        {"fault": {"player": 0}},
        {"headers": {"Result": "+1 -1"}},
        {"headers": {"two words": "x"}},
        {"headers": {"Event": "two\nlines"}},
        {"headers": ["Event"]},
        {"agents": ["one", "\ud800"]},
    ],
)
def test_json_of_the_wrong_form_is_refused(changes: dict[str, Any]) -> None:
    facts = parse(WIPED_OUT).facts() | changes
    with pytest.raises(BadInput, match=r"^Line 1: "):
        parse(json.dumps(facts))


@settings(deadline=None, max_examples=150, derandomize=True)
@given(
    st.sampled_from([WIPED_OUT, OPENING]), st.booleans(), st.integers(0, 400), st.integers(0, 8), st.text(max_size=6)
)
def test_damaged_records_are_refused_or_read_but_never_confuse(
    text: str, as_json: bool, place: int, removed: int, added: str
) -> None:
    text = parse(text).json() if as_json else text
    damaged = text[:place] + added + text[place + removed :]
    sentence = ""
    try:
        check(parse(damaged))
    except BadInput as problem:
        sentence = str(problem)
    assert "\n" not in sentence


def test_the_games_of_a_file_are_read_one_after_the_other() -> None:
    first, second = parse(WIPED_OUT), parse(OPENING)
    empty = dataclasses.replace(second, turns=())
    mixed = [
        second.text(),
        "",
        first.json(),
        first.json(),
        "\n\n",
        empty.text(),
        "",
        empty.text(),
        second.text().rstrip(),
    ]
    found = list(read(line for text in mixed for line in text.split("\n")))
    assert [record for _, record in found] == [second, first, first, empty, empty, second]
    endless = (line for _ in iter(int, 1) for line in f"{first.text()}\n".splitlines())
    assert next(read(endless)) == (1, first)
