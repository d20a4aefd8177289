"""The command `train`: makes a training run from settings, and carries it out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spielwerk.commands import completion, panels
from spielwerk.commands.shared import AsJson, print_json, print_settings, print_table, setting_cells
from spielwerk.commands.train_progress import Device, SaveEvery, Threads, train_with_progress
from spielwerk.learn.config import DEFAULT_SAVE, MOST_SEED
from spielwerk.names import value_text

app = typer.Typer()


@app.command(rich_help_panel=panels.LEARN)
def train(
    context: typer.Context,
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="KIND", autocompletion=completion.learners, help="The learner, such as td or evolution."
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Argument(metavar="GAME", autocompletion=completion.games, help="Such as einstein:board=4.")
    ] = None,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY=VALUE…",
            autocompletion=completion.settings,
            help="Settings; `spielwerk train KIND` lists them.",
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--settings", metavar="FILE", help="A TOML file of settings, such as the run.toml of a run."),
    ] = None,
    run_name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Of the run. Default: kind, game and a number.")
    ] = "",
    seeds: Annotated[
        str | None, typer.Option(metavar="1-5", help="Which, such as 1-5 or 1,2,7; 5 alone is the first five.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=MOST_SEED, help="A single one. Default: 1.")
    ] = None,
    evaluate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            autocompletion=completion.agents,
            help="An opponent, such as random:games=2000; several times.",
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option(metavar="N", help="Against opponents that do not say it. Default: 1000.")
    ] = None,
    every: Annotated[
        int | None,
        typer.Option(metavar="N", help="Episodes, or generations, between evaluations. Default: a tenth of all."),
    ] = None,
    early: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, help="More evaluations before the first of those, and one before learning; 0: none."
        ),
    ] = None,
    starts: Annotated[
        str | None,
        typer.Option(metavar="fixed|random:N", help="Of evaluation games: fixed, or random:N, after N random turns."),
    ] = None,
    seating: Annotated[
        str | None, typer.Option(metavar="teams|mixed", help="Of more than two players: teams, or mixed (one seat).")
    ] = None,
    grade: Annotated[str | None, typer.Option(metavar="auto|yes|no", help="By the oracle: auto, yes or no.")] = None,
    decisions: Annotated[
        int | None, typer.Option(metavar="N", help="Decisions that the oracle grades. Default: 500.")
    ] = None,
    keep: Annotated[
        int | None, typer.Option(metavar="N", help="Earlier checkpoints to keep, evenly spread; played by at=….")
    ] = None,
    threads: Threads = None,
    device: Device = "cpu",
    save_every: SaveEvery = DEFAULT_SAVE,
    as_json: AsJson = False,
) -> None:
    """Train an agent: several seeds at once, measured while they learn; can be paused and resumed at any time."""
    from spielwerk.api.train import TrainingOptions, train_request
    from spielwerk.api.train_config import TrainRequest

    given = {"opponents": evaluate or None, "games": games, "every": every, "early": early, "starts": starts}
    given |= {"seating": seating, "grade": grade, "decisions": decisions}
    said = [word for word in (kind, name, *(words or [])) if word is not None]
    request = TrainRequest(said, seeds, {key: one for key, one in given.items() if one is not None}, keep, seed)
    plain = not (file or run_name or seeds or seed is not None or keep or request.evaluation)
    if plain and not said:
        print(context.get_help())
        raise typer.Exit(2)
    if plain and len(said) == len(request.places) == 1:
        return _describe(said[0], as_json)
    options = TrainingOptions(threads, device, save_every)
    return train_with_progress(lambda shown: train_request(request, file, run_name, shown), options, as_json)


def _describe(kind: str, as_json: bool) -> None:
    """The settings of a learner."""
    from spielwerk.api.catalogue import settings_facts
    from spielwerk.api.train_config import OPTIONS, check_kind
    from spielwerk.learn.config import EvaluationConfig
    from spielwerk.learn.registry import learner_kind

    check_kind([kind])
    own, evaluation = settings_facts(learner_kind(kind).settings_class), settings_facts(EvaluationConfig)
    if as_json:
        return print_json({"kind": kind, "settings": own, "evaluation": evaluation})
    print_settings(own)
    print("Settings of evaluation are options, such as --games 50, or stand in the table [evaluation] of a file:")
    cells = map(setting_cells, evaluation)
    rows = [[name, OPTIONS.get(name, ""), default, text] for name, default, text in cells]
    print_table(("of evaluation", "option", ">default", ""), rows)
    return print(f"To train: spielwerk train {kind} GAME {own[0]['name']}={value_text(own[0]['default'])} --seeds 1-5")
