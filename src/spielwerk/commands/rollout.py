"""The command that plays a position out many times."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from spielwerk.commands.shared import panels
from spielwerk.commands.shared.options import AsJson, GameName, Place, position_of
from spielwerk.commands.shared.output import print_json, print_table
from spielwerk.learn.config import MOST_SEED

app = typer.Typer()


@app.command(rich_help_panel=panels.LOOK_UP)
def rollout(
    name: GameName,
    position: Place = None,
    value: Annotated[
        str, typer.Option(metavar="VALUE", help="What chooses all turns: td, a run, FILE.onnx, an evaluation.")
    ] = "td",
    games: Annotated[int, typer.Option("-n", "--games", metavar="N", min=1, help="Games of each turn.")] = 1296,
    turns: Annotated[int, typer.Option(metavar="N", min=0, help="Cut games after N turns. 0: never.")] = 0,
    moves: Annotated[int, typer.Option(metavar="N", min=1, help="Turns to play out, the best-looking first.")] = 5,
    luck: Annotated[bool, typer.Option("--luck", help="Leave the luck of the dice in: quicker, less exact.")] = False,
    roll: Annotated[str, typer.Option(metavar="ROLL", help="Such as 3-1. Default: before the roll.")] = "",
    seed: Annotated[int, typer.Option(metavar="N", min=0, max=MOST_SEED, help="The same seed, the same games.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Play a position out many times: what its best turns are worth, with intervals."""
    from spielwerk.api.rollout import rollout as rolled_out
    from spielwerk.terminal import waiting

    with waiting("compiling …"):
        asked = position_of(name, position, seed)
        asked = asked.roll(roll) if roll else asked
    with waiting("playing …"):
        found = rolled_out(asked, value=value, games=games, turns=turns, moves=moves, luck=luck, seed=seed)
    if as_json:
        return print_json(found.facts())
    cut = f"cut after {turns} turns" if turns else "to the end"
    print(f"{asked.board()}\n\n{asked}\nPlayed out by {found.estimator}: {games:,} games each, {cut}, seed {seed}")
    heads, rows = found.table()
    return print_table(heads, [[escape(text) for text in row] for row in rows])
