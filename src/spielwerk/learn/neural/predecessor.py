"""Predecessor: the network with whose weights a training begins, and what it must be for that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielwerk.data import parsed
from spielwerk.names import BadInput, value_text

WIDTH = "filters"
SIZES = ("net", "hidden", "blocks", WIDTH, "split", "removals")  # settings that change the arrays of a network


def check_meaning(what: str, found: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    """Refuses a network that sees or says something else than the learner's, by the metadata of both."""
    for key in ("kind", "inputs", "outputs"):
        if found.get(key) != wanted[key]:
            raise BadInput(f"{what} is a network with {key} {found.get(key, 'unknown')}, not {wanted[key]}.")


def check_narrower(what: str, found: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    """Refuses a network that differs from the learner's in more than its width, or is wider."""
    theirs, ours = (_sizes(each.get("settings", "{}")) for each in (found, wanted))
    width = theirs.get(WIDTH, 0)
    if {**theirs, WIDTH: 0} != {**ours, WIDTH: 0} or not isinstance(width, int) or width > ours[WIDTH]:
        raise another_size(what, found, narrower=True)


def another_size(what: str, found: Mapping[str, str], narrower: bool) -> BadInput:
    """That a network does not fit, and which ones would."""
    sizes = _sizes(found.get("settings", "{}"))
    said = " ".join(f"{name}={value_text(value)}" for name, value in sizes.items())
    wider = f"; possible here: these sizes, or more {WIDTH}" if narrower and said else ""
    return BadInput(f"{what} holds a network of another size{said and f': {said}'}{wider}.")


def _sizes(text: str) -> dict[str, Any]:
    """What the settings of a file or a run say of the size of its network."""
    try:
        settings = parsed(text)
        return {name: settings[name] for name in SIZES if name in settings}
    except (ValueError, TypeError):  # others may have written the file
        return {}
