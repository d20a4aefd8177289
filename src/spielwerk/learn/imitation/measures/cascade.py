"""The cascade at play: each network is told what those before it have said."""

from __future__ import annotations

import torch
from torch import Tensor

from spielwerk.learn.imitation.networks.network import ImitationNetwork
from spielwerk.learn.imitation.tensors import rows_of


def decided(network: ImitationNetwork, bits: Tensor) -> tuple[Tensor, list[Tensor]]:
    """The most likely values, int64 [n, slots], each after those before it; and the logits of each slot."""
    slots = network.slots
    values = torch.zeros(len(bits), len(slots.sizes), dtype=torch.int64, device=bits.device)
    found: list[Tensor] = []
    for slot in range(len(slots.sizes)):
        said = network(_rows(bits, values, slot, network), None if network.shared else (slot,))
        found.append((said[slot] if network.shared else said[0]).float())
        values[:, slot] = found[-1].argmax(1)
    return values, found


def _rows(bits: Tensor, values: Tensor, decided_slots: int, network: ImitationNetwork) -> Tensor:
    """The inputs; slots that are not decided yet are all 0."""
    slots = network.slots
    rows = rows_of(bits, values, slots)
    if slots.seen:
        rows[:, network.bits + slots.before(decided_slots) :] = 0
    return rows
