"""`spielwerk bench start`: what a person waits for: the command itself, a first compile, a second process.

Each figure is the CPU time of a process of its own; compiling goes into an empty cache. What is compiled is
all that playing needs: random games in one kernel, and every rule that `Position` calls.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from spielwerk.bench import rules
from spielwerk.bench.row import Row
from spielwerk.games.registry import game, kinds

PLAY = "from spielwerk.bench.start import play_once; play_once({name!r})"
COMMAND = "from spielwerk.cli import main; main()"


def rows() -> Iterator[Row]:
    """The figures, as they are measured."""
    with tempfile.TemporaryDirectory() as cache:
        _cpu_seconds(COMMAND, cache, "games")
        yield Row("spielwerk games", _cpu_seconds(COMMAND, cache, "games"), "s")
        for kind in kinds():
            code = PLAY.format(name=kind)
            yield Row(f"{kind}: first compile", _cpu_seconds(code, cache), "s")
            yield Row(f"{kind}: second process", _cpu_seconds(code, cache), "s")


def play_once(name: str) -> None:
    """A random game in compiled code, and a turn by a person."""
    rules.play(name, 1, 1)
    position = game(name).start()
    rolled = position.roll(position.rolls()[0]) if position.chance else position
    after = rolled.play(rolled.moves()[0])
    after.turned(0)
    after.observe()


def _cpu_seconds(code: str, cache: str, *arguments: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "SPIELWERK_CACHE": cache}
    command = [sys.executable, "-c", code, *arguments]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
