"""The commands about evolution: what a run has recorded, its games, its networks, its files."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import spielwerk as sw
from fake_learner import Spielwerk, in_process
from marks import slow
from spielwerk.agents.registry import agent
from spielwerk.api.train_config import TrainRequest, config_of
from spielwerk.arena.measurement import Measurement
from spielwerk.arena.records.retrace import check, positions
from spielwerk.commands.shared.evolution_tables import SHOWN, game_text, thinned
from spielwerk.kernel.random import below, stream
from spielwerk.learn import checkpoint, runs
from spielwerk.learn.config import EvaluationConfig, RunConfig
from spielwerk.learn.curves import curve_plot
from spielwerk.learn.evolution.champion_files import trained
from spielwerk.learn.evolution.drawing.history_plot import history_plot
from spielwerk.learn.evolution.genome.inputs import see
from spielwerk.learn.evolution.genome.wiring import outputs_of
from spielwerk.learn.evolution.history.whole_games import ILLEGAL_OUTPUT, whole_games
from spielwerk.learn.evolution.learner import EvolutionLearner
from spielwerk.learn.evolution.player import EvolutionPlayer
from spielwerk.learn.evolution.settings import Settings
from spielwerk.learn.export import export
from spielwerk.learn.registry import length_names
from spielwerk.learn.td.learner import TdLearner
from spielwerk.learn.td.settings import Settings as TdSettings
from spielwerk.names import either
from td_runs import keep

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched
ROOT = Path(__file__).parents[1]
NIM, DICE = "nim:stacks=2-3", "einstein:board=3"


@pytest.fixture
def spielwerk(capsys: pytest.CaptureFixture[str]) -> Spielwerk:
    """Runs the command: (exit code, output, errors)."""
    return in_process(capsys)


def evolved(game: str, done: int = 5, seed: int = 1, **settings: Any) -> EvolutionLearner:
    chosen: dict[str, Any] = {"population": 20, "generations": 10, "champion_games": 5, **settings}
    learner = EvolutionLearner(sw.game(game), Settings(**chosen), seed)
    learner.learn(done)
    return learner


def test_a_training_is_counted_in_generations(spielwerk: Spielwerk) -> None:
    words = ("generations=6", "population=20", "--games", "10", "--decisions", "10", "--every", "3", "--name", "one")
    code, out, error = spielwerk("train", "evolution", NIM, *words, "--json")
    facts = json.loads(out)
    assert (code, facts["kind"], facts["episodes"], facts["done"]) == (0, "evolution", 6, {"1": 6})
    assert re.fullmatch(
        r"(seed 1, generation (0|1|3|6) of 6: random \d+\.\d %, regret \d\.\d{4}\n){4}", error
    )  # since nobody sees the bars
    assert [one.episode for one in runs.open_run("one").measurements(1) if one.what == "regret"] == [0, 1, 3, 6]
    _, header, *_ = spielwerk("runs")[1].splitlines()
    assert header.split()[:3] == ["run", "game", "generations"]
    assert "to extend it: spielwerk runs resume one --generations 12" in spielwerk("runs", "resume", "one")[2]
    assert spielwerk("agents", "evolution")[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("generations=9", "--every", "10"), "evaluation: every=10 is more than the whole training of 9 generations."),
        (("generations",), '"generations" is not a setting; write key=value, such as generations=1000.'),
        (("episodes=9",), 'evolution has no setting "episodes".'),
        (("best=0.5", "old=0.6"), "evolution: the shares best, old and new sum to more than 1: 0.5 + 0.6 + 0.15."),
    ],
)
def test_what_cannot_be_trained_is_said_in_a_sentence(spielwerk: Spielwerk, words: tuple[str, ...], said: str) -> None:
    code, out, error = spielwerk("train", "evolution", NIM, *words)
    assert (code, out) == (2, "")
    assert error.startswith(said)
    assert runs.names_of_runs() == []


def test_the_history_is_what_the_learner_recorded(spielwerk: Spielwerk, tmp_path: Path) -> None:
    learner = evolved(NIM, 7)
    keep("one", learner)
    facts = json.loads(spielwerk("evolution", "history", "one", "--csv", str(tmp_path / "h.csv"), "--json")[1])
    with (tmp_path / "h.csv").open() as lines:
        table = list(csv.DictReader(lines))
    assert (facts["run"], facts["seed"], facts["game"]) == ("one", 1, NIM)
    assert [one["generation"] for one in facts["generations"]] == list(range(7))
    assert "regret" in facts["columns"]
    assert all("regret" in one and "loss" not in one for one in (*facts["generations"], *table))
    for one, line, recorded, sizes in zip(
        facts["generations"], table, learner.history.rows, learner.history.layer_sizes, strict=False
    ):
        assert one["champion_layers"] == [size for size in sizes.tolist() if size]
        assert line["champion_layers"] == "-".join(map(str, one["champion_layers"]))
        for name, value in zip(learner.history.columns, recorded.tolist(), strict=True):
            assert one[name] == pytest.approx(value, nan_ok=True) if one[name] is not None else np.isnan(value)
            assert line[name] == ("" if one[name] is None else str(value))
    assert len(table) == 7


def test_a_long_history_is_thinned_and_all_of_it_can_be_asked_for(spielwerk: Spielwerk) -> None:
    for count in (1, 2, 24, 25, 26, 49, 51, 1000, 12_345):
        shown = thinned(count)
        assert (shown[0], shown[-1]) == (0, count - 1)
        assert min(count, SHOWN // 2) <= len(shown) <= SHOWN + 1
    keep("one", evolved(NIM, 60, population=4, generations=60, champion_games=1))
    lines = {all_: spielwerk("evolution", "history", "one", *all_)[1].splitlines() for all_ in ((), ("--all",))}
    assert len(lines["--all",]) - len(lines[()]) == 60 - len(thinned(60))
    assert "--all prints all of them." in lines[()][-1]
    assert "--all" not in lines["--all",][-1]


@pytest.mark.parametrize("game", [NIM, DICE, *slow("othello:size=4", "einstein:board=6,players=3")])
def test_every_move_of_a_whole_game_is_what_the_champion_would_play(game: str) -> None:
    learner = evolved(game, 4)
    champions = {**learner.archive.champions, learner.episode - 1: learner.champion()}
    for generation in range(learner.episode):
        found = list(whole_games(learner.history, learner.game, generation))
        assert len(found) == (2 if generation else 0)
        assert [one.against for one in found[:1]] == [generation - 1][:generation]
        for one in found:
            assert one.against < generation
            assert check(one.record) == one.end  # every turn keeps the rules, and the result is right
            players = {
                mine: EvolutionPlayer(learner.game, learner.blueprint, champions[number])
                for mine, number in ((True, generation), (False, one.against))
            }
            before = one.record.begin()
            for turn, after in positions(one.record):
                here = before if turn.roll is None else before.roll(turn.roll)
                assert players[one.seats[turn.player]].choose(here) == turn.move
                before = after


def test_an_illegal_output_forfeits_a_whole_game() -> None:
    learner = evolved("nim:stacks=5", 8, output="direct", champion_games=2)
    found = [one for number in range(8) for one in whole_games(learner.history, learner.game, number)]
    failed = [one for one in found if one.record.fault]
    assert failed
    for one in found:
        assert check(one.record) == one.end
    for one in failed:
        name = one.end.game.player_names[one.end.mover]
        assert one.record.scores is not None
        assert one.record.scores[one.end.mover] == -1
        assert game_text(one).endswith(f"{name} forfeited: {ILLEGAL_OUTPUT}.")


def test_a_game_of_which_only_the_beginning_was_kept_has_no_result() -> None:
    learner = evolved(NIM, 3)
    history = learner.history
    short = type(history)(**{**vars(history), "traces": history.traces[:, :, :1]})
    (one, _) = whole_games(short, learner.game, 2)
    assert (one.kept, one.whole, one.facts()["scores"], len(one.facts()["turns"])) == (1, False, None, 1)
    assert game_text(one).endswith("Only the first 1 actions and rolls were kept.")


def test_games_are_shown_of_the_generation_that_is_asked_for(spielwerk: Spielwerk) -> None:
    keep("one", evolved(NIM, 5), evolved(NIM, 3, seed=2))
    assert "generation 0 has no games" in spielwerk("evolution", "games", "one/1", "--generation", "0")[1].lower()
    out = spielwerk("evolution", "games", "one/1", "--generation", "3")[1]
    assert out.count("The champion of generation 3 (") == 2
    assert out.count(" won (") == 2
    facts = json.loads(spielwerk("evolution", "games", "one/2", "--json")[1])
    assert (facts["generation"], facts["seed"], facts["games"][0]["against"]) == (2, 2, 1)
    assert spielwerk("evolution", "games", "one/2", "--generation", "3")[2] == (
        "There is no generation 3; the last one is 2.\n"
    )


def test_networks_are_drawn_alone_and_as_they_grew(spielwerk: Spielwerk, tmp_path: Path) -> None:
    learner = evolved(NIM, 5)
    keep("one", learner)
    one, moving = tmp_path / "one.svg", tmp_path / "moving.svg"
    facts = json.loads(spielwerk("evolution", "draw", "one", str(one), "--json")[1])
    assert (facts["generation"], facts["layers"]) == (4, learner.champion().layer_sizes)
    first = json.loads(spielwerk("evolution", "draw", "one", str(one), "--generation", "0", "--json")[1])
    assert first["layers"] == learner.archive.champions[0].layer_sizes
    grown = json.loads(spielwerk("evolution", "grow", "one", str(moving), "--json")[1])
    assert grown["generations"] == [0, 1, 2, 3, 4]
    for file in (one, moving):
        text = file.read_text()
        assert ElementTree.fromstring(text).tag.endswith("svg")
        assert f"one/1: evolution in {NIM}" in text


def test_of_many_champions_only_some_are_kept(spielwerk: Spielwerk, tmp_path: Path) -> None:
    keep("long", evolved("nim:stacks=2", 300, generations=300, population=2, champion_games=1))
    draw = ("evolution", "draw", "long", str(tmp_path / "x.svg"), "--generation")
    assert spielwerk(*draw, "299")[0] == spielwerk(*draw, "298")[0] == 0
    assert spielwerk(*draw, "7")[2] == "The champion of generation 7 was not kept; those of 6 and 8 were.\n"


@pytest.mark.parametrize("suffix", [".safetensors", ".json"])
def test_the_champion_of_any_generation_that_was_kept_can_be_exported(
    spielwerk: Spielwerk, suffix: str, tmp_path: Path
) -> None:
    learner = evolved(NIM, 5)
    keep("one", learner)
    for number in range(5):
        path = tmp_path / f"{number}{suffix}"
        code, out, _ = spielwerk("runs", "export", "one", str(path), "--generation", str(number))
        assert (code, f"bytes, the champion of generation {number}.\n" in out) == (0, True)
        genome = trained(learner.game, str(path))[1]
        wanted = learner.archive.champions[number]
        assert [genome.nodes.tolist(), genome.edges.tolist()] == [wanted.nodes.tolist(), wanted.edges.tolist()]
        assert [genome.biases.tolist(), genome.weights.tolist()] == [wanted.biases.tolist(), wanted.weights.tolist()]


def test_generations_that_cannot_be_exported_are_said_in_a_sentence(spielwerk: Spielwerk, tmp_path: Path) -> None:
    keep("long", evolved("nim:stacks=2", 300, generations=300, population=2, champion_games=1))
    learner = TdLearner(sw.game(NIM), TdSettings(episodes=5), seed=1)
    run = runs.create(RunConfig("td", NIM, asdict(learner.settings), (1,), EvaluationConfig(), "0", "2025"), "taught")
    with run.alone():
        about = {"kind": "td", "seed": "1", "episode": "0"}
        checkpoint.write(run.checkpoint_file(1), learner.arrays(), learner.metadata() | about)
    path = tmp_path / "agent.safetensors"
    for name, number, said in (
        ("long", "7", "The champion of generation 7 was not kept; those of 6 and 8 were."),
        ("long", "300", "There is no generation 300; the last one is 299."),
        (
            "taught",
            "3",
            "Seed 1 of the run taught has no checkpoint at 3 episodes, only at: 0; train --keep N keeps earlier ones.",
        ),
    ):
        assert spielwerk("runs", "export", name, str(path), "--generation", number) == (2, "", f"{said}\n")
    assert not path.exists()


@pytest.mark.parametrize("game", [NIM, "einstein:board=3", *slow("othello:size=4", "morris")])
def test_the_move_that_a_network_plays_has_the_best_score(game: str) -> None:
    learner = evolved(game, 2, population=4, champion_games=1, longest=20)
    keep("one", learner)
    player, position, rng = agent("evolution:one", learner.game), learner.game.start(), stream(1, "test")
    scored = 0
    while not position.over and scored < 25:
        analysis = player.analyse(position)
        if position.chance:
            assert analysis.moves == ()
            position = position.roll(position.outcomes()[0][0])
            continue
        played = player.turn(position)
        assert sorted(one.move for one in analysis.moves) == sorted(position.moves())
        assert (analysis.moves[0].move, analysis.value) == (played.text, analysis.moves[0].value)
        ends = {turn.text: turn.end for turn in position.turns()}
        for one in analysis.moves:  # of the end of a game the result is known, of all else there is only a score
            result = ends[one.move].scores
            assert (one.value, one.score is None) == (result[position.mover] if result else None, bool(result))
            assert one.probability is None
        scores = [one.score for one in analysis.moves if one.score is not None]
        if len(scores) == len(analysis.moves):
            assert scores == sorted(scores, reverse=True)
            assert scores[0] == pytest.approx(scored_by_hand(learner, played.end, position.mover))
        scored += 1
        turns = position.turns()
        position = turns[int(below(rng, len(turns)))].end
    assert player.analyse(position).moves == () or scored == 25


def scored_by_hand(learner: EvolutionLearner, end: sw.Position, player: int) -> float:
    """What the network says of a position, from its inputs as plain Python sees them."""
    blueprint = learner.blueprint
    values, scratch = np.zeros(blueprint.inputs), blueprint.scratch(1)
    learner.game.kernel(see, **blueprint.bindings)(end.state, player, values, scratch.seen[0], scratch.observed[0])
    return float(outputs_of(learner.champion(), values[None])[0, 0])


def test_a_network_that_names_its_move_is_asked_for_nothing_else() -> None:
    keep("one", evolved("nim:stacks=5", 2, output="direct"))
    (only,) = agent("evolution:one", sw.game("nim:stacks=5")).analyse(sw.game("nim:stacks=5").start()).moves
    assert (only.probability, only.score, only.value) == (1.0, None, None)


def measured_runs() -> None:
    """A run of each kind, half done and done, and one of td with another step size."""
    one = keep("bred", evolved(NIM, 5, hall=3))
    made = [one, *(runs.create(taught(**chosen), name) for name, chosen in (("a", {}), ("b", {"alpha": 0.25})))]
    for run, episode in zip(made, (5, 1000, 1000), strict=True):
        with run.alone():
            run.measure(1, [Measurement(episode, "rate against random", 0.5, 0.4, 0.6, 20)])


def taught(**settings: Any) -> RunConfig:
    chosen = asdict(TdSettings(episodes=1000, **settings))
    return RunConfig("td", NIM, chosen, (1,), EvaluationConfig(), "0", "2025-01-01T00:00")


def test_runs_of_different_kinds_are_compared_by_what_was_chosen(spielwerk: Spielwerk) -> None:
    measured_runs()
    lines = [line.split() for line in spielwerk("runs", "compare", "bred", "a", "b")[1].splitlines()]
    for wanted in (
        ["kind", "evolution", "td", "td"],
        ["population", "20", "–", "–"],
        ["hall", "3", "–", "–"],
        ["alpha", "–", f"{TdSettings().alpha:g}", "0.25"],
    ):
        assert wanted in lines
    settings = {field.name for kind in (Settings, TdSettings) for field in fields(kind)}
    begin = {"generations", "rate"}  # also the lines of lengths and of measurements
    shown = {line[0] for line in lines if line} & (settings - begin)
    assert shown == {"population", "champion_games", "hall", "alpha"}
    assert not [line for line in lines if "usual" in line]


@pytest.mark.parametrize(
    ("names", "label"),
    [(("bred", "a"), "share of the training"), (("a", "b"), "episodes"), (("bred",), "generations")],
)
def test_runs_counted_in_different_ways_share_an_axis(names: tuple[str, ...], label: str, tmp_path: Path) -> None:
    measured_runs()
    curve_plot([runs.open_run(name) for name in names], "", tmp_path / "x.svg")
    drawn = (tmp_path / "x.svg").read_text()
    labels = ("share of the training", "episodes", "generations")
    assert [one for one in labels if f"<!-- {one} -->" in drawn] == [label]
    assert ("<!-- 100 % -->" in drawn) == (label == labels[0])


def test_the_example_of_several_stacks_is_made_of_settings(spielwerk: Spielwerk) -> None:
    file = ROOT / "examples" / "evolution" / "stacks.toml"
    config = config_of(TrainRequest(["evolution", "nim"], None, {}), file)
    assert (config.settings["fitness"], config.settings["inputs"], config.episodes) == ("grade", "bits", 3000)
    page = (ROOT / "docs" / "evolution.md").read_text()
    assert f"spielwerk train evolution nim --settings {file.relative_to(ROOT)}" in page
    words = ("--settings", str(file), "generations=2", "--games", "2")
    assert spielwerk("train", "evolution", NIM, *words)[0] == 0


def test_the_example_for_other_programs_plays_as_the_run_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("onnx")
    learner = evolved("nim:stacks=8,sizes=random", 20, population=100, output="direct")
    keep("eight", learner)
    monkeypatch.chdir(tmp_path)
    export("eight", Path("eight.onnx"))
    page = (ROOT / "docs" / "evolution.md").read_text()
    (block,) = (one for one in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S) if "ReferenceEvaluator" in one)
    exec(block, {})
    stacks, takes = re.findall(r"\[(.*?)\]", capsys.readouterr().out)
    shown = [f"{int(stack) + 1}:{take}" for stack, take in zip(stacks.split(), takes.split(), strict=True)]
    player = agent("evolution:eight", learner.game)
    assert shown == [player.turn(learner.game.parse(text)).text for text in ("5 A", "8 A")]


def test_curves_are_drawn_also_of_a_single_generation(tmp_path: Path) -> None:
    for done, game in ((1, NIM), (4, "morris")):
        learner = evolved(game, done, generations=done, population=4, champion_games=1, longest=40)
        path = tmp_path / f"{done}.svg"
        history_plot(learner.history, "some title", path)
        text = path.read_text()
        assert all(wanted in text for wanted in ("some title", "fitness", "turns of a game"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("history", "taught"), "The run taught was trained by td, not by evolution."),
        (("games", "god"), 'There is no run "god". Did you mean "good"?'),
        (("draw", "good/3", "x.svg"), "The run good has no seed 3; its seeds: 1."),
        (("grow", "empty", "x.svg"), "The run empty has no checkpoint yet."),
        (("history", "unborn"), "Nothing has been recorded yet for unborn."),
        (("draw", "good", "x.png"), 'A drawing is a .svg file, not "x.png".'),
        (("grow", "good", "x"), 'A drawing is a .svg file, not "x".'),
        (("draw", "good", "no/such/x.svg"), "no/such/x.svg cannot be written"),
        (("history", "good", "--plot", "x.bmp"), 'A plot is a .png or .svg file, not "x.bmp".'),
        (("history", "good", "--csv", "no/such/x.csv"), "no/such/x.csv cannot be written"),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_sentence(
    spielwerk: Spielwerk, words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = keep("good", evolved(NIM, 2)).config
    runs.create(config, "empty")
    keep("unborn", evolved(NIM, 0))
    runs.create(RunConfig("td", NIM, {"episodes": 5}, (1,), EvaluationConfig(), "0", "2025"), "taught")
    code, out, error = spielwerk("evolution", *words)
    assert (code, out) == (2, "")
    assert error.startswith(said)


@pytest.mark.parametrize("suffix", [".safetensors", ".json", ".onnx"])
def test_an_exported_champion_plays_as_its_run_does(spielwerk: Spielwerk, suffix: str, tmp_path: Path) -> None:
    if suffix == ".onnx":
        pytest.importorskip("onnx")
    game = sw.game("nim:stacks=3-4-5")
    keep("one", evolved(game.name))
    path = tmp_path / f"agent{suffix}"
    code, out, error = spielwerk("runs", "export", "one", str(path), "--grade", "well")
    assert (code, error) == (0, "")
    assert out.startswith(f"{path}: {path.stat().st_size:,} bytes. well\n")
    assert out.endswith(f"To play with it: evolution:{path}\n")
    run, file = agent("evolution:one", game), agent(f"evolution:{path}", game)
    starts = [game.parse(f"{a}-{b}-{c} A") for a in range(4) for b in range(5) for c in range(1, 6)]
    assert [run.choose(start) for start in starts] == [file.choose(start) for start in starts]
    with pytest.raises(sw.BadInput, match="nim:stacks=3-4-5"):
        agent(f"evolution:{path}", sw.game("nim"))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("evolution:taught", "The run taught was trained by td, not by evolution."),
        ("evolution:other", "The run other plays nim:stacks=1-2, not nim:stacks=2-3."),
        ("evolution:bred/2", "The run bred has no seed 2; its seeds: 1."),
        (
            "evolution:./agent.bin",
            "./agent.bin is not an exported agent; their names end in .safetensors, .json or .onnx.",
        ),
        ("evolution", "To train one and play with it: spielwerk train evolution nim:stacks=2-3 --name NAME, then"),
        ("td:bred", "The run bred was trained by evolution, not by td."),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(name: str, reason: str) -> None:
    keep("bred", evolved(NIM, 1))
    keep("other", evolved("nim:stacks=1-2", 1))
    runs.create(RunConfig("td", NIM, {"episodes": 5}, (1,), EvaluationConfig(), "0", "2025"), "taught")
    with pytest.raises(sw.BadInput) as refused:
        agent(name, sw.game(NIM))
    assert reason in str(refused.value)


@pytest.mark.parametrize(("words", "text"), [(("a",), "a"), (("a", "b"), "a or b"), (("a", "b", "c"), "a, b or c")])
def test_alternatives_are_written_as_people_do(words: tuple[str, ...], text: str) -> None:
    assert either(words) == text


def test_runs_of_both_kinds_are_counted_in_both_ways() -> None:
    assert length_names(["td", "td", "fake"]) == "episodes"
    assert length_names(["evolution"]) == "generations"
    assert length_names(["td", "evolution", "td"]) == "episodes or generations"
