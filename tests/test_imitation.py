"""Imitation: what is learned, stopped and resumed, exported, played and measured."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import spielwerk as sw
from conftest import Run
from spielwerk.arena.choices import Choices
from spielwerk.games.batch import Batch
from spielwerk.games.random_positions import positions
from spielwerk.kernel.random import streams
from spielwerk.learn import checkpoint as checkpoints
from spielwerk.learn import shipped
from spielwerk.learn.imitation.data import published
from spielwerk.learn.imitation.data.observed import Observed
from spielwerk.learn.imitation.exporting import model
from spielwerk.learn.imitation.forms import traits
from spielwerk.learn.imitation.learner import ImitationLearner
from spielwerk.learn.imitation.losses import trust
from spielwerk.learn.imitation.measures.accuracy import Accuracy
from spielwerk.learn.imitation.measures.examination import examine
from spielwerk.learn.imitation.measures.reliability import precisions
from spielwerk.learn.imitation.networks.network import Body, ImitationNetwork
from spielwerk.learn.imitation.networks.units import Drop
from spielwerk.learn.imitation.settings import Settings
from spielwerk.learn.imitation.slots import slots_of
from spielwerk.learn.onnx.model import OnnxModel
from spielwerk.names import BadInput
from test_td_neural import equal

pytestmark = pytest.mark.usefixtures("home")
SMALL = {"width": 16, "inner": 24, "batch": 200, "rate": 0.01}
KINDS = [
    *({"form": form} for form in ("code", "text")),
    *({"net": net, "units": 2} for net in ("plain", "dense", "stochastic", "recurrent")),
    *({"structure": structure} for structure in ("heads", "independent", "whole")),
    *({"encoding": encoding} for encoding in ("grid", "cube")),
]


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("observed") / "nim"
    sw.dataset("nim", "random", folder, games=300, states=20)
    return str(folder)


def learner(data: str, **settings: Any) -> ImitationLearner:
    made = ImitationLearner(sw.game("nim"), Settings(**{"epochs": 100, "data": data, **SMALL, **settings}), 1)
    made.use("cpu", 1)
    return made


# What is learned


def test_the_rules_of_nim_are_learned_from_random_moves(observed: str) -> None:
    made = learner(observed, dropout=0.0)
    before = examine(made.best, made.data.pairs, "cpu").facts()["legality"]
    made.learn(60)
    after = examine(made.best, made.data.pairs, "cpu").facts()["legality"]
    assert before < 0.6
    assert after > 0.95


def test_both_forms_of_the_source_are_there() -> None:
    text, code = (traits(Settings(form=form), "remove") for form in ("text", "code"))
    assert (text.units, text.dropout, text.anneal, text.all_l1, text.by_accuracy) == (30, 0.0, 0.02, True, False)
    assert (code.units, code.anneal, code.all_l1, code.by_accuracy, code.bent_first) == (1, 0.0, False, True, False)
    assert traits(Settings(form="text"), "to").units == 10
    assert traits(Settings(form="code"), "to").input_dropout == traits(Settings(form="text"), "to").dropout == 0.1


def test_a_network_has_the_layers_of_the_text() -> None:
    game = sw.game("morris")
    network = ImitationNetwork(game, slots_of(game, "TFR", "cascade"), Settings(form="text"))
    shapes = {name: tuple(one.shape) for name, one in network.named_parameters() if "weight" in name}
    layers = [sum(name.split(".")[1] == f"of_{part}" for name in shapes) for part in ("to", "from", "remove")]
    assert layers == [22, 22, 62]
    assert shapes["bodies.of_remove.first.weight"] == (200, 90 + 50)
    assert shapes["bodies.of_to.units.9.one.weight"] == (300, 200)


@pytest.mark.filterwarnings("ignore:The .grad attribute")  # which torch's compiler reads of everything
def test_compiled_units_say_and_teach_the_same_while_they_learn() -> None:
    """As on a GPU, but for the compiler, which is not everywhere."""
    network = deep()
    rows = torch.rand(5, network.bits + network.slots.before(1))
    calls: list[int] = []

    def counting(graph: torch.fx.GraphModule, _: list[torch.Tensor]) -> Callable[..., Any]:
        def run(*given: torch.Tensor) -> Any:
            calls.append(1)
            return graph.forward(*given)

        return run

    def said() -> list[torch.Tensor]:
        network.zero_grad()
        found = network(rows)
        torch.stack([one.sum() for one in found]).sum().backward()
        return [*found, *(one.grad.clone() for one in network.parameters() if one.grad is not None)]

    names, plain = list(network.state_dict()), said()
    for body in bodies(network):
        body.fuse(counting)
    assert list(network.state_dict()) == names
    for one, other in zip(said(), plain, strict=True):
        torch.testing.assert_close(one, other)
    assert len(calls) == sum(len(body.units) for body in bodies(network)) == 20
    network.eval()
    said()
    assert len(calls) == 20


def deep(**changed: Any) -> ImitationNetwork:
    settings = Settings(**{"form": "text", "dropout": 0.0, "width": 16, "inner": 24, **changed})
    return ImitationNetwork(sw.game("nim"), slots_of(sw.game("nim"), "", "cascade"), settings)


def bodies(network: ImitationNetwork) -> list[Body]:
    return [one for one in network.modules() if isinstance(one, Body)]


def test_few_units_and_those_that_differ_are_not_compiled() -> None:
    for changed in ({"form": "code"}, {"net": "dense"}, {"net": "stochastic"}):
        network = deep(**changed)
        network.fuse()
        assert not any(body.fused for body in bodies(network))


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_dropout_drops_its_share_keeps_the_mean_and_can_be_repeated(share: float) -> None:
    drop, given = Drop(share).train(), torch.full((999, 333), 2.0)
    found = []
    for seed in (1, 1, 2):
        drop.generator = torch.Generator().manual_seed(seed)
        found.append(drop(given))
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[0], found[2])
    dropped = found[0] == 0
    assert float(dropped.float().mean()) == pytest.approx(share, abs=0.005)
    assert torch.all(found[0][~dropped] == 2 / (1 - share))
    neighbours = (dropped[:, 1:] & dropped[:, :-1]).float().mean()
    assert float(neighbours) == pytest.approx(share**2, abs=0.005)  # four are drawn at once, each by itself
    assert torch.equal(drop.eval()(given), given)


def test_networks_of_a_cascade_learn_alone(observed: str) -> None:
    """The sum of losses of networks that share no weights moves each as its own loss would."""
    made = learner(observed, dropout=0.0, l1=0.0)
    given = made.training.rows(torch.arange(50))
    made._loss(*given).backward()
    whole = {name: one.grad.clone() for name, one in made.network.named_parameters() if one.grad is not None}
    made.network.zero_grad()
    made.learning = (1,)
    made._loss(*given).backward()
    for name, one in made.network.weights_of((1,)).items():
        assert one.grad is not None
        assert torch.allclose(one.grad, whole[name])


def test_the_step_size_falls_in_the_form_of_the_text_only(observed: str) -> None:
    for form, wanted in (("code", 0.01), ("text", 0.01 / 1.03)):
        made = learner(observed, form=form, units=1)
        made.learn(4)
        steps = [group["lr"] for group in made.optimiser.param_groups]
        assert steps == pytest.approx([wanted] * len(steps))  # of the last epoch, the fourth


def test_the_text_shrinks_all_weights_and_the_code_those_of_the_last_layer(observed: str) -> None:
    for form in ("text", "code"):
        made = learner(observed, form=form, units=1, l1=1.0)
        counted = {id(one) for one in made._counted()}
        names = [name for name, one in made.network.named_parameters() if id(one) in counted]
        assert any(name.startswith("bodies.") for name in names) == (form == "text")
        assert all("weight" in name for name in names)
        given = made.training.rows(torch.arange(50))
        plain = learner(observed, form=form, units=1, l1=0.0, dropout=0.0)
        shrunk = learner(observed, form=form, units=1, l1=1.0, dropout=0.0)
        size = sum(float(one.detach().abs().sum()) for one in shrunk._counted())
        with torch.no_grad():
            assert float(shrunk._loss(*given)) == pytest.approx(float(plain._loss(*given)) + size, rel=1e-4)


def test_the_text_stops_by_the_loss_and_the_code_by_the_accuracy(
    observed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The accuracy rises while the loss rises too: progress by the one, none by the other."""
    for form, stops in (("code", False), ("text", True)):
        made, looks = learner(observed, form=form, units=1, patience=2), itertools.count()
        slots = len(made.slots.names)

        def found(*_: Any, looks: Any = looks, slots: int = slots) -> Accuracy:
            number = next(looks)
            return Accuracy([number / 100] * slots, [1.0 + number] * slots)

        monkeypatch.setattr("spielwerk.learn.imitation.learner.accuracy", found)
        made.learn(4)
        assert (made.stopping.active == ()) == stops


