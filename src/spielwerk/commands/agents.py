"""The command that lists the agents and their settings."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.markup import escape

from spielwerk.commands.shared import completion, panels
from spielwerk.commands.shared.options import AsJson
from spielwerk.commands.shared.output import print_json, print_settings, print_table
from spielwerk.names import BadInput

app = typer.Typer()


@app.command(rich_help_panel=panels.LOOK_UP)
def agents(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="AGENT", autocompletion=completion.agents, help="Show the settings of this one, such as mcts."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the agents, or the settings of one."""
    from spielwerk.agents.registry import kinds
    from spielwerk.api.catalogue import agent_facts

    listed = []
    for name in [kind] if kind else kinds():
        try:
            listed.append(agent_facts(name))
        except BadInput as problem:  # an agent of another package; the others can still be listed
            if kind:
                raise
            print(problem, file=sys.stderr)
    if as_json:
        return print_json({"agents": listed})
    if not kind:
        print_table(("agent", ""), ([escape(one["name"]), escape(one["title"])] for one in listed))
        return print("The settings of one: spielwerk agents mcts")
    (found,) = listed
    print(f"{found['name']}: {found['title']}")
    return print_settings(found["settings"]) if found["settings"] else None
