"""Agents that play by a trained network, alone and inside searches, against plain lookups and plain recursions."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import tanh
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heap_game
import spielwerk as sw
import test_depth
from spielwerk.agents.depth import Expectimax
from spielwerk.agents.mcts import Mcts
from spielwerk.agents.registry import agent
from spielwerk.agents.td import Td
from spielwerk.arena.matches.match import play_match
from spielwerk.arena.playing.plan import Plan
from spielwerk.cli import main
from spielwerk.games.cells import Layout
from spielwerk.games.registry import variants
from spielwerk.learn import checkpoint, runs, shipped
from spielwerk.learn.td.evaluation import evaluation
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings
from td_reference import Places
from td_runs import drawn, keep
from variants import random_positions

GAMES = ["einstein:board=4", "einstein:board=4,players=4", "einstein:board=6,players=3", "nim", "othello:size=4"]
GAMES += ["morris:rules=six", "backgammon:scoring=full"]
DOUBLES = ["..A....AB...a......b....a. X 22", "..A.............a.....Aaa. O 33"]  # two actions a turn, or four
pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[object, str]]:
    """Runs `spielwerk` with some arguments: the exit code, and what was printed."""

    def run(*arguments: str) -> tuple[object, str]:
        monkeypatch.setattr(sys, "argv", ["spielwerk", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return ended.value.code or 0, shown.out + shown.err

    return run


def plain(game: str) -> sw.Game:
    return sw.game(game, target="python")


def looked_up(learner: TdLearner) -> Callable[[sw.Position], tuple[float, ...]]:
    """What each player expects in a position by the tables alone: the one who has just ended its turn knows."""
    places, game = Places(learner.game, learner.settings), learner.game
    teams, best = game.constants["TEAM"], game.constants["BEST"]

    def values(position: sw.Position) -> tuple[float, ...]:
        if position.scores is not None:
            return position.scores
        actor = position.roller if position.chance else position.mover
        viewer = (actor - 1) % game.players
        value = best * tanh(float(learner.network.weights[places.indices(position, viewer)].astype(float).sum()))
        return tuple(value if team == teams[viewer] else -value for team in teams)

    return values


def some_positions(game: sw.Game) -> list[sw.Position]:
    """Decisions of a random game, and in backgammon those with doubles."""
    if game.kind == "backgammon":
        return [game.parse(text) for text in DOUBLES]
    found = [position for position in random_positions(game, 2) if not position.chance and not position.over]
    return found[:: max(1, len(found) // 6)]


@pytest.mark.parametrize("name", GAMES)
def test_a_network_values_positions_as_its_tables_say(name: str) -> None:
    game = plain(name)
    learner = drawn(game)
    used = evaluation(learner.network, "drawn")
    value = game.kernel(used.evaluate, **used.bindings)
    for position in random_positions(game, 1):
        if not position.over:
            found = [value(position.state, player, used.data) for player in range(game.players)]
            assert found == pytest.approx(looked_up(learner)(position), abs=1e-6)
            assert max(map(abs, found)) <= game.constants["BEST"]


# What n-tuples see of the heap of `heap_game.py`, in which three sides play.

CODINGS = ("matches",)


def heap_cells(state: Any, player: Any, out: Any) -> None:
    out[0] = state[1]
    out[1] = player


def layout(game: sw.Game, coding: str) -> Layout:
    seen = {"values": (13, 3), "neighbours": ((), ()), "symmetries": np.array([[0, 1]]), "sets": (0, 0, 0)}
    return Layout(coding, **seen, tuples={"all": ((0, 1),)}, cells=heap_cells, bindings={}, names=("heap", "player"))


def test_of_three_sides_the_one_who_has_moved_knows_and_the_others_share_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heap_game, "LAYOUT", __name__, raising=False)
    game = heap_game.made("python")
    learner = drawn(game, tuples="all")
    used = evaluation(learner.network, "drawn")
    value = game.kernel(used.evaluate, **used.bindings)
    for heap, mover in product(range(1, 13), range(3)):
        found = [value(np.array([mover, heap]), player, used.data) for player in range(3)]
        viewer = (mover + 2) % 3
        known = 2 * tanh(float(learner.network.weights[heap + 13 * viewer]))
        assert found == pytest.approx([known if player == viewer else -known / 2 for player in range(3)])


@pytest.mark.parametrize("name", GAMES)
def test_it_takes_the_turn_with_the_best_next_position(name: str) -> None:
    game = plain(name)
    learner = drawn(game)
    keep("drawn", learner)
    values, player = looked_up(learner), agent("td:drawn", game)
    for position in some_positions(game):
        ends = {turn.text: values(turn.end)[position.mover] for turn in position.turns()}
        analysis = player.analyse(position)
        assert {move.move: move.value for move in analysis.moves} == pytest.approx(ends, abs=1e-6)
        assert ends[str(player.choose(position))] == pytest.approx(max(ends.values()), abs=1e-6)
        assert analysis.moves[0].move == player.choose(position)
        assert analysis.value == analysis.moves[0].value


@pytest.mark.parametrize("name", ["einstein:board=3", "nim:stacks=1-2-3", "einstein:board=4,players=4"])
def test_with_more_depth_it_searches_as_a_plain_recursion_does(name: str) -> None:
    game = plain(name)
    learner = drawn(game)
    keep("drawn", learner)
    values, player = test_depth.plainly(looked_up(learner)), agent("td:drawn,depth=2", game)
    assert isinstance(player, Td)
    for position in some_positions(game):
        for move in player.analyse(position).moves:
            assert move.value == pytest.approx(values(position.play(move.move), 1)[position.mover], abs=1e-6)


def test_every_search_finds_a_run_by_its_name() -> None:
    game = plain("nim:stacks=2-3-4,misere=false")
    keep("mine", drawn(game, 1), drawn(game, 2))
    position = game.start()
    for seed in (1, 2):
        best = agent(f"td:mine/{seed}", game).choose(position)
        for kind in ("expectimax", "maxn", "alphabeta"):
            assert agent(f"{kind}:depth=1,value=mine/{seed}", game).choose(position) == best
        for kind in ("mcts", "mctse"):
            searcher = agent(f"{kind}:iterations=20,value=mine/{seed}", game)
            assert isinstance(searcher, Mcts)
            assert searcher.value.name == f"mine/{seed}"
            assert searcher.choose(position) in position.moves()
        assert agent(f"mc:iterations=2,rollout=2,value=mine/{seed}", game).choose(position) in position.moves()


def test_the_names_of_a_game_come_before_those_of_runs() -> None:
    game = plain("einstein:board=3")
    keep("race", drawn(game))
    own, run = agent("expectimax:value=race", game), agent("td:race", game)
    assert isinstance(own, Expectimax)
    assert isinstance(run, Td)
    assert own.evaluation.evaluate.__module__ == "spielwerk.games.evaluation.einstein"
    assert run.evaluation.evaluate.__module__ == "spielwerk.learn.td.evaluation"


@pytest.mark.slow
def test_a_run_in_the_leaves_beats_playouts_at_the_same_number_of_simulations() -> None:
    game = sw.game("einstein:board=4")
    learner = TdLearner(game, Settings(episodes=40_000, tuples="rectangles"), 1)
    learner.learn(40_000)
    keep("e4", learner)
    search = "mctse:iterations=50,nodes=500"
    summary = play_match(Plan(game.name, (f"{search},value=e4", search), 1000), agent).summary
    assert summary.rate_interval[0] > 0.55


def test_threads_share_the_weights_and_nothing_they_write_to() -> None:
    game = sw.game("einstein:board=4")
    keep("drawn", drawn(game))
    searcher = agent("mcts:iterations=300,nodes=2000,threads=3,value=drawn", game)
    assert isinstance(searcher, Mcts)
    scratches = [(net[3], indices) for _, net, indices in searcher.search.data]
    assert len({id(array) for scratch in scratches for array in scratch}) == 6
    assert len({id(net[0]) for _, net, _ in searcher.search.data}) == 1
    position = game.start().roll(1)
    assert sum(move.visits or 0 for move in searcher.analyse(position).moves) == 300


def test_a_run_goes_by_its_name_and_depth() -> None:
    game = plain("nim")
    keep("mine", drawn(game))
    assert agent("td:mine,depth=2", game).name == "td:mine,depth=2"
    assert agent("td:run=mine,depth=1", game).name == "td:mine"


def test_the_agent_that_comes_with_the_package_is_that_of_the_variant(
    command: Callable[..., tuple[object, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    game = plain("einstein:board=3")
    learner = drawn(game, coherence="linear", tuples="walk", count=3, optimism=0.5)
    keep("mine", learner)
    with pytest.raises(sw.BadInput, match="comes with the package"):
        agent("td", game)
    code, said = command("runs", "export", "mine", str(shipped.file_for("td", game.name)), "--grade", "poor")
    assert (code, "poor" in said) == (0, True)
    position = game.start().roll(1)
    known = {move.move: move.value for move in agent("td:mine", game).analyse(position).moves}
    for name in ("td", f"td:{tmp_path / 'td-einstein-board3.safetensors'}", "expectimax:depth=1,value=td"):
        found = agent(name, game).analyse(position)
        assert {move.move: move.value for move in found.moves} == pytest.approx(known, abs=0.01)
    with pytest.raises(sw.BadInput, match="einstein comes with the package, only for: einstein:board=3"):
        agent("td", plain("einstein"))
    listed = json.loads(command("runs", "shipped", "--json")[1])["agents"]
    wanted = "spielwerk train td einstein:board=3 coherence=linear tuples=walk count=3 optimism=0.5 --seed 1"
    assert [(one["game"], one["grade"], one["command"]) for one in listed] == [(game.name, "poor", wanted)]


def test_each_agent_that_comes_with_the_package_plays_its_game_and_says_how_it_was_made() -> None:
    there = shipped.all_shipped("td")
    wanted = {"backgammon:scoring=full", "einstein:board=4", "einstein", "morris", "nim", "othello:size=6", "othello"}
    assert {kept.metadata["game"] for kept in there} >= wanted
    for kept in there:
        make = sw.game if kept.path.suffix == ".onnx" else plain  # bear-offs take minutes as plain Python
        game = make(kept.metadata["game"])
        assert kept.path in [shipped.file_for("td", name, kept.path.suffix) for name in (game.name, game.unscored)]
        assert kept.path.stat().st_size <= 3_000_000
        assert kept.metadata["command"].startswith(f"spielwerk train td {game.name} ")
        assert kept.metadata["grade"]
        assert agent("td", game).choose(some_positions(game)[0])


def test_no_two_variants_share_a_file() -> None:
    names = [name for kind in ("backgammon", "einstein", "morris", "nim", "othello") for name in variants(kind)]
    files = {shipped.file_for("td", name).name for name in names}
    assert len(files) == len(set(names))
    assert not any(letter in name for name in files for letter in ':,="/\\ ')


def broken(home: Path) -> dict[str, Path]:
    """Files that are no good, by what is wrong with them."""
    run = keep("good", drawn(plain("nim")))
    whole = run.checkpoint_file(1).read_bytes()
    contents = {"cut": whole[:-7], "changed": whole[:-100] + b"7" + whole[-99:], "junk": b"junk", "empty": b""}
    found = {name: home / f"{name}.safetensors" for name in contents}
    for name, path in found.items():
        path.write_bytes(contents[name])
    return found


def test_damaged_files_are_refused_in_a_sentence(home: Path) -> None:
    for path in broken(home).values():
        with pytest.raises(sw.BadInput, match="is damaged, truncated, or not a checkpoint"):
            agent(f"td:{path}", plain("nim"))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game": "othello"}, "a checkpoint of the game othello, not nim"),
        ({"game": "nim:stacks=1-2"}, "a checkpoint of the game nim:stacks=1-2, not nim"),
        ({"coding": "nimbers"}, "a checkpoint of the coding nimbers, not"),
        ({"kind": "evolution"}, "a checkpoint of the kind evolution, not td"),
        ({"settings": '{"tuples": "stack1-stack2"}'}, "trained by another version, which made other tuples"),
        (
            {"settings": '{"tuples": "stack1-stack2"}', "tuples": "stack1-stack2"},
            "does not hold the 8 weights that its settings ask for",
        ),
        ({"settings": '{"tuples": "stack9-stack2"}'}, "leaves the board"),
        ({"settings": '{"lamda": 1}'}, 'td has no setting "lamda"'),
        ({"settings": "{"}, "cannot be used here"),
        ({"settings": "[]"}, "cannot be used here"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused_in_a_sentence(
    change: dict[str, str], reason: str, home: Path
) -> None:
    learner = drawn(plain("nim"))
    path = home / "other.safetensors"
    checkpoint.write(path, learner.arrays(), learner.metadata() | change)
    with pytest.raises(sw.BadInput, match=reason):
        agent(f"td:{path}", plain("nim"))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("td:god", 'There is no run "god". Did you mean "good"?'),
        ("td:good/3", "The run good has no seed 3; its seeds: 1."),
        ("td:good/x", "names no seed"),
        ("td:empty", "no checkpoint yet"),
        ("td:good,depth=0", "depth must be 1 to 100"),
        ("td:none.safetensors", "There is no checkpoint none.safetensors."),
        ("td:god/1", 'There is no run "god". Did you mean "good"?'),
        ("td:/none/agent.bin", "/none/agent.bin is not an exported agent; their names end in .safetensors or .onnx."),
        ("mcts:value=./agent", "./agent is not an exported agent; their names end in .safetensors, .onnx or .json."),
        ("mcts:value=god", 'nim has no evaluation "god". Did you mean "good"? Evaluations and runs: hand, none, td'),
        ("alphabeta:value=good/3", "The run good has no seed 3"),
        ("td:bred", "The run bred was trained by evolution, not by td."),
        ("mcts:value=bred/1", "Seed 1 of the run bred has no checkpoint yet."),
        ("td", "To train one and play with it: spielwerk train td nim:stacks=1-2-3 --name NAME, then td:NAME."),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(name: str, reason: str) -> None:
    game = plain("nim:stacks=1-2-3")
    good = keep("good", drawn(game)).config
    runs.create(good, "empty")
    runs.create(replace(good, kind="evolution", settings={"generations": 5}), "bred")
    with pytest.raises(sw.BadInput) as refused:
        agent(name, game)
    assert reason in str(refused.value)


def test_a_file_with_another_ending_is_no_agent(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    (home / "agent.bin").write_bytes(b"")
    said = r"^agent.bin is not an exported agent; their names end in .safetensors or .onnx.$"
    with pytest.raises(sw.BadInput, match=said):
        agent("td:agent.bin", plain("nim"))


def test_of_equal_moves_the_first_is_taken() -> None:
    game = plain("einstein:board=4")
    nothing = TdLearner(game, Settings(episodes=1), 1).agent()
    for position in some_positions(game):
        first = position.moves()[0]
        wins = [move for move in position.moves() if position.play(move).over]
        assert nothing.choose(position) == (wins[0] if wins else first)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("nothing", "x.safetensors"), 'There is no run "nothing"'),
        (("mine", "x.bin"), "x.bin: an agent of td is exported to a file that ends in .safetensors or .onnx."),
        (("mine", "x.onnx"), "does not hold a neural network; tables of n-tuples are exported to FILE.safetensors."),
        (("mine", "no/such/folder/x.safetensors"), "There is no folder no/such/folder."),
        (("mine", "folder.safetensors"), "folder.safetensors is a folder; name a file in it."),
        (("mine", "runs/mine/seed-1/checkpoint.safetensors"), "is inside the folder of runs"),
        (("mine", f"{'x' * 240}.safetensors"), "x.safetensors cannot be written: File name too long"),
        (("strange", "x.safetensors"), 'There is no learner "magic". Learners: td, evolution'),
    ],
)
def test_what_cannot_be_exported_is_said_in_a_sentence(
    arguments: tuple[str, ...],
    reason: str,
    command: Callable[..., tuple[object, str]],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(home)
    (home / "folder.safetensors").mkdir()
    learner = drawn(plain("nim"))
    run = keep("mine", learner)
    before = run.checkpoint_file(1).read_bytes()
    strange = runs.create(replace(run.config, kind="magic"), "strange")
    with strange.alone():
        about = learner.metadata() | {"kind": "magic"}
        checkpoint.write(strange.checkpoint_file(1), learner.arrays(), about)
    code, said = command("runs", "export", *arguments)
    assert code == 2
    assert reason in said
    assert (said.count("written"), said.count("\n")) == (int("written" in reason), 1)
    assert run.checkpoint_file(1).read_bytes() == before


def test_values_do_not_change_while_a_search_looks_at_them() -> None:
    game = plain("nim")
    learner = drawn(game)
    before = learner.network.weights.copy()
    keep("mine", learner)
    searcher = agent("expectimax:depth=2,value=mine", game)
    assert isinstance(searcher, Expectimax)
    searcher.analyse(game.start())
    assert np.array_equal(searcher.evaluation.data[1][0], before)