def test_negative_examples_make_illegal_moves_less_likely(observed: str) -> None:
    plain, told = (learner(observed, negatives=weight, dropout=0.0, rate=0.003) for weight in (0.0, 5.0))
    for made in (plain, told):
        made.learn(3)
    legality = [examine(made.network.eval(), made.data.pairs, "cpu").facts()["legality"] for made in (plain, told)]
    assert legality[1] > legality[0] + 0.02


def test_training_stops_without_progress_and_keeps_the_best(observed: str) -> None:
    made = learner(observed, patience=2, rate=1e-9, l1=0.0)
    made.learn(50)
    assert made.stopping.active == ()
    assert made.episode == 50
    kept = {name: one.clone() for name, one in made.best.named_parameters()}
    made.learn(1)
    assert all(torch.equal(one, kept[name]) for name, one in made.best.named_parameters())


def test_a_resumed_run_equals_an_uninterrupted_one(observed: str) -> None:
    whole, first, second = (learner(observed, negatives=0.5, batch=50) for _ in range(3))
    whole.learn(4)
    first.learn(2)
    calls = iter([False, False, True])
    first.learn(1, lambda: next(calls))  # in the middle of an epoch
    assert first.position == 2
    second.restore(first.arrays())
    second.learn(2)
    assert equal(whole.arrays(), second.arrays())


