"""Drawings of a search tree: `spielwerk analyse … --tree FILE`."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import spielwerk as sw
from spielwerk.agents.mcts import Mcts
from spielwerk.api.analyse import searched_tree
from spielwerk.cli import app
from spielwerk.games.position import Position
from spielwerk.kernel.random import stream
from spielwerk.search.trees.outline import Branch
from spielwerk.search.trees.picture import tree_picture

SVG = "{http://www.w3.org/2000/svg}"


def run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["analyse", *words])
    problem = "" if done.exception is None or isinstance(done.exception, SystemExit) else str(done.exception)
    return done.exit_code, done.stdout, problem


def searched(name: str, settings: str, roll: str = "") -> tuple[Position, Mcts, Branch]:
    game = sw.game(name)
    position = game.start().roll(roll) if roll else game.start()
    agent = sw.agent(settings, game)
    assert isinstance(agent, Mcts)
    agent.analyse(position, stream(1, "test"))
    return position, agent, searched_tree(position, agent)


def test_the_branches_below_the_root_are_the_moves_with_their_visits_and_values() -> None:
    position, agent, root = searched("einstein:board=4", "mctse:iterations=500", "2")
    judged = {one.move: one for one in agent.analyse(position, stream(1, "test")).moves}
    assert root.visits == 501
    assert {branch.label for branch in root.branches} == set(judged)
    for branch in root.branches:
        assert branch.visits == judged[branch.label].visits
        assert branch.value == pytest.approx(judged[branch.label].value, abs=1e-5)
        assert branch.chance
        assert not branch.over


def test_rolls_follow_decisions_and_more_visited_branches_come_first_and_go_deeper() -> None:
    _, _, root = searched("einstein:board=4", "mctse:iterations=500", "2")
    most = root
    levels = 0
    while most.branches:
        assert [below.visits for below in most.branches] == sorted((b.visits for b in most.branches), reverse=True)
        assert {below.chance for below in most.branches if not below.over} <= {not most.chance}
        most, levels = most.branches[0], levels + 1
    assert levels == 4
    assert sum(branch.visits for branch in root.branches) == 500


def test_what_is_proven_is_marked() -> None:
    _, _, root = searched("nim:stacks=1-2-3", "mcts:iterations=3000")
    assert root.exact
    assert root.value == -1.0
    texts = [shape.text for shape in tree_picture(root, "a tree").shapes]
    assert "-1.00!" in texts


def test_the_file_is_a_picture_with_every_branch(tmp_path: Path) -> None:
    file = tmp_path / "tree.svg"
    code, printed, _ = run("einstein:board=3", "--agent", "mctse:iterations=200", "--roll", "1", "--tree", str(file))
    assert code == 0
    assert "a3-b2" in printed
    root = ElementTree.parse(file).getroot()
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert "a3-b2" in texts
    assert "201" in texts
    assert len(list(root.iter(f"{SVG}circle"))) >= 3  # rolls


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nim", "--agent", "oracle"), "oracle grows no tree to draw; mcts and mctse do."),
        (("einstein:board=3", "--agent", "mcts"), "A tree is drawn of one decision: say what is rolled (--roll)."),
    ],
)
def test_what_has_no_tree_is_refused_in_one_sentence(words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "tree.svg"
    assert run(*words, "--tree", str(file))[2] == sentence
    assert not file.exists()


def test_a_search_by_an_estimator_has_a_tree_too() -> None:
    game = sw.game("nim:stacks=1-2")
    agent = sw.agent("mcts:iterations=50,value=oracle", game)
    agent.analyse(game.start())
    assert searched_tree(game.start(), agent).branches
