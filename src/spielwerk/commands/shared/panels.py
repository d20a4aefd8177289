"""How the help looks: commands by what one wants to do, and only types that say something."""

from __future__ import annotations

from typing import Any

from typer import core

PLAY, MEASURE, LEARN, LOOK_UP = "Play", "Measure", "Learn", "Look up"


def plain_types() -> None:
    """Leaves out what typer writes behind flags and arguments, such as <bool> and <str>; options have words of ours."""
    for cls in (core.TyperOption, core.TyperArgument):
        if hasattr(cls, "display_type_rich"):  # versions before it show no types there
            cls.display_type_rich = _type_shown  # type: ignore[method-assign, attr-defined]


def _type_shown(parameter: Any, **_: Any) -> str | None:
    from typer import rich_utils  # which calls this

    rich_utils.RANGE_STRING = ""  # such as [0<=x<=2147483647], which leaves little room for the text
    return parameter.metavar if isinstance(parameter, core.TyperOption) else None
