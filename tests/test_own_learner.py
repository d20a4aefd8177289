"""The learner that `examples/own_learner` adds as a package would: trained, resumed, played with, and checked."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from typer.testing import CliRunner

import spielwerk as sw
from spielwerk.agents import registry as agents
from spielwerk.agents.values import estimator
from spielwerk.cli import app
from spielwerk.learn import registry, runs

EXAMPLE = Path(__file__).parents[1] / "examples" / "own_learner"
NIM = "nim:stacks=2-3,misere=false"
SMALL = ("--games", "20", "--decisions", "20")
pytestmark = pytest.mark.usefixtures("home")
BROKEN_NAMES = ("half", "ducks", "other", "endless", "lost", "agentless", "lazy", "loose", "valueless", "vague")
HEAVY = """
import tabular

class Lazy(tabular.Tabular):
    kind = "lazy"

class LazyAgent(tabular.TabularAgent):
    pass
"""
BROKEN = """
from dataclasses import dataclass, replace
import tabular
from spielwerk.learn.learner import Learner
from spielwerk.learn.kind import LearnerKind

class Half(Learner):
    kind = "half"
    def agent(self): ...
    def weights(self): ...
    def state(self): ...
    def restore(self, arrays): ...

class Ducks:
    kind = "ducks"

@dataclass(frozen=True)
class Endless:
    epsilon: float = 0.1

class Silent(tabular.Tabular):
    kind = "endless"

HALF = replace(tabular.TABULAR, name="half", learner=Half)
DUCKS = replace(tabular.TABULAR, name="ducks", learner=Ducks)
OTHER = tabular.TABULAR
ENDLESS = replace(tabular.TABULAR, name="endless", learner=Silent, settings=Endless)
class Mute(tabular.Tabular):
    kind = "agentless"

AGENTLESS = replace(tabular.TABULAR, name="agentless", learner=Mute, agent=dict)
LOST = replace(tabular.TABULAR, name="lost", agent="no_such_module:Agent", exports={".json": "no_such_module:x"})
LAZY = replace(tabular.TABULAR, name="lazy", learner="heavy_learner:Lazy", agent="heavy_learner:LazyAgent")
LOOSE = replace(tabular.TABULAR, name="loose", settings=dict)
class Dumb(tabular.Tabular):
    kind = "valueless"

