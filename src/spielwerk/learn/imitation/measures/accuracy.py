"""Accuracy: how often each network says what was observed, when the true parts before it are given."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import torch

from spielwerk.learn.imitation import losses
from spielwerk.learn.imitation.networks.network import ImitationNetwork
from spielwerk.learn.imitation.tensors import Moves, rows_of
from spielwerk.learn.kind import CPU, CUDA

PIECE = {CPU: 1 << 13, CUDA: 1 << 17}  # moves that are looked at together
SMALL = 1 << 8  # the same of networks with thousands of outputs
MANY = 1000  # outputs


class Accuracy(NamedTuple):
    """Of each slot, in their order."""

    right: list[float]  # shares
    lost: list[float]  # negative log-likelihoods


def accuracy(
    network: ImitationNetwork, given: Moves, autocast: AbstractContextManager[object] | None = None
) -> Accuracy:
    """Where the moves lie, by the network as it is."""
    slots, device = network.slots, given.bits.device
    right, lost = torch.zeros(len(slots.names), device=device), torch.zeros(len(slots.names), device=device)
    with torch.no_grad(), autocast or nullcontext():
        for part in pieces(given, piece_of(network, device)):
            for slot, said in enumerate(network(rows_of(part.bits, part.values, slots))):
                right[slot] += (said.argmax(1) == part.values[:, slot]).sum()
                lost[slot] += losses.surprise(said, part.values[:, slot]) * len(part)
    return Accuracy((right / len(given)).tolist(), (lost / len(given)).tolist())


def pieces(given: Moves, size: int) -> list[Moves]:
    """Some moves at a time."""
    return [Moves(*(column[i : i + size] for column in given)) for i in range(0, len(given), size)]


def piece_of(network: ImitationNetwork, device: torch.device) -> int:
    """How many moves a network looks at together."""
    size = PIECE[device.type]
    return size if max(network.slots.sizes) < MANY else max(SMALL, size // 64)
