"""What the shell offers where a name is asked for: games, agents, learners, runs, and the settings of all of them.

Nothing here loads a compiler or opens more than folders and settings, so that the answer comes at once. Bash splits
words at `:` and `=`, which our names hold: `whole_words` puts them together again, and prints only what follows.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import fields
from typing import Any

import typer

from spielwerk import folders, names
from spielwerk.names import BadInput

ASKED, BASH = "_SPIELWERK_COMPLETE", "complete_bash"  # what the shell sets when it asks
BREAKS = (":", "=")  # where bash splits words
OF_LEARNERS = ("run", "value")  # settings of agents that name a run


def games(incomplete: str) -> list[str]:
    """Games, and behind a colon their settings."""
    from spielwerk.games import registry

    return _offered(_names(incomplete, registry.kinds(), registry.settings_class), incomplete)


def agents(incomplete: str) -> list[str]:
    """Agents, and behind a colon their settings, and the runs that they play by."""
    from spielwerk.agents.registry import kind_class, kinds

    found = _names(incomplete, kinds(), lambda kind: kind_class(kind).Settings)
    kind, colon, rest = incomplete.partition(":")
    if colon and "," not in rest and "=" not in rest and kind in _learners():
        found += [f"{kind}:{name}" for name in _runs()]
    return _offered(found, incomplete)


def opponents(incomplete: str) -> list[str]:
    """The same, and people."""
    return [*_offered(["human"], incomplete), *agents(incomplete)]


def learners(incomplete: str) -> list[str]:
    """What learns."""
    return _offered(_learners(), incomplete)


def runs(incomplete: str) -> list[str]:
    """Training runs."""
    return _offered(_runs(), incomplete)


def settings(ctx: typer.Context, incomplete: str) -> list[str]:
    """The settings of the learner that the command names."""
    from spielwerk.learn.registry import learner_kind

    kind = ctx.params.get("kind")
    if kind not in _learners():
        return []
    return _offered(_values("", learner_kind(kind).settings_class, incomplete), incomplete)


@contextmanager
def whole_words() -> Iterator[None]:
    """While this lasts a question of bash is understood, and answered as it needs it."""
    if os.environ.get(ASKED) != BASH:
        yield
        return
    words = joined_words(os.environ.get("COMP_WORDS", "").split("\n")[: int(os.environ.get("COMP_CWORD", "0")) + 1])
    os.environ |= {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    cut = max(words[-1].rfind(sign) for sign in BREAKS) + 1
    answer = io.StringIO()
    try:
        with redirect_stdout(answer):
            yield
    finally:
        for line in answer.getvalue().splitlines():
            print(line[cut:])


def joined_words(words: Sequence[str]) -> list[str]:
    """The words of a command line, of which bash has split some."""
    joined: list[str] = []
    for word in words:
        if joined and word and (word in BREAKS or joined[-1][-1:] in BREAKS):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _names(incomplete: str, kinds: Iterable[str], settings_of: Any) -> list[str]:
    """Names, or behind a colon the same with one more setting."""
    kind, colon, rest = incomplete.partition(":")
    kinds = list(kinds)
    if not colon or kind not in kinds:
        return kinds
    try:
        settings_class = settings_of(kind)
    except BadInput:
        return []
    before, comma, last = rest.rpartition(",")
    return _values(f"{kind}:{before}{comma}", settings_class, last)


def _values(before: str, settings_class: Any, last: str) -> list[str]:
    """What can follow `before`: key= for each setting, or key=value where the key is there and its values are few."""
    key, equals, _ = last.partition("=")
    taken = {part.partition("=")[0] for part in before.partition(":")[2].split(",")}
    if not equals:
        return [f"{before}{field.name}=" for field in fields(settings_class) if field.name not in taken]
    found = next((field for field in fields(settings_class) if field.name == key), None)
    choices = (*found.metadata.get("choices", ()), found.default) if found else ()
    values = dict.fromkeys(names.value_text(choice) for choice in choices if choice != "")
    values |= dict.fromkeys(_runs() if key in OF_LEARNERS else ())
    return [f"{before}{key}={value}" for value in values]


def _offered(found: Iterable[str], incomplete: str) -> list[str]:
    """Those that begin as the word does."""
    return [name for name in dict.fromkeys(found) if name.startswith(incomplete)]


def _learners() -> list[str]:
    from spielwerk.learn.registry import kinds

    return kinds()


def _runs() -> list[str]:
    """The names of runs, by their folders alone."""
    found = (path.parent.name for path in (folders.home() / "runs").glob("*/run.toml"))
    return sorted(name for name in found if re.fullmatch(r"\w[\w.-]*", name))
