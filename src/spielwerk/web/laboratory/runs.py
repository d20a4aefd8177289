"""Training runs for the page: the list of them, one with its figures and settings, and the last one."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from spielwerk.api.runs import RunResult, run
from spielwerk.arena.measurement import RATE, is_main, value_text
from spielwerk.data import parsed
from spielwerk.learn.run_settings import setting_text
from spielwerk.learn.runs import Run, in_use, names_of_runs, open_run
from spielwerk.names import BadInput
from spielwerk.web.laboratory.curves import curve_facts
from spielwerk.web.laboratory.job import tail

LONGEST = 60  # letters of a setting in the list


def listed() -> list[dict[str, Any]]:
    """All runs, the newest first; of one that cannot be read, why."""
    return sorted(map(_summary, names_of_runs()), key=lambda one: one.get("started", ""), reverse=True)


def shown(name: str) -> dict[str, Any]:
    """One run: how far each seed is, its last figures with intervals, and all its settings."""
    found = run(name)
    config = found.run.config
    heads, rows = found.table()
    return _summary(name) | {
        "title": found.title,
        "settings": {key: setting_text(value) for key, value in found.changed_settings().items()},
        "each": [{"seed": seed, "done": progress(found.run, seed)} for seed in config.seeds],
        "heads": [head.lstrip(">") for head in ("figure", *heads[1:])],
        "figures": [list(row) for row in rows],
        "agent": f"{config.kind}:{name}",
        "version": config.version,
    }


def last() -> dict[str, Any] | None:
    """The strength of the run that began last and was measured, for the first page."""
    began: list[tuple[str, str]] = []
    for name in names_of_runs():
        with suppress(BadInput):
            began.append((open_run(name).config.started, name))
    for _, name in sorted(began, reverse=True):
        with suppress(BadInput):
            facts = curve_facts([name])
            panels = [panel for panel in facts["panels"] if "metric" not in panel][:1]
            if panels:
                return _summary(name) | {"curve": facts | {"panels": panels}}
    return None


def progress(found: Run, seed: int) -> int:
    """How far a seed is: what the last whole line of its log says, which is ahead of its last checkpoint."""
    with suppress(OSError, ValueError, TypeError, LookupError):
        *_, last, _ = tail(found.metrics_file(seed)).split("\n")
        return max(0, min(int(parsed(last)["episode"]), found.config.episodes))
    return 0


def _summary(name: str) -> dict[str, Any]:
    try:
        return _facts(run(name))
    except BadInput as problem:
        return {"run": name, "problem": str(problem)}


def _facts(found: RunResult) -> dict[str, Any]:
    config = found.run.config
    done = [progress(found.run, seed) for seed in config.seeds]
    running, finished = in_use(found.name), found.finished
    return {
        "run": found.name,
        "kind": config.kind,
        "game": config.game,
        "seeds": list(config.seeds),
        "length": config.episodes,
        "counted": config.counted,
        "done": sum(done) // len(done),
        "state": "running" if running else "finished" if finished else "stopped",
        "started": config.started,
        "chosen": _chosen(found),
        "main": [[_short(one.what), value_text(one.what, one.value)] for one in found.figures() if is_main(one.what)],
    }


def _chosen(found: RunResult) -> str:
    """The settings that differ from their defaults, in a line."""
    own = {key: value for key, value in found.changed_settings().items() if ": " not in key}
    text = ", ".join(f"{key}={setting_text(value)}" for key, value in own.items())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _short(what: str) -> str:
    """An opponent without its settings, or the regret."""
    return f"against {what.removeprefix(RATE).partition(':')[0]}" if what.startswith(RATE) else what
