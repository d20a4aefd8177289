"""Specialising: nothing shared between variants, nothing stale, everything from the cache in a second process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import spielwerk as sw
from marks import slow
from spielwerk.games import rules
from spielwerk.kernel import cpu
from spielwerk.kernel.cache import prune
from spielwerk.kernel.specialise import digest, interface, specialise, unbound
from variants import DEFAULTS, VARIANTS

RULES_FILE = """
from spielwerk.kernel.specialise import interface, unbound

FACTOR = unbound("FACTOR")

@interface
def scaled(x):
    raise NotImplementedError

def kernel(x):
    return scaled(x) + helper(x)

def helper(x):
    return x * FACTOR

def rule(x):
    return x + {number}
"""
RUN_FILE = """
import json, sys
sys.path.insert(0, sys.argv[1])
import edited
from spielwerk.kernel.specialise import specialise
compiled = specialise(edited.kernel, {"scaled": edited.rule, "FACTOR": int(sys.argv[2])}, "cpu")
print(json.dumps([compiled(1), sum(compiled.stats.cache_hits.values()), sum(compiled.stats.cache_misses.values())]))
"""


def run_edited(folder: Path, factor: int) -> tuple[int, int, int]:
    """Runs the kernel in a process of its own: its result, cache hits and misses."""
    environment = {**os.environ, "SPIELWERK_CACHE": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", RUN_FILE, str(folder), str(factor)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    result, hits, misses = json.loads(done.stdout)
    return result, hits, misses


def test_an_edited_rule_is_never_served_stale(tmp_path: Path) -> None:
    file = tmp_path / "edited.py"
    file.write_text(RULES_FILE.format(number=10))
    assert run_edited(tmp_path, 2) == (13, 0, 1)
    assert run_edited(tmp_path, 2) == (13, 1, 0)  # a second process finds it compiled
    assert run_edited(tmp_path, 5) == (16, 0, 1)  # another constant is another kernel
    before = file.stat()
    file.write_text(RULES_FILE.format(number=20))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))  # the file's date and size tell nothing
    assert run_edited(tmp_path, 2) == (23, 0, 1)


NAMED_FILE = """
from typing import NamedTuple

class {name}(NamedTuple):
    {first}: int
    {second}: int

class Both(NamedTuple):
    total: int
    pair: {name}

def kernel(pair):
    return difference(Both(0, pair))

def difference(both):
    return both.pair.large - both.pair.small

