"""Schedules: rates on their way through a training, and where its games begin."""

from __future__ import annotations

import re

from spielwerk.names import BadInput

GEOMETRIC = "geometric"


def scheduled(begin: float, end: float, shape: str, share: float) -> float:
    """A rate on its way from `begin` to `end`, after a share of the training; after all of it, it stays."""
    share = min(share, 1.0)
    return begin * (end / begin) ** share if shape == GEOMETRIC and begin > 0 else begin + share * (end - begin)


def random_turns(starts: str) -> int:
    """How many random turns a game begins with at most, by the setting `starts`."""
    return int(starts.partition(":")[2] or 0)


def check_starts(kind: str, starts: str) -> None:
    """Refuses what is no setting `starts`."""
    if not re.fullmatch(r"fixed|random:\d{1,6}", starts):
        raise BadInput(f'{kind}: starts cannot be "{starts}"; possible: fixed, random:N.')
