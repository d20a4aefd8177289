"""What the setting `value` of the searches names: an evaluation of the game, or what a training run has learned."""

from __future__ import annotations

from spielwerk import names
from spielwerk.games.evaluation import NONE, Evaluation, evaluation
from spielwerk.games.game import Game

SHIPPED = "td"  # the agent that comes with the package for the game


def valuation(game: Game, name: str) -> Evaluation:
    """The evaluation of `game` by that name: its own ones first, then `td`, runs (`NAME`, `NAME/SEED`) and files."""
    if not name or name == NONE or name in game.evaluations:
        return evaluation(game, name)
    from spielwerk.learn.runs import names_of_runs
    from spielwerk.learn.shipped import SUFFIX

    runs = names_of_runs()
    if name == SHIPPED or name in runs or "/" in name or name.endswith(SUFFIX):
        return learned(game, "" if name == SHIPPED else name)
    known = [*game.evaluations, NONE, SHIPPED, *runs]
    raise names.unknown(f"{game.kind} has no evaluation", name, known, "Evaluations and runs")


def learned(game: Game, run: str) -> Evaluation:
    """What a run has learned, as an evaluation; without a name, what comes with the package."""
    from spielwerk.learn.td import evaluation as by_network
    from spielwerk.learn.td.saved import trained

    return by_network.evaluation(trained(game, run), run or SHIPPED)
