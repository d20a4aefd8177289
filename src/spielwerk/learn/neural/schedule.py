"""Schedules: rates on their way through a training, and where its games begin."""

from __future__ import annotations

import re

from spielwerk.names import BadInput

GEOMETRIC = "geometric"
STARTS_HELP = "fixed: the game's start; random:N: positions after up to N random turns; random:M-N: after M to N"


def scheduled(begin: float, end: float, shape: str, share: float) -> float:
    """A rate on its way from `begin` to `end`, after a share of the training; after all of it, it stays."""
    share = min(share, 1.0)
    return begin * (end / begin) ** share if shape == GEOMETRIC and begin > 0 else begin + share * (end - begin)


def random_turns(starts: str) -> tuple[int, int]:
    """How many random turns a game begins with, at least and at most, by the setting `starts`."""
    fewest, _, most = starts.partition(":")[2].rpartition("-")
    return int(fewest or 0), int(most or 0)


def check_starts(kind: str, starts: str) -> None:
    """Refuses what is no setting `starts`."""
    written = re.fullmatch(r"fixed|random:(\d{1,6}-)?\d{1,6}", starts)
    fewest, most = random_turns(starts) if written else (0, -1)
    if fewest > most:
        raise BadInput(f'{kind}: starts cannot be "{starts}"; possible: fixed, random:N, random:M-N.')
