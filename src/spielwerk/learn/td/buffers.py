"""The pieces of learning that settings choose: at once, with traces, or by replay; and the buffer's arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from spielwerk.learn.td import choice, replay, traces
from spielwerk.learn.td.network import GIGABYTE
from spielwerk.learn.td.settings import Settings
from spielwerk.names import BadInput

COHERENCES = ("none", "linear", "exponential")
PUSHERS = {"all": replay.keep_all, "decisive": replay.keep_decisive}
SELECTORS = {
    "uniform": {"select": replay.select_any, "judged": replay.judge_nothing},
    "prioritised": {"select": replay.select_by_priority, "judged": replay.judge_by_error},
}


def pieces(settings: Settings) -> dict[str, Any]:
    """What the episodes' kernel is bound to."""
    bound: dict[str, Any] = {
        **choice.BINDINGS,
        "COHERENCE": COHERENCES.index(settings.coherence),
        "REPLACING": settings.traces == "replacing" and settings.lam > 0,
    }
    learning = replay if settings.buffer else traces
    bound |= {"experience": learning.experience, "episode_ends": learning.episode_ends}
    if settings.buffer:
        bound |= {"keep": PUSHERS[settings.pusher], "put": replay.put_over_oldest, **SELECTORS[settings.selector]}
        bound["EACH_TRANSITION"] = settings.replay_every == "transition"
    return bound


def buffer(settings: Settings, places: int) -> dict[str, np.ndarray]:
    """The arrays of an empty buffer, named as in `replay.Memory`; none without replay."""
    if not settings.buffer:
        return {}
    try:
        return _empty(settings, places)
    except MemoryError:
        size = settings.buffer * 2 * places * 8 / GIGABYTE  # of its indices, next to which the rest is little
        raise BadInput(
            f"td: a buffer of {settings.buffer:,} transitions takes {size:,.1f} GB of memory, more than is available."
        ) from None


def _empty(settings: Settings, places: int) -> dict[str, np.ndarray]:
    capacity, leaves = settings.buffer, 1 << max(settings.buffer - 1, 1).bit_length()
    return {
        "numbers": np.array([0, 0, capacity, leaves], np.int64),
        "shares": np.array([settings.priority, settings.correction]),
        "before": np.zeros((capacity, places), np.int64),
        "after": np.zeros((capacity, places), np.int64),
        "facts": np.zeros((capacity, 2)),
        "tree": np.zeros(2 * leaves),
        "picked": np.zeros(settings.batch, np.int64),
        "worth": np.zeros(settings.batch),
    }
