"""A trained network as an ONNX file, which plays without torch.

Its outputs are `policy` (logits of the actions, divided by the temperature if one was learned), then `value` or
`chances`. It is written from the arrays of a checkpoint, by the names that torch gives them, and needs no torch.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from spielwerk.files import whole
from spielwerk.games.game import Game
from spielwerk.learn.actor_critic.networks.places import Places, own_order, places_of, removal_actions
from spielwerk.learn.actor_critic.networks.shape import (
    KIND,
    MLP,
    OWN,
    Shape,
    form_of,
    hidden_places,
    input_layers,
    removal_place,
)
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.neural.inputs import OBSERVE
from spielwerk.learn.onnx.model import POLICY
from spielwerk.learn.onnx.network_writer import NetworkWriter, not_a_network, read_settings
from spielwerk.learn.onnx.writing import INPUT


def outputs_of(value: str) -> str:
    """What a checkpoint and a file say of their outputs; `value` is the output of the head."""
    return f"{POLICY} {value}"


def export(game: Game, kept: Checkpoint, path: Path, about: Mapping[str, str], half: bool = False) -> None:
    """Writes a file to play with; its metadata are those of the checkpoint, and `about`."""
    with whole(path) as part:
        part.write_bytes(model(game, kept, about, half))


def model(game: Game, kept: Checkpoint, about: Mapping[str, str], half: bool = False) -> bytes:
    """The network of a checkpoint, perhaps with weights in half precision; BadInput where that has none."""
    named, value, shape = _read(kept)
    writer = _Writer(game, kept, "" if named == OBSERVE else named, shape, half)
    said = writer.body()
    writer.policy(said)
    last = writer.value(said)
    sizes = {POLICY: game.constants["ACTIONS"], value: writer.width("value.last")}
    return writer.model(game, named, sizes, last, about)


def _read(kept: Checkpoint) -> tuple[str, str, Shape]:
    """The inputs, the output of the value, and the shape."""
    fields = {field.name: field for field in dataclasses.fields(Shape)}
    inputs, (policy, value), settings = read_settings(kept, KIND, fields)
    if policy != POLICY or any(type(given) is not type(fields[name].default) for name, given in settings.items()):
        raise not_a_network(kept, KIND)
    return inputs, value, Shape(**settings)


class _Writer(NetworkWriter):
    """Writes the parts of a network."""

    def __init__(self, game: Game, kept: Checkpoint, inputs: str, shape: Shape, half: bool) -> None:
        super().__init__(kept, form_of(game, inputs, shape), half, KIND)
        self.game, self.inputs, self.shape = game, inputs, shape
        self.place = removal_place(game, inputs, shape)

    def body(self) -> str:
        """What the body says: [n, size], or [n, filters, points]."""
        given = self._visible()
        if self.shape.net == MLP:
            return self._mlp(given)
        return self.shaped(self.tower(self.shape.blocks, given, "body.tower"), self.filters, self.form.points)

    def _visible(self) -> str:
        """The inputs, some of them perhaps hidden."""
        hidden = hidden_places(self.game, self.inputs, self.shape)
        if not hidden:
            return INPUT
        mask = np.ones(self.form.shape).reshape(-1)
        mask[list(hidden)] = 0
        return self.graph.step("Mul", INPUT, self.graph.constant(mask))

    def _mlp(self, given: str) -> str:
        """Input layers, each of the next inputs; then hidden ones."""
        layers, (size,), begin = input_layers(self.game, self.inputs, self.shape), self.form.shape, 0
        if not layers:
            return given
        parts: list[str] = []
        for name, (numbers, _) in layers.items():
            part = self._picked(given, np.arange(begin, begin + numbers)) if numbers < size else given
            parts.append(self.linear(part, f"body.first.{name}", numbers))
            begin += numbers
        said = self.bent(self.graph.step("Concat", *parts, axis=1) if len(parts) > 1 else parts[0])
        width = sum(self.width(f"body.first.{name}") for name in layers)
        for number in range(len(self.shape.widths)):
            said = self.bent(self.linear(said, f"body.hidden.{number}", width))
            width = self.width(f"body.hidden.{number}")
        return said

    def policy(self, said: str) -> None:
        """The output of the policy."""
        places = places_of(self.game, self.form) if self.form.points else None
        logits = self._by_points(said, places) if places else self._flat(said)
        if self.shape.temperature:
            self.graph.step("Div", logits, self._temperature(), name=POLICY)
        else:
            self.graph.step("Identity", logits, name=POLICY)

    def _temperature(self) -> str:
        found = self.array("log_temperature")
        if found.shape or found.dtype != np.float32:
            raise self.wrong_size("log_temperature")
        return self.graph.constant(np.exp(found))

    def _flat(self, said: str) -> str:
        """One layer, or another where a man has to be taken."""
        actions = self.game.constants["ACTIONS"]
        size = self.filters * self.form.points if self.form.points else self._size()
        said = self.shaped(said, size) if self.form.points else said
        logits = self._sized(said, "policy.all", size, actions)
        if self.shape.removals != OWN:
            return logits
        removals = removal_actions(self.game)
        own = self._sized(said, "policy.removal", size, len(removals))
        both = self.graph.step("Concat", logits, own, axis=1)
        return self._where_removing(self._picked(both, own_order(actions, removals)), logits)

    def _sized(self, said: str, name: str, size: int, made: int) -> str:
        """A layer that must make so many numbers."""
        if self.width(name) != made:
            raise self.wrong_size(name)
        return self.linear(said, name, size)

    def _by_points(self, said: str, places: Places) -> str:
        """Scores of pairs of points, of points and of nothing, in the order of the actions."""
        scores: list[str] = []
        if places.pairs:
            source = self.graph.step("Transpose", self._mapped(said, "source"), perm=[0, 2, 1])
            pairs = self.shaped(self.graph.step("MatMul", source, self._mapped(said, "target")), self.form.points**2)
            scores.append(self.graph.step("Div", pairs, self.graph.constant(self.filters**0.5)))
        if places.single:
            point = self._single(said, "point")
            own = self.shape.removals == OWN
            scores.append(self._where_removing(self._single(said, "removal"), point) if own else point)
        if places.nowhere:
            mean = self.graph.step("ReduceMean", said, axes=[2], keepdims=0)
            scores.append(self._sized(mean, "policy.nowhere", self.filters, places.nowhere))
        logits = self.graph.step("Concat", *scores, axis=1)
        return logits if places.order is None else self._picked(logits, places.order)

    def _mapped(self, said: str, name: str) -> str:
        """A linear map at each point."""
        return self.graph.step("Conv", said, *self.layer(f"policy.{name}", self.filters, 1))

    def _single(self, said: str, name: str) -> str:
        """The same to one number: [n, points]."""
        if self.width(f"policy.{name}") != 1:
            raise self.wrong_size(f"policy.{name}")
        return self.shaped(self._mapped(said, name), self.form.points)

    def _where_removing(self, there: str, elsewhere: str) -> str:
        """One where a man has to be taken, the other elsewhere."""
        flag = self._picked(INPUT, np.array([self.place]))
        return self.graph.step("Where", self.graph.step("Greater", flag, self.graph.constant(0.5)), there, elsewhere)

    def _picked(self, values: str, places: np.ndarray) -> str:
        """Some columns, in this order."""
        return self.graph.step("Gather", values, self.graph.constant(places, np.int64), axis=1)

    def value(self, said: str) -> str:
        """What the last layer of the value says."""
        if self.form.points:
            pooled = (self.graph.step(f"Reduce{how}", said, axes=[2], keepdims=0) for how in ("Mean", "Max"))
            said, size = self.graph.step("Concat", *pooled, axis=1), 2 * self.filters
        else:
            size = self._size()
        hidden = self.bent(self.linear(said, "value.hidden", size))
        return self.linear(hidden, "value.last", self.width("value.hidden"))

    def _size(self) -> int:
        """How many numbers the body of net=mlp says."""
        layers = len(self.shape.widths)
        return self.width(f"body.hidden.{layers - 1}") if layers else self.form.shape[0]
