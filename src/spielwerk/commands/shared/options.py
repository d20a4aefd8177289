"""Arguments and options that several commands have."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from spielwerk.commands.shared import completion
from spielwerk.learn.config import MOST_SEED

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", autocompletion=completion.games, help="Such as morris, or einstein:board=6,players=4."
    ),
]
Seed = Annotated[
    int, typer.Option(metavar="N", min=0, max=MOST_SEED, help="Random seed; the same seed gives the same figures.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
Place = Annotated[
    str | None, typer.Argument(metavar="POSITION", help="The position as one line of text. Default: the start.")
]
Theme = Annotated[str, typer.Option(metavar="light|dark", help="Theme of the picture.")]


def position_of(name: str, text: str | None, seed: int = 0) -> Any:
    """The position that the arguments GAME and POSITION name."""
    from spielwerk.games.registry import game

    variant = game(name)
    return variant.start(seed) if text is None else variant.parse(text)
