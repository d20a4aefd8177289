"""What evolution writes for other programs and for people: JSON, ONNX, drawings, the film of a champion's growth."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from spielwerk.learn.evolution.drawing.chapters import chapters
from spielwerk.learn.evolution.drawing.graph import drawing, places_of
from spielwerk.learn.evolution.drawing.growth import MOST_FRAMES, growth
from spielwerk.learn.evolution.drawing.layout import PILL, apart, routes
from spielwerk.learn.evolution.genome.activations import ACTIVATIONS, IDENTITY, activate
from spielwerk.learn.evolution.genome.genome import ACTIVATION, FROM, LAYER, ON, TO, Genome
from spielwerk.learn.evolution.genome.wiring import outputs_of
from spielwerk.learn.evolution.graph_json import read_json, write_json
from spielwerk.learn.evolution.graph_onnx import write_onnx
from spielwerk.names import BadInput

SVG = "{http://www.w3.org/2000/svg}"
ABOUT = {"game": "nim", "seed": "3", "grade": "97.2 % (96 to 98)", "command": 'spielwerk train evolution "nim" ± …'}


def a_genome(
    seed: int, inputs: int = 3, outputs: int = 2, hidden: tuple[int, ...] = (3, 2), size: float = 1.0
) -> Genome:
    """A random network with so many hidden nodes in each layer, and edges that skip layers."""
    rng = np.random.default_rng(seed)
    layers = [0] * inputs + [len(hidden) + 1] * outputs + [layer for layer, n in enumerate(hidden, 1) for _ in range(n)]
    count = len(layers)
    numbers = [*range(inputs + outputs), *(2**52 - 1 - rng.permutation(1000)[: sum(hidden)])]
    kinds = rng.integers(len(ACTIVATIONS), size=count)
    kinds[:inputs] = IDENTITY
    nodes = np.array([numbers, layers, kinds], np.int64).T.copy()
    ends = [(a, b) for a in range(count) for b in range(count) if layers[a] < layers[b] and rng.random() < 0.6]
    edges = np.array([(2**45 + 3 * e, a, b, rng.random() < 0.8) for e, (a, b) in enumerate(ends)], np.int64).reshape(
        -1, 4
    )
    genome = Genome(inputs, outputs, nodes, size * rng.normal(size=count), edges, size * rng.normal(size=len(edges)))
    genome.check()
    return genome


def names_of(genome: Genome) -> tuple[list[str], list[str]]:
    return [f"cell {i + 1}" for i in range(genome.inputs)], [f"take {i + 1}" for i in range(genome.outputs)]


def same(one: Genome, other: Genome) -> bool:
    parts = ("nodes", "biases", "edges", "weights")
    counts = (one.inputs, one.outputs) == (other.inputs, other.outputs)
    return counts and all(getattr(one, part).tobytes() == getattr(other, part).tobytes() for part in parts)


# JSON


@pytest.mark.parametrize("seed", range(20))
def test_a_genome_is_read_back_bit_for_bit(seed: int, tmp_path: Path) -> None:
    genome = a_genome(seed, 1 + seed % 4, 1 + seed % 3, (seed % 5 + 1,) * (seed % 4), 10.0 ** (seed % 7 - 3))
    odd = [-0.0, 5e-324, -999999999.9999999, 0.1]
    genome.biases[:2], genome.weights[:1] = odd[:2], odd[2 + seed % 2]
    write_json(tmp_path / "a.json", genome, *names_of(genome), ABOUT)
    found, about = read_json(tmp_path / "a.json")
    assert same(found, genome)
    assert about == ABOUT


def test_other_programs_can_read_the_json(tmp_path: Path) -> None:
    genome = a_genome(1)
    write_json(tmp_path / "a.json", genome, *names_of(genome), ABOUT)
    facts = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"), parse_int=float)  # as JavaScript does
    assert facts["inputs"] == ["cell 1", "cell 2", "cell 3"]
    assert facts["outputs"] == ["take 1", "take 2"]
    assert [node["kind"] for node in facts["nodes"]] == ["input"] * 3 + ["output"] * 2 + ["hidden"] * 5
    numbers = [node["number"] for node in facts["nodes"]]
    assert [int(number) for number in numbers] == genome.nodes[:, 0].tolist()
    assert [numbers.index(edge["to"]) for edge in facts["edges"]] == genome.edges[:, TO].tolist()
    assert [node["activation"] for node in facts["nodes"]] == [ACTIVATIONS[k] for k in genome.nodes[:, ACTIVATION]]


def _set(*keys: Any, to: Any) -> Callable[[Any], None]:
    def change(facts: Any) -> None:
        for key in keys[:-1]:
            facts = facts[key]
        facts[keys[-1]] = to

    return change


def _remove(*keys: Any) -> Callable[[Any], None]:
    def change(facts: Any) -> None:
        for key in keys[:-1]:
            facts = facts[key]
        del facts[keys[-1]]

    return change


def _turn(facts: Any) -> None:
    edge = facts["edges"][0]
    edge["from"], edge["to"] = edge["to"], edge["from"]


DAMAGES = {
    "another version": _set("format", to="spielwerk genome 2"),
    "is not a Spielwerk genome": _remove("format"),
    '"nodes" must be a list, not missing': _remove("nodes"),
    '"edges" must be a list, not {}': _set("edges", to={}),
    '"edges" holds something': _set("edges", 0, to=[1, 2]),
    '"inputs" holds something other than names': _set("inputs", 0, to=7),
    '"about" must be an object': _set("about", to=None),
    '"about" holds something other than text': _set("about", "seed", to=3),
    'there is no activation "eluu". Did you mean "elu"?': _set("nodes", 4, "activation", to="eluu"),
    '"activation" must be text': _set("nodes", 4, "activation", to=3),
    "which does not exist": _set("edges", 1, "to", to=99),
    "two nodes have the same number": _set("nodes", 1, "number", to=0),
    "two edges have the same number": _set("edges", 1, "number", to=2**45),
    "two edges join the same nodes": lambda facts: facts["edges"].append(facts["edges"][0] | {"number": 2**46}),
    "so there may be a cycle": _turn,
    "all the inputs, then all the outputs": _set("nodes", 0, "kind", to="hidden"),
    '"number" must be a whole number, not 1.5': _set("nodes", 0, "number", to=1.5),
    '"number" must be a whole number, not true': _set("nodes", 1, "number", to=True),
    '"number" must be from 0': _set("nodes", 0, "number", to=-1),
    '"layer" must be from 0': _set("nodes", 0, "layer", to=2**63),
    "a layer has no nodes": lambda facts: [node.update(layer=10**6) for node in facts["nodes"][3:5]],
    '"on" must be true or false, not 1': _set("edges", 0, "on", to=1),
    '"weight" must be a number, not "1"': _set("edges", 0, "weight", to="1"),
    '"weight" must be a number, not true': _set("edges", 0, "weight", to=True),
    '"weight" must be a number, not missing': _remove("edges", 0, "weight"),
    "a number is too large": _set("nodes", 0, "bias", to=10**400),
    "NaN is not a finite number": _set("edges", 0, "weight", to=float("nan")),
    "Infinity is not a finite number": _set("nodes", 0, "bias", to=float("-inf")),
    "lacks inputs or outputs": lambda facts: facts.update(inputs=[], outputs=[], nodes=[], edges=[]),
}


@pytest.mark.parametrize("expected", DAMAGES)
def test_a_bad_genome_is_refused_in_one_sentence(expected: str, tmp_path: Path) -> None:
    path, genome = tmp_path / "bad.json", a_genome(1)
    write_json(path, genome, *names_of(genome), ABOUT)
    facts = json.loads(path.read_text(encoding="utf-8"))
    DAMAGES[expected](facts)
    path.write_text(json.dumps(facts), encoding="utf-8")
    _refused(path, expected)


@pytest.mark.parametrize("text", ["", "[]", "null", "7", "[" * 10**6, '{"format":' * 10**5, "1" * 10**5, "\udcff"])
def test_what_is_no_genome_at_all_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    _refused(path, "not a Spielwerk genome" if text in ("[]", "null", "7") else "not JSON")


def test_a_number_that_overflows_is_refused(tmp_path: Path) -> None:
    path, genome = tmp_path / "bad.json", a_genome(1)
    write_json(path, genome, *names_of(genome), ABOUT)
    path.write_text(re.sub('"weight": [^,]*', '"weight": 1e999', path.read_text(encoding="utf-8")), encoding="utf-8")
    _refused(path, "1e999 is not a finite number")


def test_a_file_cut_short_anywhere_is_refused(tmp_path: Path) -> None:
    path, genome = tmp_path / "bad.json", a_genome(1)
    write_json(path, genome, *names_of(genome), ABOUT)
    whole = path.read_bytes().rstrip()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        _refused(path, "not JSON")


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    _refused(tmp_path / "none.json", "There is no genome")
    _refused(tmp_path, "cannot be read")


def test_a_genome_that_cannot_be_written_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path, genome = tmp_path / "a.json", a_genome(1)
    write_json(path, genome, *names_of(genome), ABOUT)
    before = path.read_bytes()
    genome.weights[0] = np.nan
    with pytest.raises(ValueError, match=r"not JSON compliant|Out of range"):
        write_json(path, genome, *names_of(genome), ABOUT)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def _refused(path: Path, expected: str) -> None:
    with pytest.raises(BadInput) as found:
        read_json(path)
    message = str(found.value)
    assert expected in message
    assert str(path) in message
    assert "\n" not in message
    assert len(message) < 400


# ONNX


def plainly(genome: Genome, row: list[float]) -> list[float]:
    """The outputs by the definition, node by node."""
    values = row + [0.0] * (len(genome.nodes) - genome.inputs)
    later = range(genome.inputs, len(genome.nodes))
    edges = list(zip(genome.edges.tolist(), genome.weights.tolist(), strict=True))
    for node in sorted(later, key=lambda node: genome.nodes[node, LAYER]):
        total = sum(weight * values[edge[FROM]] for edge, weight in edges if edge[ON] and edge[TO] == node)
        values[node] = activate(int(genome.nodes[node, ACTIVATION]), float(genome.biases[node]) + total)
    return values[genome.inputs : genome.inputs + genome.outputs]


def ran(path: Path, rows: np.ndarray) -> np.ndarray:
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    found: Any = ReferenceEvaluator(model).run(None, {"inputs": rows})
    assert found[0].dtype == np.float64
    return found[0]


@pytest.mark.parametrize("seed", range(25))
def test_an_onnx_model_computes_what_the_genome_computes(seed: int, tmp_path: Path) -> None:
    genome = a_genome(seed, 1 + seed % 5, 1 + seed % 4, (4, 1, 3)[: seed % 4], 10.0 ** (seed % 3 - 1))
    rows = np.random.default_rng(seed).normal(size=(6, genome.inputs))
    write_onnx(tmp_path / "a.onnx", genome, *names_of(genome), ABOUT)
    expected = np.array([plainly(genome, row) for row in rows.tolist()])
    np.testing.assert_allclose(ran(tmp_path / "a.onnx", rows), expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(outputs_of(genome, rows), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_every_activation_is_the_same_in_onnx_near_and_far(name: str, tmp_path: Path) -> None:
    nodes = np.array([(0, 0, IDENTITY), (1, 1, ACTIVATIONS.index(name))], np.int64)
    genome = Genome(1, 1, nodes, np.zeros(2), np.array([(0, 0, 1, 1)], np.int64), np.ones(1))
    sums = np.array([0, 1e-9, 0.3, 1, 2, 20, 699, 701, 4e4, 1e6, 1e9, 1e12, 1e300])
    rows = np.concatenate([sums, -sums]).reshape(-1, 1)
    write_onnx(tmp_path / "a.onnx", genome, ["in"], ["out"], {})
    expected = np.array([plainly(genome, row) for row in rows.tolist()])
    np.testing.assert_allclose(ran(tmp_path / "a.onnx", rows), expected, rtol=1e-12, atol=1e-15)


def test_nodes_that_nothing_reaches_have_their_bias_in_onnx(tmp_path: Path) -> None:
    genome = a_genome(4)
    genome.edges[:, ON] = 0
    rows = np.ones((3, genome.inputs))
    write_onnx(tmp_path / "a.onnx", genome, *names_of(genome), ABOUT)
    outputs = range(genome.inputs, genome.inputs + genome.outputs)
    alone = [activate(int(genome.nodes[node, ACTIVATION]), float(genome.biases[node])) for node in outputs]
    np.testing.assert_allclose(ran(tmp_path / "a.onnx", rows), [alone] * 3, rtol=1e-12)


def test_an_onnx_file_says_what_it_is_in_the_same_bytes(tmp_path: Path) -> None:
    genome = a_genome(2)
    for name, about in (("a", ABOUT), ("b", dict(reversed(ABOUT.items())))):
        write_onnx(tmp_path / f"{name}.onnx", genome, *names_of(genome), about)
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()
    model = onnx.load(tmp_path / "a.onnx")
    said = {entry.key: entry.value for entry in model.metadata_props}
    assert ABOUT.items() <= said.items()
    assert json.loads(said["input_names"]) == ["cell 1", "cell 2", "cell 3"]
    assert json.loads(said["output_names"]) == ["take 1", "take 2"]
    shape = model.graph.input[0].type.tensor_type.shape.dim
    assert (shape[0].dim_param, shape[1].dim_value) == ("batch", 3)


def test_without_onnx_a_sentence_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(BadInput, match=r"pip install 'spielwerk\[onnx\]'"):
        write_onnx(tmp_path / "a.onnx", a_genome(1), ["a"], ["b"], {})


# Drawings

SHAPES = [(1, 9, ()), (1, 9, (1, 2, 1)), (4, 1, (3, 2, 3)), (100, 1, (4, 3)), (30, 5, (10, 8, 7)), (3, 2, (1,) * 20)]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_drawing_shows_every_node_edge_and_name(shape: tuple[int, int, tuple[int, ...]]) -> None:
    genome = a_genome(3, *shape)
    inputs, outputs = names_of(genome)
    root = fromstring(drawing(genome, inputs, outputs, "a title", "a subtitle"))
    words = {element.text for element in root.iter(f"{SVG}text")}
    assert {*inputs, *outputs, "a title", "a subtitle"} <= words
    graph = next(element for element in root.iter(f"{SVG}g") if len(element) > 3)
    assert len(graph.findall(f"{SVG}path")) == len(genome.edges)
    assert len(graph.findall(f"{SVG}circle")) == genome.inputs
    assert len(graph.findall(f"{SVG}g/{SVG}rect")) == genome.outputs + genome.hidden


def test_edges_are_coloured_by_sign_as_wide_as_their_weight_and_dashed_when_off() -> None:
    genome = a_genome(3)
    root = fromstring(drawing(genome, *names_of(genome)))
    graph = next(element for element in root.iter(f"{SVG}g") if len(element) > 3)
    ordered = np.lexsort((np.abs(genome.weights), genome.edges[:, ON])).tolist()  # off below, strong above
    looks = [(path.get("class"), float(path.get("stroke-width", ""))) for path in graph.findall(f"{SVG}path")]
    on = [look for look, edge in zip(looks, ordered, strict=True) if genome.edges[edge, ON]]
    signs = ["plus" if genome.weights[edge] >= 0 else "minus" for edge in ordered]
    dashes = [" off" * (1 - int(genome.edges[edge, ON])) for edge in ordered]
    assert [look for look, _ in looks] == [sign + dash for sign, dash in zip(signs, dashes, strict=True)]
    sizes = np.abs(genome.weights[[edge for edge in ordered if genome.edges[edge, ON]]])
    widths = np.array([width for _, width in on])
    line = np.interp(sizes, [sizes[0], sizes[-1]], [widths[0], widths[-1]])
    assert widths == pytest.approx(line, abs=0.02)  # what the file rounds
    assert widths[-1] > 3 * widths[0]


def test_names_are_written_so_that_no_sign_breaks_the_file() -> None:
    genome = a_genome(3, 1, 1)
    text = drawing(genome, ['<a & "b">\x00'], ["\ud800" * 100], "<&>", "\x1b[0m ]]>")
    words = [element.text for element in fromstring(text).iter(f"{SVG}text")]
    assert '<a & "b">\\x00' in words
    assert "<&>" in words


@pytest.mark.parametrize("shape", [*SHAPES, (300, 2, (60,)), (2, 40, (30, 30))])
def test_nodes_do_not_overlap_and_no_edge_runs_through_one(shape: tuple[int, int, tuple[int, ...]]) -> None:
    genome = a_genome(5, *shape)
    at = places_of(genome)
    half = np.array([size if node < genome.inputs else size * PILL[1] / 2 for node, size in enumerate(at.sizes)])
    for column in range(genome.layers):
        nodes = np.flatnonzero(at.columns == column)
        nodes = nodes[np.argsort(np.array(at.y)[nodes])]
        gaps = np.diff(np.array(at.y)[nodes])
        assert (gaps > (half[nodes[1:]] + half[nodes[:-1]])).all()
    assert min(at.y) >= 0
    assert max(at.y) <= at.height
    paths = routes(at, genome.edges[:, [FROM, TO]])
    for (_, origin, target, _), path in list(zip(genome.edges.tolist(), paths, strict=True))[::7]:
        points = np.array(list(_points(path)))
        assert points[0] == pytest.approx((at.x[origin] + at.half(origin), at.y[origin]), abs=0.1)
        assert points[-1] == pytest.approx((at.x[target] - at.half(target), at.y[target]), abs=0.1)
        for node in set(range(len(genome.nodes))) - {origin, target}:
            beside = abs(points[:, 0] - at.x[node]) > at.half(node) + 0.1
            above = abs(points[:, 1] - at.y[node]) > half[node] + 0.1
            assert (beside | above).all(), (origin, target, node)


def _points(path: str) -> Iterator[tuple[float, float]]:
    """Points along a path of lines, level lines and cubic curves."""
    here = np.zeros(2)
    for letter, rest in re.findall("([MLHC])([^MLHC]*)", path):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", rest)]
        ends = [here, *np.array([numbers[0], here[1]] if letter == "H" else numbers).reshape(-1, 2)]
        controls = [ends[0], ends[0], ends[1], ends[1]] if len(ends) == 2 else ends
        for t in np.linspace(0, 1, 40) if letter != "M" else (1.0,):
            weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
            x, y = (np.array(weights) @ np.array(controls)).tolist()
            yield x, y
        here = ends[-1]


def test_apart_moves_as_little_as_possible() -> None:
    assert apart([5, 20, 40], 10, 0, 50).tolist() == [5, 20, 40]
    assert apart([20, 20], 10, 0, 50).tolist() == [15, 25]
    assert apart([20, 20, 45, 0], 10, 5, 40).tolist() == pytest.approx([15, 25, 40, 5])
    assert apart([49, 49, 49], 30, 0, 50).tolist() == [0, 25, 50]


# Growth


def a_run(seed: int, count: int) -> list[tuple[int, Genome]]:
    """Champions that grow or stay as they are; one edge of each is off."""
    rng = np.random.default_rng(seed)
    full = a_genome(seed, 4, 2, (3, 3, 2))
    last = len(full.nodes)
    found = []
    for generation in range(count):
        nodes = 6 + (last - 6) * generation // max(count - 1, 1)
        kept = (full.edges[:, [FROM, TO]] < nodes).all(axis=1)
        part = Genome(4, 2, full.nodes[:nodes].copy(), full.biases[:nodes], full.edges[kept].copy(), full.weights[kept])
        _, part.nodes[:, LAYER] = np.unique(part.nodes[:, LAYER], return_inverse=True)
        part.edges[rng.integers(len(part.edges)), ON] = 0
        part.check()
        found.append((3 * generation, found[-1][1] if found and rng.random() < 0.3 else part))
    return found


def _changed(champions: list[tuple[int, Genome]]) -> list[tuple[int, Genome]]:
    return champions[:1] + [now for before, now in pairwise(champions) if not same(now[1], before[1])]


def _at(element: Element, attribute: str, time: float) -> str | None:
    """The value of an attribute at a share of the time, as a viewer computes it; below 0, for one without animation."""
    value = element.get(attribute)
    for animate in element.findall(f"{SVG}animate"):
        if animate.get("attributeName") == attribute and time >= 0:
            times = [float(share) for share in animate.get("keyTimes", "").split(";")]
            values = animate.get("values", "").split(";")
            assert len(times) == len(values)
            assert times == sorted(times)
            assert times[0] == 0
            assert times[-1] <= 1
            if animate.get("calcMode") != "discrete":
                assert times[-1] == 1
                return str(np.interp(time, times, [float(number) for number in values]))
            value = values[int(np.searchsorted(times, time, side="right")) - 1]
    return value


def _chapters(graph: Element) -> list[Element]:
    """The groups that fade into each other."""
    return [group for group in graph.findall(f"{SVG}g") if group.find(f"{SVG}path") is not None]


def _shown(graph: Element, time: float) -> tuple[int, int, int, list[str]]:
    """How many edges are on, how many are off, how many nodes beside inputs there are, and what is said."""
    (chapter,) = (group for group in _chapters(graph) if float(_at(group, "opacity", time) or 1) == 1)
    elements = [*chapter, *(element for element in graph if element not in _chapters(graph))]
    seen = [element for element in elements if _at(element, "visibility", time) != "hidden"]
    paths = [
        (element.get("class") or "", _at(element, "stroke-width", time))
        for element in seen
        if element.tag == f"{SVG}path"
    ]
    on = sum(float(width or 0) > 0 and look in ("plus", "minus") for look, width in paths)
    off = sum(look.endswith(" off") for look, _ in paths)
    groups = [element for element in seen if element.tag == f"{SVG}g"]
    said = [
        text.text or "" for group in groups for text in group.findall(f"{SVG}text") if group.find(f"{SVG}rect") is None
    ]
    return on, off, sum(group.find(f"{SVG}rect") is not None for group in groups), said


@pytest.mark.parametrize("seed", range(4))
def test_each_frame_shows_its_champion_and_without_animation_the_last_one(seed: int) -> None:
    champions = a_run(seed, 20)
    frames = _changed(champions)
    text = growth(champions, *names_of(champions[0][1]), "a run")
    graph = next(element for element in fromstring(text).iter(f"{SVG}g") if len(element) > 3)
    seconds = float(re.findall(r'dur="([\d.]+)s"', text)[0])
    each = (seconds - 3.5) / (len(frames) - 1)
    for frame, (generation, genome) in enumerate(frames):
        time = (frame + 0.9) * each / seconds  # when its changes are over
        _is_shown(_shown(graph, time), genome, f"generation {generation} of {champions[-1][0]}")
    _is_shown(_shown(graph, -1), frames[-1][1], f"generation {frames[-1][0]} of")
    _is_shown(_shown(graph, 1), frames[-1][1], f"generation {frames[-1][0]} of")


def _is_shown(shown: tuple[int, int, int, list[str]], genome: Genome, said: str) -> None:
    on, off, nodes, words = shown
    assert on == genome.edges[:, ON].sum()
    assert off == len(genome.edges) - on
    assert nodes == genome.outputs + genome.hidden
    assert len(words) == 2
    assert words[0].startswith(said)
    assert words[1].startswith(f"{genome.hidden} hidden node")


def test_each_frame_says_what_is_known_about_its_generation() -> None:
    champions = a_run(1, 8)
    frames = _changed(champions)
    notes = {frames[1][0]: "25 % right", frames[-1][0]: "all <right>", 1000: "never"}
    text = growth(champions, *names_of(champions[0][1]), "a run", notes)
    graph = next(element for element in fromstring(text).iter(f"{SVG}g") if len(element) > 3)
    said = [[one.text or "" for one in group.findall(f"{SVG}text")] for group in graph.findall(f"{SVG}g")]
    words = {int(re.findall(r"\d+", lines[0])[0]): lines[1] for lines in said if len(lines) == 2}
    assert {number: line.partition("; ")[2] for number, line in words.items()} == {
        number: notes.get(number, "") for number, _ in frames
    }


def test_no_frame_leaves_more_than_one_column_empty() -> None:
    """Champions that take turns at being deep and flat, and whose nodes are never the same."""
    genomes = [a_genome(seed, 2, 2, (1,) * (seed * 7 % 9)) for seed in range(20)]
    found = chapters(genomes)
    assert np.sum([part.shown for part in found], axis=0).tolist() == [1] * 20
    for part in found:
        for genome in (genomes[frame] for frame in np.flatnonzero(part.shown)):
            assert part.at.columns.max() <= genome.layers
        ends = slice(0, 4)
        assert part.at.x[ends] == pytest.approx(found[0].at.x[ends])
        assert part.at.y[ends] == pytest.approx(found[0].at.y[ends])


def test_pictures_fit_into_a_narrow_window_and_have_a_size_of_their_own() -> None:
    genome = a_genome(1)
    for text in (drawing(genome, *names_of(genome)), growth([(0, genome)], *names_of(genome), "a run")):
        root = fromstring(text)
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
        assert root.get("style") == "max-width:100%;height:auto"
    deep = a_genome(1, 3, 2, (1,) * 10)
    assert float(fromstring(drawing(deep, *names_of(deep))).get("width", "")) < 1200


def test_a_long_run_has_at_most_sixty_frames_with_the_first_and_the_last() -> None:
    champions = [(number, a_genome(number)) for number in range(250)]
    text = growth(champions, *names_of(champions[0][1]), "a run")
    numbers = [int(number) for number in re.findall("generation ([0-9]+) of 249", text)]
    assert len(numbers) == MOST_FRAMES
    assert (numbers[0], numbers[-1]) == (0, 249)
    assert set(np.diff(numbers)) <= {4, 5}


def test_a_champion_that_stays_makes_no_new_frame() -> None:
    genome = a_genome(1)
    text = growth([(number, genome) for number in range(30)], *names_of(genome), "a run")
    assert re.findall("generation ([0-9]+) of", text) == ["0"]
    assert "the champion until 29" in text
    assert "<animate" not in text


def test_a_film_is_one_small_file_without_scripts_or_links() -> None:
    champions = a_run(1, 200)
    text = growth(champions, *names_of(champions[0][1]), "a <run>")
    assert len(text) < 400_000
    assert "<script" not in text
    assert "href" not in text
    assert text == growth(champions, *names_of(champions[0][1]), "a <run>")
