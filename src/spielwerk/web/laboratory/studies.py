"""Studies for the page: what there is, and the reports that were made, published figures beside ours."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from spielwerk.data import cleaned, parsed, read_bytes, read_text
from spielwerk.names import BadInput
from spielwerk.studies.device import form_here
from spielwerk.studies.recipe import TWO_CORES, Form, Recipe, duration
from spielwerk.studies.registry import recipe, recipes, sources
from spielwerk.studies.report import between, figure
from spielwerk.studies.results import folder

MOST_REPORT, MOST_FIGURE = 1 << 22, 1 << 24  # bytes


def listed() -> dict[str, Any]:
    """All recipes, and which have a report; and the sources."""
    rows = [_summary(one) for one in recipes().values()]
    return {"studies": rows, "sources": sources()}


def shown(name: str, quick: bool) -> dict[str, Any]:
    """A recipe, and its report in this form, if there is one."""
    found = recipe(name)
    stored = _report(found, quick) or {}
    rows = [_row(row) for row in stored.get("rows", []) if isinstance(row, dict)]
    facts = {"quick": quick, "rows": rows, "notes": stored.get("notes", []), "seed": stored.get("seed")}
    return _summary(found) | facts | {"figures": len(_figures(found, stored)), "takes": _takes(name)}


def drawn(name: str, quick: bool, number: int) -> bytes:
    """A figure of a report, by its number."""
    found = recipe(name)
    files = _figures(found, _report(found, quick) or {})
    if not 0 <= number < len(files):
        raise BadInput(f"{found.name} has no figure {number}.")
    try:
        return read_bytes(files[number], MOST_FIGURE)
    except (OSError, ValueError):
        raise BadInput(f"The figure {number} of {found.name} cannot be read.") from None


def _summary(found: Recipe) -> dict[str, Any]:
    return {
        "name": found.name,
        "about": found.about,
        "less": found.less,
        "without_gpu": found.without_gpu if form_here(found).scale == TWO_CORES else "",
        "reports": {"quick": _file(found, True).exists(), "full": _file(found, False).exists()},
    }


@lru_cache(1000)
def _takes(name: str) -> dict[str, str]:
    """About how long its forms take on this machine."""
    found, cores = recipe(name), os.cpu_count() or 1
    forms = {"quick": Form(quick=True), "full": form_here(found)}
    return {form: duration(found.seconds(one, cores)) for form, one in forms.items()}


def _file(found: Recipe, quick: bool) -> Path:
    return folder() / "reports" / f"{found.stem(form_here(found, quick))}.json"


def _report(found: Recipe, quick: bool) -> dict[str, Any] | None:
    """What a report holds; None where there is none that can be read."""
    try:
        stored = cleaned(parsed(read_text(_file(found, quick), MOST_REPORT)))
    except (OSError, ValueError):
        return None
    return stored if isinstance(stored, dict) and isinstance(stored.get("rows"), list) else None


def _figures(found: Recipe, stored: dict[str, Any]) -> list[Path]:
    """The pictures of a report, which lie beside it and are called after it."""
    names = [Path(str(one)).name for one in stored.get("plots", [])]
    base = found.name.replace("/", "-")
    files = (folder() / "reports" / name for name in names if name.startswith(base) and name.endswith(".png"))
    return [file for file in files if file.is_file()]


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its figures for people, and as numbers for a plot."""
    unit = str(row.get("unit", ""))
    interval = row.get("interval")
    shown = {key: figure(row.get(key), unit) for key in ("printed", "published", "ours")}
    return {
        "name": row.get("name", ""),
        "text": shown,
        "interval": between((interval[0], interval[1]), unit) if interval else "",
        "note": row.get("note", ""),
        "unit": unit,
        "numbers": [row.get("published"), row.get("ours"), *(interval or [None, None])],
    }
