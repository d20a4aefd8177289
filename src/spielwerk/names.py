"""The grammar that names games and agents: `name:value,key=value,…`, and the error for bad input.

A value that holds commas, quotes or the like stands in double quotes, `key="a,b"`, with its own quotes doubled.
A settings class is a frozen dataclass whose fields have defaults; `choice` limits a field's values.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

LONGEST_THOUGHT = 10**9  # milliseconds for one decision
LONGEST = 4000  # letters of a message
RUN = "run"  # the key of a first value that has none
PARTS = re.compile(r'((?:[^,"]|"[^"]*")*),')  # what stands before each comma that is not in quotes


class BadInput(ValueError):
    """Something a user gave that cannot be used; its message is one sentence for that user."""

    def __init__(self, message: str) -> None:
        # What is quoted of the input must not break the line or the terminal, nor fill it.
        half = LONGEST // 2
        super().__init__(printable(message if len(message) <= LONGEST else f"{message[:half]} … {message[-half:]}"))


def printable(text: str) -> str:
    """The text in one line, with signs for all that cannot be printed."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def choice(default: Any, *others: Any, help: str = "") -> Any:
    """A settings field that takes its default or one of `others`."""
    metadata = {"choices": (default, *others), "help": help}
    return dataclasses.field(default=default, metadata=metadata)


def setting(default: Any, help: str = "", least: float | None = None, most: float | None = None) -> Any:
    """A settings field that takes any value of its default's type, for numbers perhaps from `least` to `most`."""
    return dataclasses.field(default=default, metadata={"help": help, "least": least, "most": most})


def split(text: str) -> tuple[str, dict[str, str]]:
    """The name and the settings, still as text, that `text` writes: ("mcts", {"k": "1.4"})."""
    name, _, rest = text.strip().partition(":")
    values: dict[str, str] = {}
    if rest.count('"') % 2:
        raise BadInput(f"{text} has an unclosed quote.")
    for position, part in enumerate(PARTS.findall(rest + ",") if rest.strip() else []):
        key, equals, value = _pieces(part)
        if not equals and position == 0:
            key = RUN
        elif not equals or not key or not value:
            raise BadInput(f'"{text}" is not a name: write settings as key=value, separated by commas.')
        if key in values:
            raise BadInput(f'"{text}" sets "{key}" twice.')
        values[key] = _unquoted(text, value)
    return name.strip().lower(), values


def joined(name: str, written: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a name writes and those given as keywords; none may be set twice."""
    for key in given:
        if key in written:
            raise BadInput(f'{name}: "{key}" is set both in the name and as a keyword.')
    return {**written, **given}


def unknown(what: str, given: str, possible: Iterable[str], plural: str) -> BadInput:
    """The error for a word that is none of the possible ones, with the nearest of them."""
    possible = list(possible)
    near = nearest(given, possible)
    hint = f' Did you mean "{near}"?' if near else ""
    return BadInput(f'{what} "{given}".{hint} {plural}: {", ".join(possible) or "none"}.')


def nearest(given: str, possible: Iterable[str]) -> str:
    """The possible word that was probably meant; "" where none is like the one given."""
    return next(iter(difflib.get_close_matches(given, list(possible), 1)), "")


def either(words: Sequence[str]) -> str:
    """Such as "a, b or c"."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def settings(cls: Any, name: str, values: dict[str, Any]) -> Any:
    """An instance of the settings class `cls` of `name`, with `values` given as text or objects."""
    fields = {field.name: field for field in dataclasses.fields(cls)}
    for key, value in values.items():
        if key == RUN and key not in fields:
            raise BadInput(f'{name}: "{value}" is not a setting; write key=value. Settings: {", ".join(fields)}.')
        if key not in fields and RUN in fields and not key.isidentifier():
            quoted = f"""'{name}:"COMMAND"'"""
            raise BadInput(f'{name} has no setting "{key}"; a command with equals signs or commas is written {quoted}.')
        if key not in fields:
            raise unknown(f"{name} has no setting", key, fields, "Settings")
    return cls(**{key: _read(name, fields[key], value) for key, value in values.items()})


def write(name: str, settings: Any) -> str:
    """The canonical name: only the settings that differ from their defaults, a run first and without its key."""
    values = [(field, getattr(settings, field.name)) for field in dataclasses.fields(settings)]
    return join(name, {field.name: value_text(value) for field, value in values if value != field.default})


def join(name: str, values: Mapping[str, str]) -> str:
    """What `split` reads as this name and these values."""
    parts = [_quoted(values[RUN], "=")] if RUN in values else []
    parts += [f"{key}={_quoted(text)}" for key, text in values.items() if key != RUN]
    return f"{name}:{','.join(parts)}" if parts else name


def _pieces(part: str) -> tuple[str, str, str]:
    """The key, the equals sign and the value of one setting; only the value where nothing else is written."""
    part = part.strip()
    if "=" not in part or part.startswith('"'):
        return "", "", part
    key, equals, value = part.partition("=")
    return key.strip(), equals, value.strip()


def _unquoted(text: str, value: str) -> str:
    """What `value` says, which may stand in quotes; `text` is the whole name."""
    if '"' not in value:
        return value
    if not re.fullmatch(r'"(?:[^"]|"")*"', value):
        raise BadInput(f"{text} cannot be read: quotes enclose a whole value, and are doubled inside it.")
    return value[1:-1].replace('""', '"')


def _quoted(value: str, special: str = "") -> str:
    """The value as a name writes it: in quotes where it would be read as something else without."""
    if value and value == value.strip() and not any(letter in value for letter in ',"' + special):
        return value
    return '"' + value.replace('"', '""') + '"'


def value_text(value: Any) -> str:
    """A value as names write it: true, not True; 1, not 1.0."""
    if isinstance(value, float):
        return str(value).removesuffix(".0")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(name: str, field: dataclasses.Field[Any], given: Any) -> Any:
    choices = field.metadata.get("choices")
    value = _convert(name, field, given)
    if choices and value not in choices:
        listed = sorted(choices) if isinstance(value, int) else choices
        possible = ", ".join(value_text(possible) for possible in listed)
        raise BadInput(f'{name}: {field.name} cannot be "{given}"; possible: {possible}.')
    least, most = field.metadata.get("least"), field.metadata.get("most")
    if least is not None and not least <= value <= (math.inf if most is None else most):
        limits = f"at least {least}" if most is None else f"{least} to {most}"
        raise BadInput(f"{name}: {field.name} must be {limits}, not {given}.")
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
