"""The command `train`: its words, options and files of settings, and what it says where they cannot be used."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import fake_learner
import spielwerk as sw
from fake_learner import Spielwerk
from spielwerk.learn import runs

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


@pytest.fixture
def spielwerk(capsys: pytest.CaptureFixture[str]) -> Spielwerk:
    """Runs the command: (exit code, output, errors)."""
    return fake_learner.in_process(capsys)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            "sedes = [1]",
            'has no setting "sedes". Did you mean "seeds"? Settings: kind, game, seeds, keep, version, started',
        ),
        ('game = "nim:stacks=1-2"', "is for the game nim:stacks=1-2, not for nim."),
        ('game = "chess"', 'There is no game "chess"'),
        ('kind = "td"', "is for td, not for fake."),
        ("kind = 3", "is for 3, not for fake."),
    ],
)
def test_the_table_run_of_a_file_is_checked(spielwerk: Spielwerk, tmp_path: Path, table: str, said: str) -> None:
    file = tmp_path / "some.toml"
    file.write_text(f"[run]\n{table}\n")
    code, out, error = spielwerk("train", "fake", "nim", "--settings", str(file))
    assert (code, out, said in error) == (2, "", True)
    assert runs.names_of_runs() == []


def test_a_game_that_a_file_writes_in_another_way_is_the_same(spielwerk: Spielwerk, tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text('episodes = 2\n[evaluation]\ngames = 2\ngrade = "no"\n[run]\ngame = "nim:stacks=1-3-5-7"\n')
    assert spielwerk("train", "fake", "nim", "--settings", str(file))[0] == 0


def test_a_file_that_names_the_way_of_learning_and_the_game_is_enough(spielwerk: Spielwerk, tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text('episodes = 2\n[evaluation]\ngames = 2\ngrade = "no"\n[run]\nkind = "fake"\ngame = "nim"\n')
    for words in ((), ("fake",), ("cells=3",), ("fake", "cells=3")):
        code, out, _ = spielwerk("train", *words, "--settings", str(file), "--json")
        facts = json.loads(out)
        assert (code, facts["game"], facts["settings"]["episodes"]) == (0, "nim", 2)
        assert facts["settings"]["cells"] == (3 if "cells=3" in words else fake_learner.Settings().cells)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fake", "nim", "--seed", "5", "--seeds", "1-2"), "Give either one seed (5) or several (1-2), not both."),
        (("fake", "episodes=10"), "The game is missing: spielwerk train fake GAME episodes=10"),
        (("fake", "--seeds", "5"), "The game is missing: spielwerk train fake GAME"),
        (("episodes=10",), "The learner and the game are missing: spielwerk train td GAME episodes=10"),
        (("einstein:board=4",), "Did you mean: spielwerk train td einstein:board=4?"),
        (("nim", "episodes=10"), "Did you mean: spielwerk train td nim episodes=10?"),
        (("fake", "nim", "games=50"), "games is a setting of the evaluation; write --games 50"),
        (("fake", "nim", "opponents=mc"), "opponents is a setting of the evaluation; write --evaluate mc"),
        (("fake", "nim", "seeds=5"), "seeds is a setting of the run; write --seeds 5"),
        (("fake", "nim", "seed=5"), "seed is a setting of the run; write --seed 5"),
        (
            ("fake", "nim", "--seating", "mixed"),
            "evaluation: seating=mixed is for games of more than two players, not for nim.",
        ),
        (
            ("fake", "nim", "episodes=9", "--every", "10"),
            "evaluation: every=10 is more than the whole training of 9 episodes.",
        ),
    ],
)
def test_what_was_probably_meant_is_said(spielwerk: Spielwerk, words: tuple[str, ...], said: str) -> None:
    assert spielwerk("train", *words) == (2, "", f"{said}\n")
    assert runs.names_of_runs() == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("games = 50", "games belongs in [evaluation]."),
        ("seeds = 5", "seeds belongs in [run]."),
        ("[evalution]\ngames = 50", "there is no table [evalution]. Did you mean [evaluation]?"),
        ("[fake]\nepisodes = 5", "there is no table [fake]. Settings of fake go at the top of the file"),
        ("episodes = 'x'", 'fake: episodes must be a whole number, not "x".'),
        ("[evaluation]\nevry = 1", 'evaluation has no setting "evry". Did you mean "every"?'),
        ("[run]\nseeds = 'x'", 'Seeds cannot be "x"'),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_name(
    spielwerk: Spielwerk, tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "some.toml"
    file.write_text(f"{text}\n")
    code, out, error = spielwerk("train", "fake", "nim", "--settings", str(file))
    assert (code, out, error.startswith(f"{file}: {said}")) == (2, "", True)


def test_a_question_ends_with_its_own_mark(spielwerk: Spielwerk) -> None:
    assert spielwerk("runs", "delet")[2] == "No such command 'delet'. Did you mean 'delete'?\n"


def test_what_is_wrong_on_the_command_line_is_not_put_down_to_the_file(spielwerk: Spielwerk, tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text("episodes = 'x'\n")
    error = spielwerk("train", "fake", "nim", "colour=3", "--settings", str(file))[2]
    assert error.startswith('fake has no setting "colour".')
    error = spielwerk("train", "fake", "nim", "episodes=y", "--settings", str(file))[2]
    assert error == 'fake: episodes must be a whole number, not "y".\n'


def test_a_data_folder_that_cannot_be_is_named(spielwerk: Spielwerk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELWERK_HOME", os.devnull)
    code, out, error = spielwerk("train", "fake", "nim", "episodes=5")
    assert (code, out, error.startswith(f"The folder {os.devnull}/runs cannot be created: ")) == (2, "", True)


@pytest.mark.parametrize("text", ["episodes = ", "episodes = 'x'", "evaluation = 3", "[evaluation]\nevry = 1", "\xff"])
def test_a_file_of_settings_that_cannot_be_used_is_refused(spielwerk: Spielwerk, tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.toml").write_bytes(text.encode("latin-1"))
    code, out, error = spielwerk("train", "fake", "nim", "--settings", str(tmp_path / "bad.toml"))
    assert (code, out, error.count("\n")) == (2, "", 1)


def test_the_settings_of_a_way_of_learning_are_listed(spielwerk: Spielwerk) -> None:
    code, out, _ = spielwerk("train", "fake")
    assert (code, "how many numbers are drawn" in out) == (0, True)
    rows = [line.split()[:2] for line in out.splitlines()]
    assert ["opponents", "--evaluate"] in rows
    assert ["games", "--games"] in rows
    assert json.loads(spielwerk("train", "fake", "--json")[1])["settings"][0]["name"] == "episodes"
    assert spielwerk("train")[0] == 2


@pytest.mark.parametrize(
    ("table", "options", "seeds"),
    [
        ("", ("--seed", "5"), (5,)),
        ("", ("--seeds", "2-4"), (2, 3, 4)),
        ("", ("--seeds", "2"), (1, 2)),
        ("seed = 7", (), (7,)),
        ('seeds = "3-4,9"', (), (3, 4, 9)),
        ("seed = 7", ("--seeds", "1-2"), (1, 2)),
        ("seeds = [1, 2]", ("--seed", "0"), (0,)),
    ],
)
def test_one_seed_is_one_and_a_range_is_all_of_it(
    spielwerk: Spielwerk, tmp_path: Path, table: str, options: tuple[str, ...], seeds: tuple[int, ...]
) -> None:
    file = tmp_path / "some.toml"
    file.write_text(f"[run]\n{table}\n")
    few = ("episodes=2", "--games", "2", "--grade", "no", "--name", "one")
    assert spielwerk("train", "fake", "nim", *few, "--settings", str(file), *options)[0] == 0
    assert runs.open_run("one").config.seeds == seeds
    assert sw.train("fake", "nim", episodes=1, seed=5, evaluation={"games": 2}).run.config.seeds == (5,)


@pytest.mark.parametrize("table", ["seed = -1", 'seed = "x"', "seed = [1]", "seed = 1\nseeds = 2", "extended = [1]"])
def test_seeds_of_a_file_that_cannot_be_meant_are_refused(spielwerk: Spielwerk, tmp_path: Path, table: str) -> None:
    file = tmp_path / "some.toml"
    file.write_text(f"[run]\n{table}\n")
    code, _, error = spielwerk("train", "fake", "nim", "--settings", str(file))
    assert (code, error.startswith(f"{file}: "), error.count("\n")) == (2, True, 1)