VALUELESS = replace(tabular.TABULAR, name="valueless", learner=Dumb, estimator=None)
VAGUE = replace(tabular.TABULAR, name="vague", estimator="no_such_module:estimator")
"""


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What an installation of the example leaves behind, and of a package whose learners lack something."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    points = project["entry-points"]["spielwerk.learners"] | {"gone": "no_such_module:ONE", "wrong": "pathlib:Path"}
    points |= {name: f"broken_learners:{name.upper()}" for name in BROKEN_NAMES}
    folder = tmp_path / "installed"
    about = folder / "spielwerk_own-1.dist-info"
    about.mkdir(parents=True)
    (folder / "broken_learners.py").write_text(BROKEN)
    (folder / "heavy_learner.py").write_text(HEAVY)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: spielwerk-own\nVersion: 1\n")
    lines = [f"{name} = {where}" for name, where in points.items()]
    (about / "entry_points.txt").write_text("\n".join(["[spielwerk.learners]", *lines, ""]))
    for path in (folder, EXAMPLE / "src"):
        monkeypatch.syspath_prepend(path)
    _forget()
    yield
    _forget()


def _forget() -> None:
    registry._added.cache_clear()
    registry._loaded.cache_clear()


def _spielwerk(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code == 0, done.output
    return done.stdout


def test_it_is_a_learner_and_its_agent_an_agent_by_one_entry_point() -> None:
    assert "tabular" in registry.kinds()
    assert "tabular" in agents.kinds()
    assert agents.kind_class("tabular").__name__ == "TabularAgent"
    listed = json.loads(_spielwerk("train", "tabular", "--json"))["settings"]
    assert [one["name"] for one in listed] == ["episodes", "epsilon", "most"]
    assert '"tabular"' in _spielwerk("agents", "--json")


LEARNER, SETTINGS, AGENT = "learner_class", "settings_class", "agent_class"


@pytest.mark.parametrize(
    ("name", "part", "sentence"),
    [
        ("half", LEARNER, 'The learner "half" of broken_learners does not define "learn".'),
        ("ducks", LEARNER, 'The learner "ducks" of broken_learners does not define "use".'),
        ("other", "", 'The learner "other" of tabular calls itself "tabular".'),
        ("endless", SETTINGS, 'The learner "endless" of broken_learners has no setting "episodes", which says how'),
        ("loose", SETTINGS, 'The learner "loose" of broken_learners:LOOSE has a "Settings" that is not a dataclass.'),
        ("agentless", AGENT, 'The learner "agentless" of broken_learners has an agent that is not a subclass of'),
        ("lost", AGENT, 'The learner "lost" of broken_learners:LOST cannot be loaded: ModuleNotFoundError'),
        ("lost", LEARNER, 'The learner "lost" of tabular calls itself "tabular".'),
        ("gone", "", 'The learner "gone" of no_such_module:ONE cannot be loaded: ModuleNotFoundError'),
        ("wrong", "", 'The learner "wrong" of pathlib:Path is not a spielwerk.learn.kind.LearnerKind.'),
        ("tabluar", "", 'There is no learner "tabluar". Did you mean "tabular"?'),
    ],
)
def test_what_lacks_a_part_is_refused_in_one_sentence(name: str, part: str, sentence: str) -> None:
    with pytest.raises(sw.BadInput) as refusal:
        getattr(registry.learner_kind(name), part)
    assert str(refusal.value).startswith(sentence)


def test_a_writer_or_an_estimator_that_is_missing_is_refused_when_it_is_asked_for() -> None:
    lost, vague = registry.learner_kind("lost"), registry.learner_kind("vague")
    assert lost.find_earlier() is None
    with pytest.raises(sw.BadInput, match='The learner "lost" of broken_learners:LOST cannot be loaded: ModuleNotF'):
        lost.export(".json")
    with pytest.raises(sw.BadInput, match='The learner "vague" of broken_learners:VAGUE cannot be loaded: ModuleNotF'):
        vague.find_estimator()


def test_settings_are_listed_without_loading_what_learns_and_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "heavy_learner", raising=False)
    assert '"episodes"' in _spielwerk("train", "lazy", "--json")
    assert registry.settings_of("lazy", {"episodes": "5"}).episodes == 5
    assert "heavy_learner" not in sys.modules
    assert agents.kind_class("lazy").__name__ == "LazyAgent"
    assert "heavy_learner" in sys.modules


def test_a_learner_that_lacks_a_method_is_refused_before_a_run_is_made() -> None:
    done = CliRunner().invoke(app, ["train", "half", NIM, "episodes=5", "--name", "none", *SMALL])
    assert 'The learner "half" of broken_learners does not define "learn".' in str(done.exception)
    assert "none" not in runs.names_of_runs()


def test_a_broken_learner_does_not_disturb_the_others() -> None:
    assert registry.length_names(["td", "evolution", "tabular"]) == "episodes or generations"
    assert registry.settings_of("tabular", {"episodes": "5"}).episodes == 5


def test_it_is_trained_played_with_and_exported_like_the_others(tmp_path: Path) -> None:
    words = ("episodes=400", "--keep", "1", "--seeds", "2", "--name", "one", *SMALL)
    facts = json.loads(_spielwerk("train", "tabular", NIM, *words, "--json"))
    assert (facts["finished"], facts["earlier"]) == (True, {"1": [200], "2": [200]})
    late, early = sw.agent("tabular:one/1", NIM), sw.agent("tabular:one/1,at=200", NIM)
    assert sum(runs.checkpoint("one/1")["visits"]) > len(late.values) > 0  # type: ignore[attr-defined]
    assert late.values != early.values  # type: ignore[attr-defined]
    _spielwerk("runs", "export", "one/1", str(tmp_path / "x.safetensors"))
    assert sw.agent(f"tabular:{tmp_path / 'x.safetensors'}", NIM).values == late.values  # type: ignore[attr-defined]
    assert json.loads(_spielwerk("match", NIM, "tabular:one", "random", "-n", "200", "--json"))["rate"] > 0.6


def test_what_it_has_learned_values_the_leaves_of_searches(tmp_path: Path) -> None:
    _spielwerk("train", "tabular", NIM, "episodes=400", "--seeds", "1", "--name", "one", *SMALL)
    _spielwerk("runs", "export", "one", str(tmp_path / "x.safetensors"))
    game, player = sw.game(NIM), sw.agent("tabular:one", NIM)
    turns = game.start().turns()
    worths = [player.worth(turn.end, 0) for turn in turns]  # type: ignore[attr-defined]
    assert len(set(worths)) > 1
    for name in ("one", "one/1", str(tmp_path / "x.safetensors")):
        values = estimator(game, name).estimate(game.batch([turn.end for turn in turns])).values
        assert values.tolist() == [[worth, -worth] for worth in worths]
        for agent in ("mcts:iterations=20", "expectimax:depth=1", "alphabeta:depth=2"):
            assert sw.agent(f"{agent},value={name}", game).choose(game.start()) in game.start().moves()
    assert sw.agent("expectimax:depth=1,value=one", game).choose(game.start()) == player.choose(game.start())


def test_a_learner_without_an_estimator_values_no_positions() -> None:
    _spielwerk("train", "valueless", NIM, "episodes=20", "--seeds", "1", "--name", "two", *SMALL)
    with pytest.raises(sw.BadInput, match="two was trained by valueless, whose networks do not value positions"):
        estimator(sw.game(NIM), "two")


def test_it_learns_perfect_play_of_a_small_game() -> None:
    game = sw.game(NIM)
    learner = registry.learner_of("tabular", game, registry.settings_of("tabular", {"episodes": 3000}), 1)
    learner.learn(3000)
    assert learner.agent().choose(game.start()) == "2:1"  # the only move that wins


def test_taken_up_again_it_learns_on_as_if_nothing_had_been() -> None:
    game, settings = sw.game(NIM), registry.settings_of("tabular", {"episodes": 100})
    one, part, resumed = (registry.learner_of("tabular", game, settings, 7) for _ in range(3))
    one.learn(100)
    part.learn(40)
    resumed.restore({name: array.copy() for name, array in part.arrays().items()})
    resumed.learn(60)
    assert {name: array.tobytes() for name, array in resumed.arrays().items()} == {
        name: array.tobytes() for name, array in one.arrays().items()
    }
    assert asdict(resumed.settings) == asdict(settings)
    arrays = part.arrays()
    for damage in ({"keys": arrays["keys"][:, 1:]}, {"values": arrays["values"][1:]}):
        with pytest.raises(sw.BadInput, match="does not fit tabular"):
            resumed.restore(arrays | damage)
