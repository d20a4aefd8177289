"""Measurements travel in one file: what was measured elsewhere is known here, and nothing else comes in with it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from damage import CAREFUL, damaged
from spielwerk.cli import app
from spielwerk.names import BadInput
from spielwerk.studies.execution import execute, overview
from spielwerk.studies.job import Job
from spielwerk.studies.job_pool import missing
from spielwerk.studies.packing import FORMAT, Unpacked, pack, unpack
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.registry import recipe
from spielwerk.studies.report import Report, between, figure
from spielwerk.studies.results import folder, keep, kept, path

pytestmark = pytest.mark.usefixtures("home")
ROOT = Path(__file__).parents[1]
JOBS = [Job("einstein.matches:play", {"games": games}, 1.0) for games in (4, 6, 8)]
RECIPE = Recipe("a/study", "three matches", lambda form: JOBS, lambda form, results: Report([]))


def measured(file: Path, count: int = 2) -> Path:
    """A file with the first measurements, none of which is known here any more."""
    for job in JOBS[:count]:
        keep(job, {"rates": [0.25, 0.75]}, 0.1)
    assert pack({RECIPE: Form()}, file) == count
    for job in JOBS[:count]:
        path(job).unlink()
    return file


def lines(*objects: Any) -> bytes:
    return gzip.compress("".join(f"{json.dumps(one)}\n" for one in objects).encode())


def files() -> set[Path]:
    return {found for found in folder().rglob("*") if found.is_file()}


def test_what_was_measured_on_one_machine_is_known_on_another(tmp_path: Path) -> None:
    file = measured(tmp_path / "study.jsonl.gz")
    assert unpack([file]) == Unpacked(new=2, known=0, other_version=0)
    assert [kept(job) for job in JOBS] == [{"rates": [0.25, 0.75]}] * 2 + [None]


def test_the_same_measurements_give_the_same_file(tmp_path: Path) -> None:
    first = measured(tmp_path / "first.gz").read_bytes()
    unpack([tmp_path / "first.gz"])
    pack({RECIPE: Form()}, tmp_path / "second.gz")
    assert (tmp_path / "second.gz").read_bytes() == first


def test_what_is_known_here_stays_as_it_is(tmp_path: Path) -> None:
    file = measured(tmp_path / "study.jsonl.gz")
    keep(JOBS[0], {"rates": [0.5]}, 0.1)
    assert unpack([file]) == Unpacked(new=1, known=1, other_version=0)
    assert kept(JOBS[0]) == {"rates": [0.5]}


def test_measurements_of_another_version_are_left_out(tmp_path: Path) -> None:
    about = JOBS[0].about | {"version": "0.0.9"}
    (tmp_path / "old.gz").write_bytes(lines(FORMAT, {"about": about, "seconds": 1, "result": {}}))
    assert unpack([tmp_path / "old.gz"]) == Unpacked(new=0, known=0, other_version=1)
    assert not files()


def test_several_files_come_in_together_or_not_at_all(tmp_path: Path) -> None:
    one, both = measured(tmp_path / "one.gz", 1), measured(tmp_path / "both.gz", 2)
    (tmp_path / "bad.gz").write_bytes(b"no archive")
    with pytest.raises(BadInput, match="Not a gzipped file"):
        unpack([one, tmp_path / "bad.gz"])
    assert not files()
    assert unpack([one, both]) == Unpacked(new=2, known=0, other_version=0)


@pytest.mark.parametrize("work", ["../../x:play", "/etc/x:play", "einstein.matches", "a..b:play", "os:system\n"])
def test_no_name_in_a_file_leads_out_of_the_folder(work: str, tmp_path: Path) -> None:
    about = JOBS[0].about | {"work": work}
    (tmp_path / "bad.gz").write_bytes(lines(FORMAT, {"about": about, "seconds": 1, "result": {}}))
    with pytest.raises(BadInput, match=r"Line 2 is no measurement of a study\.$"):
        unpack([tmp_path / "bad.gz"])
    assert not files()


def test_a_damaged_line_adds_nothing_at_all(tmp_path: Path) -> None:
    good = {"about": JOBS[0].about, "seconds": 1, "result": {}}
    (tmp_path / "bad.gz").write_bytes(lines(FORMAT, good, {"about": JOBS[1].about, "seconds": 1, "result": []}))
    with pytest.raises(BadInput, match=r"Line 3 is no measurement\.$"):
        unpack([tmp_path / "bad.gz"])
    assert not files()


@CAREFUL
@given(data=st.data())
def test_a_damaged_file_is_one_sentence_and_adds_nothing(data: st.DataObject, tmp_path: Path) -> None:
    good = measured(tmp_path / "good.gz").read_bytes()
    bad, before, said = tmp_path / "bad.gz", files(), ""
    bad.write_bytes(data.draw(damaged(good)))
    try:
        unpack([bad])
    except BadInput as problem:
        said = str(problem)
    assert said.isprintable()
    assert "\n" not in said
    assert not said or files() == before
    for job in JOBS:
        path(job).unlink(missing_ok=True)


def test_the_commands_pack_a_recipe_and_refuse_what_is_none(tmp_path: Path) -> None:
    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["study", *words])
        return done.exit_code, done.stdout if done.exit_code == 0 else str(done.exception)

    file = str(tmp_path / "study.gz")
    assert "Nothing has been measured yet" in run("pack", file, "einstein/table-14")[1]
    jobs = recipe("einstein/table-11").jobs(Form(quick=True))
    for job in jobs:
        keep(job, {}, 0.1)
    assert json.loads(run("pack", file, "einstein/table-11", "--quick", "--json")[1])["measurements"] == len(jobs)
    assert run("unpack", file)[1].startswith("0 new measurements, ")
    assert "There is no recipe" in run("pack", file, "einstein/table-99")[1]
    assert "cannot be read: No such file" in run("unpack", str(tmp_path / "none.gz"))[1]
    (tmp_path / "text").write_text("no archive")
    assert "text cannot be read: Not a gzipped file" in run("unpack", str(tmp_path / "text"))[1]


def test_a_list_says_how_much_of_a_recipe_is_known_here() -> None:
    assert overview(RECIPE, cores=2).known == 0
    keep(JOBS[0], {}, 0.1)
    assert overview(RECIPE, cores=2).known == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("einstein/table-12", ["alpha_end=0.1, mean over the others", "our best by one half, in the other half"]),
        ("einstein/table-13", ["epsilon_end=1, mean over the others"]),
        ("einstein/table-15", ["against random with the settings published"]),
        ("einstein/table-14", ["lam=0", "lam=0.1", "lam=1"]),
        ("einstein/figure-19", ["gamma=0", "gamma=1"]),
        ("einstein/figure-22", ["TD, coding stones, after 5,000,000 episodes"]),
        ("einstein/figure-26", ["TD, coding owner, after 5,000,000 episodes"]),
        ("einstein/figure-27", ["TD, coding groups, after 5,000,000 episodes"]),
        ("einstein/figure-14", ["batch 25 after every transition: against alphabeta:depth=2"]),
        ("einstein/table-4", ["mc:iterations=1200,rollout=22", "our best by one half, in the other half"]),
        ("einstein/table-3", ["mc:iterations=2000,rollout=23", "our best by one half, in the other half"]),
        ("einstein/table-5", ["mc:iterations=2600,rollout=20", "our best by one half, in the other half"]),
        ("einstein/table-7", ["nodes=450, mean over the others"]),
        ("einstein/table-8", ["nodes=450, mean over the others", "nodes=550, mean over the others"]),
        ("einstein/table-9", ["nodes=500, mean over the others"]),
        ("einstein/codings", ["einstein: coding owner, against random"]),
        ("einstein/more-variants", ["6×6, three players: MC against random"]),
        ("einstein/replay-einstein", ["einstein:board=4: no replay, against random"]),
        ("einstein/table-6", ["mc:iterations=2200,rollout=22", "our best by one half, in the other half"]),
        ("einstein/table-10", ["nodes=450, mean over the others", "nodes=550, mean over the others"]),
        ("einstein/table-11", ["against random with these settings"]),
        ("einstein/table-16", ["4×4, two players: MC against random", "6×6, four players: MCTSE against random"]),
        ("einstein/replay", ["batch 25, prioritised, no correction: against mcts:iterations=100"]),
        ("einstein/research-questions", ["6×6, four players: TD (coding groups) against random"]),
        ("einstein/network-size", ["einstein:board=6,players=4: coding stones, against random"]),
        ("einstein/random-start", ["einstein: learned with start=fixed, tested with start=shared"]),
        (
            "alphazero/truth",
            [
                "morris, 100 simulations, 300 s",
                "einstein:board=4, raw, 121 s",
                "einstein:board=4, 100 simulations, 121 s",
            ],
        ),
        ("alphazero/source", ["untrained", "after 607 s", "value and exact bear-offs", "π and judged equities"]),
        ("alphazero/selection", ["learned by gumbel 2, raw", "learned by puct 2, raw", "played by gumbel 128"]),
        ("alphazero/nets", ["othello:size=6, residual, searched", "morris, mlp, raw"]),
        ("alphazero/heads", ["actions, raw", "afterstates, 200 simulations"]),
        ("alphazero/td", ["einstein:board=4, td, depth 2", "morris, td, 100 simulations"]),
        (
            "morris/learners",
            [
                "best class: td, network, 600 s",
                "best class: actor-critic, 600 s",
                "best class, 100 simulations: alphazero, 600 s",
            ],
        ),
        (
            "morris/graph",
            [
                "best class: net=graph filters=32 blocks=3, 36,803 weights",
                "best class: base, 138,650 weights",
                "value and judged results: hidden=40-40, 36,438 weights",
                "best class after 0 s on morris: weights of six men's",
                "best class after 31 s on morris: weights of six men's",
                "best class after 31 s on morris: training from scratch",
            ],
        ),
        (
            "morris/parts",
            [
                "best class: base",
                "best class: symmetry=false",
                "rate against random: masked=false",
                "illegal choices: masked=false",
                "value and judged results: lam=0",
                "calibration error: base",
            ],
        ),
        (
            "morris/smallest",
            [
                "rate against random: hidden=8, 7,358 weights",
                "rate against random: hidden=none, 61,282 weights",
                "rate against random: hidden=512, 707,162 weights",
            ],
        ),
        ("nnmm/accuracy", ["whole move: FTR, code, paper", "whole move: RFT, text, clean"]),
        ("nnmm/legality", ["whole move (test): TRF, code, clean", "whole move (states): FTR, code, paper"]),
        ("nnmm/structure", ["legality (test): cascade", "legality (test): heads", "legality (states): whole"]),
        ("nnmm/networks", ["legality (test): plain", "legality (test): recurrent", "best class: residual"]),
        ("nnmm/encodings", ["legality (test): a grid (2-D)", "legality (states): rings on top (3-D)"]),
        ("nnmm/negatives", ["legality (test): weight 0.1", "best class: weight 1"]),
        ("nnmm/amount", ["legality (test): 30 % of the data", "best class: twice as many of them"]),
        ("nnmm/starts", ["legality (test): reachable", "best class: from the start"]),
        ("nnmm/games", ["legality (test): othello, alphabeta:depth=2", "legality (states): backgammon, pubeval"]),
        (
            "nnmm/teacher",
            [
                "regret a decision: oracle of einstein",
                "regret a decision: mcts player of einstein",
                "among the best moves: oracle of einstein",
            ],
        ),
        ("nim/simple-nim", ["3-4-5, full, direct: right decisions of the best champion"]),
    ],
)
def test_figures_of_the_docs_come_from_the_measurements_beside_them(name: str, rows: list[str], tmp_path: Path) -> None:
    told(name, Form(device="cpu"), rows, tmp_path)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        (
            "morris/learners",
            [
                "best class: actor-critic, on a GPU, 45 s",
                "best class: td, network, on a GPU, 45 s",
                "best class, 100 simulations: alphazero, on a GPU, 45 s",
            ],
        ),
        (
            "morris/parts",
            ["best class: base", "calibration error: temperature=false", "illegal choices: masked=false"],
        ),
        (
            "nnmm/teacher",
            ["legality (test): oracle", "best class: observed player", "among the best moves: oracle"],
        ),
        ("nnmm/encodings", ["legality (test): a grid (2-D)", "best class: rings on top (3-D)"]),
        ("alphazero/source", ["after 424 s", "π and judged equities", "value and exact bear-offs"]),
        ("alphazero/heads", ["actions, raw", "afterstates, raw", "afterstates, 200 simulations"]),
    ],
)
def test_so_do_those_of_trainings_on_a_gpu(name: str, rows: list[str], tmp_path: Path) -> None:
    told(name, Form(), rows, tmp_path)


def told(name: str, form: Form, rows: list[str], tmp_path: Path) -> None:
    """Whether the page of a study shows these rows of a recipe as they come out of the packed measurements."""
    study, page = name.split("/")[0], ROOT / "docs" / f"study-{name.split('/')[0]}.md"
    unpack(sorted((ROOT / "docs" / "measurements").glob(f"{study}-*.gz")))
    assert not missing(recipe(name).jobs(form))
    found = execute(recipe(name), form, tmp_path, 1, lambda done: None).report.rows
    for wanted in rows:
        for row in (row for row in found if row.name == wanted):
            assert row.ours is not None
            assert row.interval is not None
            shown = f"{figure(row.ours, row.unit)} ({between(row.interval, row.unit)}"
            assert shown in page.read_text("utf-8"), f"{name}, {row.name} {row.die}: {shown}"
        assert any(row.name == wanted for row in found)
