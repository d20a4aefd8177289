"""The log of metrics of one seed: a JSON object a line with the episode, seconds of learning, speed and figures.

A line is due whenever another 2000th of the training is done, so that the log is evenly spread over it and never long;
an extension of the training has as many again at most.
Its speed is that since the line before, its figures are those of the last chunk of learning. A resumed run takes lines
off that are newer than its checkpoint.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spielwerk.data import cleaned, is_number, is_whole, json_text, parsed, read_text
from spielwerk.files import write_text
from spielwerk.names import BadInput

MOST = 2000  # lines
MOST_EPISODES = 10**15
SPEED = "speed"  # episodes a second
LEAST = 1e-4  # seconds of a line: a learner that plays many games at once may have had the next ones done already
ALWAYS = ("episode", "seconds", SPEED)  # what a line has besides the learner's figures


class MetricsLog:
    """A log that is written to while a seed learns."""

    def __init__(self, path: Path, ends: Sequence[int]) -> None:
        self.path, self.ends = path, ends  # of the training, and of its extensions
        self.episode, self.written, self.seconds = 0, 0.0, 0.0  # of the last line, its seconds, and those until now

    def cut(self, episode: int) -> None:
        """Goes back to where so many episodes were done."""
        if not self.path.exists():
            return
        kept = [line for line in read_metrics(self.path) if line["episode"] <= episode]
        write_text(self.path, "".join(f"{json_text(line)}\n" for line in kept))
        self.episode, self.seconds = (kept[-1]["episode"], kept[-1]["seconds"]) if kept else (0, 0.0)
        self.written = self.seconds

    def learned(self, episode: int, seconds: float, figures: Mapping[str, float]) -> None:
        """Counts a chunk of learning that ended at `episode`, and writes a line if one is due."""
        self.seconds += seconds
        step = self._step(episode)
        if episode // step == self.episode // step or self.seconds - self.written < LEAST:
            return
        speed = (episode - self.episode) / max(self.seconds - self.written, 1e-6)
        self.episode, self.written = episode, self.seconds
        known = {name: value for name, value in figures.items() if math.isfinite(value) and name not in ALWAYS}
        line = {"episode": episode, "seconds": round(self.seconds, 3), SPEED: speed, **known}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json_text({name: _short(value) for name, value in line.items()}) + "\n")

    def _step(self, episode: int) -> int:
        """How many episodes lie between two lines there."""
        parts = itertools.pairwise((0, *self.ends))
        begin, end = next((part for part in parts if episode <= part[1]), (0, self.ends[0]))
        return max(-(-self.ends[0] // MOST), -(-(end - begin) // MOST))


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """The lines of a log, in the order of episodes; a last one that is not whole yet is left out."""
    if not path.exists():
        return []
    try:
        *lines, _ = read_text(path).split("\n")  # what follows the last end of a line is not whole
        found = [cleaned(parsed(line)) for line in lines]
        whole = all(_whole(one) for one in found)
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}.") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        whole, found = False, []
    if not whole:
        raise BadInput(f"{path} is damaged.")
    return found


def _whole(line: dict[str, Any]) -> bool:
    """Whether a line has all its parts, and nothing but numbers."""
    counted = is_whole(line["episode"], 0, MOST_EPISODES) and is_number(line["seconds"], 0)
    return counted and all(is_number(value) for value in line.values())


def _short(value: float) -> float:
    """Not more digits than are of interest."""
    return value if isinstance(value, int) else float(f"{value:.6g}")
