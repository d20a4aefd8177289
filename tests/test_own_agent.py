"""The agents that `examples/own_agent` adds as a package would: found by name, sound, and reproducible."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import spielwerk as sw
from spielwerk.agents import registry
from spielwerk.arena.playing.block import Block, play_block
from spielwerk.arena.playing.plan import Plan, gains
from spielwerk.cli import app
from spielwerk.kernel.random import stream
from variants import random_positions

EXAMPLE = Path(__file__).parents[1] / "examples" / "own_agent"
NIM = "nim:stacks=2-3,misere=false"
STEADY = settings(deadline=None, max_examples=25, derandomize=True)


def _install(folder: Path, points: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What an installation leaves behind: entry points, and the sources on the path."""
    about = folder / "spielwerk_own-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: spielwerk-own\nVersion: 1\n")
    lines = [f"{name} = {where}" for name, where in points.items()]
    (about / "entry_points.txt").write_text("\n".join(["[spielwerk.agents]", *lines, ""]))
    for path in (folder, EXAMPLE / "src"):
        monkeypatch.syspath_prepend(path)
    registry._added.cache_clear()


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    broken = {"gone": "no_such_module:Agent", "wrong": "pathlib:Path", "nameless": "crowd:Nobody"}
    _install(tmp_path, project["entry-points"]["spielwerk.agents"] | broken, monkeypatch)
    yield
    registry._added.cache_clear()


def _match(game: str, name: str, games: int, seed: int = 1) -> Block:
    agents = [sw.agent(name, game), sw.agent("random", game)]
    return play_block(Plan(game, (name, "random"), games, seed), agents[0].game, agents, 0, games, keep=True)


def test_they_are_agents_like_the_built_in_ones() -> None:
    assert {"crowd", "pounce"} <= set(registry.kinds())
    assert sw.agent("CROWD:slips=0", "nim").name == "crowd"
    assert sw.agent("crowd:slips=5", "nim").name == "crowd:slips=5"
    done = CliRunner().invoke(app, ["analyse", "othello", "--agent", "crowd"])
    assert (done.exit_code, "100.0 %" in done.stdout) == (0, True)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("crowd:slip=3", 'crowd has no setting "slip". Did you mean "slips"? Settings: slips.'),
        ("crowd:slips=101", "crowd: slips must be 0 to 100, not 101."),
        ("crwd", 'Did you mean "crowd"?'),
        ("gone", 'The agent "gone" of no_such_module:Agent cannot be loaded'),
        ("nameless", 'The agent "nameless" of crowd:Nobody cannot be loaded'),
        ("wrong", 'The agent "wrong" of pathlib:Path is not a subclass of spielwerk.Agent.'),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(name: str, sentence: str) -> None:
    with pytest.raises(sw.BadInput) as refusal:
        sw.agent(name, "nim")
    assert sentence in str(refusal.value)


@pytest.mark.parametrize("agent", ["crowd", "pounce"])
@pytest.mark.parametrize("game", ["othello:size=4", NIM])
def test_a_win_within_reach_is_taken(game: str, agent: str) -> None:
    player, wins = sw.agent(agent, game), 0
    for seed in range(10):
        for position in random_positions(player.game, seed):
            if any(_won(position, move) for move in position.moves()):
                assert _won(position, player.choose(position, stream(seed, "test")))
                wins += 1
    assert wins > 5


def _won(position: sw.Position, move: str | int) -> bool:
    """Whether the move ends the game with a win for its player."""
    scores = position.play(move).scores
    return scores is not None and scores[position.mover] > 0


@STEADY
@given(st.integers(0, 1000))
def test_crowd_leaves_the_fewest_moves_and_draws_among_them_evenly(seed: int) -> None:
    position = sw.game("othello").start()
    for text in ("d3", "c3", "c4", "c5")[: seed % 5]:
        position = position.play(text)
    fewest = min(len(position.play(move).moves()) for move in position.moves())
    best = {move for move in position.moves() if len(position.play(move).moves()) == fewest}
    player = sw.agent("crowd", "othello")
    assert player.choose(position, stream(seed, "test")) in best
    assert {player.choose(position, stream(number, "test")) for number in range(60)} == best


@pytest.mark.parametrize(("game", "agent"), [("backgammon:checkers=3", "crowd:slips=50"), (NIM, "pounce")])
def test_the_same_seed_gives_the_same_match(game: str, agent: str) -> None:
    one, again, other = (_match(game, agent, 4, seed) for seed in (1, 1, 2))
    assert one.traces == again.traces
    assert one.traces != other.traces
    assert not one.faults


def test_with_a_hundred_slips_crowd_plays_at_random() -> None:
    player, position = sw.agent("crowd:slips=100", "nim"), sw.game("nim").start()
    assert {player.choose(position, stream(number, "test")) for number in range(300)} == set(position.moves())


@pytest.mark.parametrize(("name", "agent", "games"), [("othello:size=4", "crowd", 60), (NIM, "pounce", 2000)])
def test_they_beat_the_random_mover(name: str, agent: str, games: int) -> None:
    game, block = sw.game(name), _match(name, agent, games)
    rate = gains(game, Plan(name, (agent, "random"), games).seats(game, 0, games), block.scores)[1].mean()
    assert rate > 0.5 + 2 * 0.5 / games**0.5