def test_trust_is_only_of_illegal_values() -> None:
    logits, lots = torch.zeros(2, 4), torch.tensor([[0.9, 0.8, 0.1, 0.2]] * 2)
    legal = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]])
    assert float(trust(logits, legal, lots)) == pytest.approx(-np.log(0.75) / 2)


# Export and play


@pytest.mark.parametrize("changed", KINDS, ids=str)
def test_an_exported_file_says_what_the_networks_say(changed: dict[str, Any], tmp_path: Path) -> None:
    game = sw.game("morris")
    settings = Settings(order="RFT", **{**SMALL, "width": 8, "inner": 12, **changed})
    slots = slots_of(game, "RFT", settings.structure)
    network = ImitationNetwork(game, slots, settings).eval()
    about = {"kind": "imitation", "game": "morris", "settings": _json(settings), "seed": "1"}
    path = tmp_path / "kept.safetensors"
    checkpoints.write(path, {name: one.numpy() for name, one in network.state_dict().items()}, about)
    opened = OnnxModel(path, game, model(game, checkpoints.read(path), {}))
    rng = np.random.default_rng(1)
    decided = np.stack([rng.integers(0, size, 20) for size in slots.sizes], axis=1)
    rows = slots.rows(rng.integers(0, 2, (20, 90)).astype(np.float32), decided)
    with torch.no_grad():
        wanted = [one.numpy() for one in network(torch.from_numpy(rows))]
    for one, other in zip(opened.run(rows), wanted, strict=True):
        assert np.abs(one - other).max() < 1e-4


def _json(settings: Settings) -> str:
    import dataclasses
    import json

    return json.dumps(dataclasses.asdict(settings))


def test_illegal_choices_are_counted_and_replaced_by_the_most_likely_legal_move(observed: str) -> None:
    made = learner(observed)
    player: Any = made.agent()
    position = made.game.start()
    judged = player.analyse(position)
    assert sum(one.probability or 0 for one in judged.moves) <= 1 + 1e-6
    never = [np.array([[0.0] * 4 + [9.0]]), np.array([[0.0, 1.0, *[0.0] * 6]])]  # no stack, and then two matches
    player.says = lambda rows: [np.repeat(one, len(rows), 0) for one in never]
    player.choices = Choices()
    assert player.turn(position).text.endswith(":2")
    assert player.choices == Choices(1, 1)


