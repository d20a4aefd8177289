"""A trained network as an ONNX file, which plays without torch.

Its outputs are `policy` (logits of the actions) or `score` (of the position as the end of a turn), then `value` or
`chances`. It is written from the arrays of a checkpoint, by the names that torch gives them, and needs no torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from spielwerk.files import whole
from spielwerk.games.game import Game
from spielwerk.learn.alphazero.networks.form import AFTERSTATES, form_of
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.neural.inputs import OBSERVE
from spielwerk.learn.onnx.model import CHANCES, POLICY, SCORE
from spielwerk.learn.onnx.network_writer import NetworkWriter, not_a_network, read_settings

KIND = "alphazero"


def outputs_of(policy: str, value: str) -> str:
    """What a checkpoint and a file say of their outputs; `value` is the output of the head."""
    return f"{SCORE if policy == AFTERSTATES else POLICY} {value}"


def export(game: Game, kept: Checkpoint, path: Path, about: Mapping[str, str], half: bool = False) -> None:
    """Writes a file to play with; its metadata are those of the checkpoint, and `about`."""
    with whole(path) as part:
        part.write_bytes(model(game, kept, about, half))


def model(game: Game, kept: Checkpoint, about: Mapping[str, str], half: bool = False) -> bytes:
    """The network of a checkpoint, perhaps with weights in half precision; BadInput where that has none."""
    inputs, (policy, value), settings = read_settings(kept, KIND, ("net", "blocks"))
    if not isinstance(settings["blocks"], int):
        raise not_a_network(kept, KIND)
    form = form_of(game, "" if inputs == OBSERVE else inputs, str(settings["net"]))
    writer = _Writer(kept, form, half, KIND)
    said = writer.tower(settings["blocks"])
    scored = policy == SCORE
    policies, values = writer.head(said, "policy", "" if scored else policy), writer.head(said, "value")
    if scored:
        writer.add_worth(policies.made, values, value)
    sizes = {policy: policies.size, value: values.size}
    return writer.model(game, inputs, sizes, values.made, about)


class _Made(NamedTuple):
    """What a head makes, and how many numbers that is."""

    made: str
    size: int


class _Writer(NetworkWriter):
    """Writes the heads too."""

    def head(self, said: str, name: str, output: str = "") -> _Made:
        """A head; `output` is what its numbers are called if they are used as they are."""
        size = self.filters
        if self.form.points:
            weights, bias = self.layer(f"{name}.planes", size, *(1 for _ in self.form.shape[1:]))
            size = self.width(f"{name}.planes") * self.form.points
            said = self.shaped(self.bent(self.graph.step("Conv", said, weights, bias)), size)
        if f"{name}.hidden.bias" in self.kept:
            said = self.bent(self.linear(said, f"{name}.hidden", size))
            size = self.width(f"{name}.hidden")
        return _Made(self.linear(said, f"{name}.last", size, output), self.width(f"{name}.last"))

    def add_worth(self, score: str, value: _Made, kind: str) -> None:
        """The score of an end of a turn: what the policy says, and what the value adds to it."""
        squashed = self.graph.step("Sigmoid" if kind == CHANCES else "Tanh", value.made)
        self.graph.step("Add", score, self.linear(squashed, "worth", value.size), name=SCORE)