given = {name}(small=2, large=5)
"""
NAMED_RUN = """
import json, sys
sys.path.insert(0, sys.argv[1])
import named
from spielwerk.kernel.specialise import specialise
compiled = specialise(named.kernel, {}, "cpu")
counts = compiled.stats.cache_hits, compiled.stats.cache_misses
print(json.dumps([compiled(named.given), *(sum(count.values()) for count in counts)]))
"""


def run_named(folder: Path, name: str, first: str, second: str) -> list[int]:
    """Runs a kernel on named fields in a process of its own: its result, cache hits and misses."""
    text = NAMED_FILE.format(name=name, first=first, second=second)
    (folder / "named.py").write_text(text)
    environment = {**os.environ, "SPIELWERK_CACHE": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", NAMED_RUN, str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_named_fields_are_cached_and_may_change_places_and_names(tmp_path: Path) -> None:
    assert run_named(tmp_path, "Pair", "small", "large") == [3, 0, 1]
    assert run_named(tmp_path, "Pair", "small", "large") == [3, 1, 0]
    assert run_named(tmp_path, "Pair", "large", "small") == [3, 0, 1]  # numba reads fields by their places
    assert run_named(tmp_path, "Couple", "large", "small") == [3, 0, 1]  # the cache names a class that is gone
    assert run_named(tmp_path, "Couple", "large", "small") == [3, 1, 0]


class Pair(NamedTuple):
    """Named fields to try."""

    small: np.ndarray
    large: np.ndarray


def test_named_fields_are_guarded_in_debug_mode() -> None:
    kernel = specialise(beyond, {}, "python")
    with pytest.raises(IndexError, match="outside an array of 3"):
        kernel(Pair(np.zeros(2), np.zeros(3)))


def beyond(pair):
    return pair.large[3]


KERNELS = """
import json, sys
import spielwerk as sw
from played import traces, trace
from spielwerk.games.rules import FUNCTIONS
from spielwerk.kernel import specialise
name = sys.argv[1]
results = traces(name, "cpu", 2)
position = sw.game(name).start()
position = position.roll(position.rolls()[0]) if position.chance else position
results += [str(position.play(position.moves()[-1])), float(position.observe().sum())]
further = [float(position.observe(inputs=form).sum()) for form in position.game.observations]
results += [str(position.turned(0)), *further]
misses = sum(sum(entry.stats.cache_misses.values()) for entry in specialise._entries.values())
print(json.dumps([results, misses]))
"""


@pytest.mark.parametrize("name", ["einstein", *slow("morris", "nim", "othello", "backgammon")])
def test_two_fresh_processes_run_every_kernel_from_the_cache_with_the_same_result(name: str, tmp_path: Path) -> None:
    environment = {**os.environ, "SPIELWERK_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-c", KERNELS, name]
    runs = []
    for _ in range(3):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        runs.append(json.loads(done.stdout))
    (first, compiled), (second, missed), (third, missed_again) = runs
    assert compiled > 0
    assert (missed, missed_again) == (0, 0)
    assert first == second == third


def test_no_two_variants_are_all_the_same_code() -> None:
    seen: dict[str, str] = {}
    for name in [*DEFAULTS, *VARIANTS]:
        bindings = sw.game(name).bindings
        code = " ".join(digest(getattr(rules, rule), bindings) for rule in rules.FUNCTIONS)
        assert seen.setdefault(code, sw.game(name).name) == sw.game(name).name


def test_an_edited_target_is_never_served_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = []
    for instructions in ("old", "new"):
        (tmp_path / "cpu.py").write_text(instructions)
        monkeypatch.setattr(cpu, "__file__", str(tmp_path / "cpu.py"))
        monkeypatch.setattr("spielwerk.kernel.specialise._entries", {})
        names.append(specialise(doubled, {}, "cpu").py_func.__qualname__)
    assert names[0] != names[1]


def test_two_variants_never_share_code() -> None:
    names = ["nim", "nim:stacks=3-4-5", "nim:misere=false", "nim:sizes=random"]
    digests = {
        digest(rules.start, sw.game(name).bindings) + digest(rules.scores, sw.game(name).bindings) for name in names
    }
    assert len(digests) == len(names)
    small, large = sw.game("nim:stacks=2-2").start(), sw.game("nim:stacks=9-9").start()
    assert (len(small.moves()), len(large.moves()), len(small.moves())) == (4, 18, 4)


def test_code_that_does_not_depend_on_a_setting_is_compiled_once() -> None:
    one, other = (sw.game(f"backgammon:scoring={scoring}").bindings for scoring in ("win", "full"))
    assert digest(rules.moves, one) == digest(rules.moves, other)
    assert digest(rules.scores, one) != digest(rules.scores, other)


SIZE: int = unbound("SIZE")


@interface
def needed(x):
    raise NotImplementedError


def uses_both(x):
    return needed(x) * SIZE


def calls_itself(x):
    return calls_itself(x - 1)


def doubled(x):
    return x + x


@pytest.mark.parametrize("missing", ["needed", "SIZE"])
def test_nothing_of_the_interface_stays_unbound(missing: str) -> None:
    bindings = {"needed": doubled, "SIZE": 3}
    assert specialise(uses_both, bindings, "python")(2) == 12
    del bindings[missing]
    with pytest.raises(TypeError, match=f'nothing is bound to the name "{missing}"'):
        specialise(uses_both, bindings, "python")
    with pytest.raises(TypeError, match="SIZE is bound by specialise"):
        range(SIZE)


def test_recursion_is_refused() -> None:
    with pytest.raises(TypeError, match="search iteratively"):
        specialise(calls_itself, {}, "python")


def test_specialising_changes_no_module() -> None:
    before = dict(vars(rules))
    sw.game("nim:stacks=2-3", target="python").start().moves()
    assert dict(vars(rules)) == before


def test_kernels_long_unused_are_pruned(tmp_path: Path) -> None:
    for name, days in [("old", 100), ("new", 1), ("newer", 0)]:
        for ending in ("nbi", "1.nbc"):
            file = tmp_path / f"m.{name}_0123-1.py311.{ending}"
            file.write_bytes(b"x" * 100)
            used = time.time() - days * 86400
            os.utime(file, (used, used))
    assert prune(tmp_path, days=60) == 1
    assert {file.name.split("_")[0] for file in tmp_path.iterdir()} == {"m.new", "m.newer"}
    assert prune(tmp_path, days=60, most_bytes=250) == 1
    assert {file.name.split("_")[0] for file in tmp_path.iterdir()} == {"m.newer"}


def printed(x):
    print("asked for", x)
    return x


def printing(x):
    return printed(x) + printed(2)


def test_a_function_that_a_kernel_calls_may_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPIELWERK_CACHE", str(tmp_path))  # compiled here, not loaded
    assert specialise(printing, {})(1) == 3
    assert capfd.readouterr().out == "asked for 1\nasked for 2\n"


def test_debug_mode_runs_the_rules_as_guarded_python() -> None:
    code = "import spielwerk as sw, sys; print(len(sw.game('othello').start().moves()), 'numba' in sys.modules)"
    environment = {**os.environ, "SPIELWERK_DEBUG": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["4", "False"]


def test_a_kernel_that_leaves_its_array_is_caught_in_debug_mode() -> None:
    nim = sw.game("nim", target="python")
    with pytest.raises(IndexError, match="outside an array of 3"):
        nim.rule("moves")(nim.start().state, np.zeros(3, np.int64))
