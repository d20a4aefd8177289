"""What a game's module names as text, `package.module` or `package.module:name`, found when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from spielwerk.data import PLUGIN_FAULTS
from spielwerk.names import BadInput


def part(kind: str, what: str, path: str, name: str = "") -> Any:
    """What the game `kind` names as its `what`: the module or object at `path`, or `name` of the module at `path`."""
    module, _, own = path.partition(":")
    name = name or own
    try:
        found = importlib.import_module(module)
    except PLUGIN_FAULTS as problem:
        raise BadInput(f'The {what} of "{kind}", {module}, cannot be loaded: {problem!r}.') from problem
    if name and not hasattr(found, name):
        raise BadInput(f'The {what} of "{kind}", {module}, does not define "{name}".')
    return getattr(found, name) if name else found
