"""The command that shows what an agent thinks of a position."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from spielwerk.arena.figures import counted
from spielwerk.commands.shared import completion, panels
from spielwerk.commands.shared.options import AsJson, GameName, Place, position_of
from spielwerk.commands.shared.output import print_json, print_table, write
from spielwerk.learn.config import MOST_SEED
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.arena.agent import Agent
    from spielwerk.games.position import Position

app = typer.Typer()


@app.command(rich_help_panel=panels.LOOK_UP)
def analyse(
    name: GameName,
    agent: Annotated[
        str, typer.Option(metavar="AGENT", autocompletion=completion.agents, help="Such as mcts:iterations=500.")
    ],
    position: Place = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, max=MOST_SEED, help="The same seed gives the same analysis.")
    ] = 1,
    roll: Annotated[str, typer.Option(metavar="ROLL", help="Such as 3-1. Default: all possible rolls.")] = "",
    tree: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the search tree of mcts or mctse as an SVG picture.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what an agent thinks of a position: its value, and that of each move or roll."""
    from spielwerk.agents.registry import agent as agent_of
    from spielwerk.api.analyse import analyse as analysed
    from spielwerk.arena.agent import Forfeit
    from spielwerk.arena.analysis import Analysis
    from spielwerk.terminal import status, waiting

    with waiting("compiling …"):
        asked = position_of(name, position, seed)
        asked = asked.roll(roll) if roll else asked
    if asked.over:
        raise BadInput(f"There is no move to think about. {status(asked)}")
    thinker = agent_of(agent, asked.game)
    try:
        with waiting("thinking …"):
            analysis = analysed(asked, thinker, seed=seed)
            if tree:
                write(tree, _drawn_tree(asked, thinker))
    except Forfeit as fault:
        print(f"{thinker.name} {fault}.", file=sys.stderr)
        raise typer.Exit(1) from None
    finally:
        thinker.close()
    if as_json:
        return print_json({"game": asked.game.name, "agent": thinker.name, **analysis.facts()})
    value = "" if analysis.value is None else f", who expects {analysis.value:+.3f}"
    player = asked.game.player_names[asked.roller if asked.chance else asked.mover]
    ends = "" if analysis.distance is None else f"; {counted(analysis.distance, 'turn')} to the end"
    print(f"{asked.board()}\n\n{asked}\n{thinker.name} plays {player}{value}{ends}")
    if analysis.note:
        print(analysis.note)
    if isinstance(analysis, Analysis) and analysis.said:
        print_table(*analysis.parts_table())
    heads, rows = analysis.table()
    return print_table(heads, [[escape(text) for text in row] for row in rows])


def _drawn_tree(position: Position, agent: Agent) -> str:
    """The tree of the last analysis, as a file of SVG."""
    from spielwerk.api.analyse import searched_tree
    from spielwerk.games.face.svg import document
    from spielwerk.search.trees.picture import tree_picture

    return document(tree_picture(searched_tree(position, agent), f"{position.game.name}: {agent.name}, {position}"))
