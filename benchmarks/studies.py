"""The quick form of every recipe, run from nothing: part of `make verify`.

    python benchmarks/studies.py [PREFIX…]      such as einstein/ or nim/stack

Recipes share their measurements, so all of them use one data folder, which is thrown away. Prints a line a recipe; the
exit code is 1 if one fails.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence

CORES = os.cpu_count() or 1


def reports(prefixes: Sequence[str]) -> Iterator[tuple[str, str, float]]:
    """(the recipe, what went wrong, seconds) of each recipe whose name begins with one of the prefixes."""
    from spielwerk.studies.execution import execute
    from spielwerk.studies.recipe import Form
    from spielwerk.studies.registry import recipes

    for name, recipe in recipes().items():
        if not any(name.startswith(prefix) for prefix in prefixes or ("",)):
            continue
        begun, problem = time.perf_counter(), ""
        try:
            outcome = execute(recipe, Form(quick=True), None, CORES, lambda done: None)
            problem = "" if outcome.report.rows else "a report without rows"
        except Exception as fault:  # whatever it is, the other recipes are run
            traceback.print_exc()
            problem = f"{type(fault).__name__}: {fault}"
        yield name, problem, time.perf_counter() - begun


def main(prefixes: Sequence[str]) -> int:
    """Runs them all; the exit code."""
    failed = 0
    with tempfile.TemporaryDirectory() as home:
        os.environ["SPIELWERK_HOME"] = home
        for name, problem, seconds in reports(prefixes):
            failed += bool(problem)
            print(f"{'FAILED' if problem else 'ok':8}{name:40}{seconds:8.0f} s  {problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
