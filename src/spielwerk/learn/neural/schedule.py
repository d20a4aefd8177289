"""Schedules: rates on their way through a training, and where its games begin."""

from __future__ import annotations

import re

from spielwerk.names import BadInput

GEOMETRIC = "geometric"
STARTS_HELP = (
    "fixed: the game's start; random:N: positions after up to N random turns; random:M-N: after M to N; "
    "such spans may be joined by +, at most ten, each of which is as likely"
)
MOST_SPANS = 10  # of random turns, joined by +


def scheduled(begin: float, end: float, shape: str, share: float) -> float:
    """A rate on its way from `begin` to `end`, after a share of the training; after all of it, it stays."""
    share = min(share, 1.0)
    return begin * (end / begin) ** share if shape == GEOMETRIC and begin > 0 else begin + share * (end - begin)


def random_turns(starts: str) -> tuple[int, ...]:
    """How many random turns a game begins with by the setting `starts`: at least, at most, for each of its spans."""
    found: list[int] = []
    for span in starts.partition(":")[2].split("+"):
        fewest, _, most = span.rpartition("-")
        found += int(fewest or 0), int(most or 0)
    return tuple(found)


def check_starts(kind: str, starts: str) -> None:
    """Refuses what is no setting `starts`."""
    span = r"(\d{1,6}-)?\d{1,6}"
    written = re.fullmatch(rf"fixed|random:{span}(\+{span}){{0,{MOST_SPANS - 1}}}", starts)
    turns = random_turns(starts) if written else (0, -1)
    if any(fewest > most for fewest, most in zip(turns[::2], turns[1::2], strict=True)):
        possible = f"fixed, random:N, random:M-N, and up to {MOST_SPANS} such spans joined by +"
        raise BadInput(f'{kind}: starts cannot be "{starts}"; possible: {possible}.')
