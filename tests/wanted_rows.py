"""A row kernel of which only some rows are wanted; run, it prints as JSON how often a GPU runs each."""

from __future__ import annotations

import json

import numpy as np

import spielwerk as sw

ROWS = 100_003  # more than a block looks at, and no multiple of eight


def every_fifth(i, arrays):
    """Wanted rows: those with numbers that five divides."""
    found = 0
    for bit in range(8):
        if (8 * i + bit) % 5 == 0 and 8 * i + bit < ROWS:
            found |= 1 << bit
    return found


def note(i, state, actions, weights, scores, arrays):
    """Row kernel: counts its runs."""
    (runs,) = arrays
    runs[i] += 1


def noted(target: str, threads: int = 1) -> list[int]:
    """How often each row was run."""
    runs = np.zeros(ROWS, np.int64)
    sw.game("nim").rows(note, target, threads, wanted=every_fifth)(-(-ROWS // 8), runs)
    return runs.tolist()


if __name__ == "__main__":
    print(json.dumps(noted("cuda")))
