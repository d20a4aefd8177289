"""The grammar that names games and agents: `name:value,key=value,…`, and the error for bad input.

A settings class is a frozen dataclass whose fields have defaults; `choice` limits a field's values.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable
from typing import Any

RUN = "run"  # the key of a first value that has none


class BadInput(ValueError):
    """Something a user gave that cannot be used; its message is one sentence for that user."""

    def __init__(self, message: str) -> None:
        # What is quoted of the input must not break the line or the terminal.
        super().__init__("".join(c if c.isprintable() else repr(c)[1:-1] for c in message))


def choice(default: Any, *others: Any, help: str = "") -> Any:
    """A settings field that takes its default or one of `others`."""
    metadata = {"choices": (default, *others), "help": help}
    return dataclasses.field(default=default, metadata=metadata)


def setting(default: Any, help: str = "") -> Any:
    """A settings field that takes any value of its default's type."""
    return dataclasses.field(default=default, metadata={"help": help})


def split(text: str) -> tuple[str, dict[str, str]]:
    """The name and the settings, still as text, that `text` writes: ("mcts", {"k": "1.4"})."""
    name, _, rest = text.strip().partition(":")
    values: dict[str, str] = {}
    for position, part in enumerate(rest.split(",") if rest.strip() else []):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals and position == 0:
            key, value = RUN, key
        elif not equals or not key or not value:
            raise BadInput(f'"{text}" is not a name: write settings as key=value, separated by commas.')
        if key in values:
            raise BadInput(f'"{text}" sets "{key}" twice.')
        values[key] = value
    return name.strip().lower(), values


def unknown(what: str, given: str, possible: Iterable[str], plural: str) -> BadInput:
    """The error for a word that is none of the possible ones, with the nearest of them."""
    possible = list(possible)
    near = difflib.get_close_matches(given, possible, 1)
    hint = f' Did you mean "{near[0]}"?' if near else ""
    return BadInput(f'{what} "{given}".{hint} {plural}: {", ".join(possible) or "none"}.')


def settings(cls: Any, name: str, values: dict[str, Any]) -> Any:
    """An instance of the settings class `cls` of `name`, with `values` given as text or objects."""
    fields = {field.name: field for field in dataclasses.fields(cls)}
    for key, value in values.items():
        if key == RUN and key not in fields:
            raise BadInput(f'{name}: "{value}" is no setting; write key=value. Settings: {", ".join(fields)}.')
        if key not in fields:
            raise unknown(f"{name} has no setting", key, fields, "Settings")
    return cls(**{key: _read(name, fields[key], value) for key, value in values.items()})


def write(name: str, settings: Any) -> str:
    """The canonical name: only the settings that differ from their defaults."""
    parts = [
        f"{field.name}={_text(getattr(settings, field.name))}"
        for field in dataclasses.fields(settings)
        if getattr(settings, field.name) != field.default
    ]
    return f"{name}:{','.join(parts)}" if parts else name


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(name: str, field: dataclasses.Field[Any], given: Any) -> Any:
    choices = field.metadata.get("choices")
    value = _convert(name, field, given)
    if choices and value not in choices:
        listed = sorted(choices) if isinstance(value, int) else choices
        possible = ", ".join(_text(possible) for possible in listed)
        raise BadInput(f'{name}: {field.name} cannot be "{given}"; possible: {possible}.')
    return value


def _convert(name: str, field: dataclasses.Field[Any], given: Any) -> Any:
    kind = type(field.default)
    if isinstance(given, kind) and isinstance(given, bool) == (kind is bool):
        return given
    words = {"true": True, "false": False} if kind is bool else {}
    text = str(given).strip().lower()
    if text in words:
        return words[text]
    try:
        if kind is bool or isinstance(given, bool):
            raise ValueError
        return kind(str(given).strip())
    except ValueError:
        wanted = {int: "a whole number", float: "a number", bool: "true or false"}.get(kind, "text")
        raise BadInput(f'{name}: {field.name} must be {wanted}, not "{given}".') from None