def test_a_run_is_trained_measured_exported_and_played(observed: str, spielwerk: Run, tmp_path: Path) -> None:
    words = [f"data={observed}", "epochs=6", *(f"{name}={value}" for name, value in SMALL.items())]
    options = ["--name", "small", "--games", "20", "--decisions", "20", "--threads", "1"]
    assert spielwerk("train", "imitation", "nim", *words, *options)[0] == 0
    code, out, _ = spielwerk("imitation", "measure", "small", "--plot", str(tmp_path / "p.png"))
    assert (code, "legal whole moves" in out) == (0, True)
    assert (tmp_path / "p.png").stat().st_size > 1000
    assert spielwerk("runs", "export", "small", str(tmp_path / "small.onnx"), "--half")[0] == 0
    code, out, _ = spielwerk("match", "nim", f"imitation:{tmp_path / 'small.onnx'}", "random", "-n", "40")
    assert (code, "illegal moves of imitation" in out) == (0, True)
    code, out, _ = spielwerk("grade", "nim", "imitation:small", "--decisions", "20")
    assert (code, "does not know the rules" in out) == (0, True)
    code, out, _ = spielwerk("analyse", "nim", "--agent", "imitation:small")
    assert (code, "by the rules" in out) == (0, True)


def test_the_cascade_that_comes_with_the_package_knows_the_rules_and_says_how_it_was_made() -> None:
    (there,) = shipped.all_shipped("imitation")
    assert there.path.stat().st_size <= 3_000_000
    assert there.metadata["command"].startswith("spielwerk train imitation morris ")
    assert "99.80 %" in there.metadata["grade"]
    agent: Any = sw.agent("imitation", "morris")
    agent.choose_many(Batch(agent.game, positions(agent.game, "random", 1, 2000)), streams(1, "test", 2000))
    assert agent.choices.made == 2000
    assert agent.choices.share < 0.04  # drawn positions are stranger than those of games


def test_the_cascade_of_the_package_moves_by_the_rules_where_the_source_did(refs: Path) -> None:
    game = sw.game("morris")
    given = published.read(refs / "nnmm" / f"{published.STATES}.gz", game, False)[0]
    some = given.rows(np.arange(0, len(given), 12))
    agent: Any = sw.agent("imitation", "morris")
    agent.choose_many(some.batch(), streams(1, "test", len(some)))
    assert agent.choices.made == len(some) > 10_000
    assert agent.choices.share < 0.007  # 99.52 % of all of them are legal


def test_data_have_no_default_path() -> None:
    with pytest.raises(BadInput, match="name their folder, such as data=FOLDER"):
        ImitationLearner(sw.game("nim"), Settings())


# Measures


def test_precision_is_that_of_the_worked_example() -> None:
    """Legal are 1, 7, 9, 5 and 12; the ranking begins 1, 7, 9, 0, 4, 5, 12."""
    ranking = [1, 7, 9, 0, 4, 5, 12]
    logits, legal = torch.full((1, 25), -9.0), torch.zeros(1, 25, dtype=torch.uint8)
    for place, decision in enumerate(ranking):
        logits[0, decision] = -place
    legal[0, [1, 7, 9, 5, 12]] = 1
    assert precisions(logits, legal, 5)[0].tolist() == pytest.approx([1, 1, 1, 4 / 6, 5 / 7])


def test_legality_is_counted_by_the_rules() -> None:
    game = sw.game("morris")
    network = ImitationNetwork(game, slots_of(game, "TFR", "cascade"), Settings(**SMALL)).eval()
    with torch.no_grad():
        for one in network.parameters():
            one.zero_()
        for name, value in (("to", 0), ("from", 24), ("remove", 24)):
            network.get_parameter(f"heads.of_{name}.bias")[value] = 9  # always places on a7, and takes nothing
    given = Observed(game, np.concatenate([game.start().state[None], positions(game, "random", 1, 300)]))
    found = examine(network, given, "cpu").facts()
    wanted = [any(t.text == "a7" for t in position.turns()) for position in given.batch().positions()]
    assert found["legality"] == pytest.approx(np.mean(wanted))
    assert sum(found["broken"].values()) == len(wanted) - sum(wanted)
