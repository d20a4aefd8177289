"""What a game's module names as text, `package.module` or `package.module:name`, found when it is asked for."""

from __future__ import annotations

import dataclasses
import importlib
from types import ModuleType
from typing import Any

from spielwerk.data import PLUGIN_FAULTS
from spielwerk.names import BadInput

REQUIRED: Any = object()  # in place of a default


def part(kind: str, what: str, path: str, name: str, default: Any = REQUIRED) -> Any:
    """`name` of the module at `path`, which the game `kind` names as its `what`; `default` where there is none."""
    found = module(kind, what, path)
    if default is REQUIRED and not hasattr(found, name):
        raise BadInput(f'The {what} of "{kind}", {path}, does not define "{name}".')
    return getattr(found, name, default)


def named(kind: str, what: str, path: str) -> Any:
    """What the game `kind` names as its `what` by "package.module:name"."""
    where, _, name = path.partition(":") if isinstance(path, str) else (path, "", "")
    if isinstance(path, str) and not name:
        raise BadInput(f'The {what} of "{kind}", {path}, names no object: write "package.module:name".')
    return part(kind, what, where, name)


def module(kind: str, what: str, path: str) -> ModuleType:
    """The module at `path`, which the game `kind` names as its `what`."""
    if not isinstance(path, str):
        raise BadInput(f'The {what} of "{kind}" must be a string such as "package.module", not {path!r}.')
    try:
        return importlib.import_module(path)
    except PLUGIN_FAULTS as problem:
        raise BadInput(f'The {what} of "{kind}", {path}, cannot be loaded: {problem!r}.') from problem


def check_settings(where: str, cls: Any) -> None:
    """Refuses a settings class that cannot be one: a dataclass whose fields all have a default; `where` says whose."""
    if not (isinstance(cls, type) and dataclasses.is_dataclass(cls)):
        raise BadInput(f'{where} has a "Settings" that is not a dataclass.')
    for field in dataclasses.fields(cls):
        if field.default is dataclasses.MISSING:
            raise BadInput(f'{where} has a setting "{field.name}" without a default.')
