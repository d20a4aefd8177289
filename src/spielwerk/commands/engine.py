"""The command that makes an agent available to other programs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from spielwerk.commands.shared import completion, panels

app = typer.Typer()


@app.command(rich_help_panel=panels.PLAY)
def engine(
    agent: Annotated[
        str, typer.Argument(metavar="AGENT", autocompletion=completion.agents, help="Such as mcts:iterations=500.")
    ],
) -> None:
    """Run an agent as an engine that speaks the protocol on stdin and stdout."""
    from spielwerk.agents.protocol import serve

    serve(agent, sys.stdin.buffer, sys.stdout.buffer)
