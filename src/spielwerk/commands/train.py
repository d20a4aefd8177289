"""The command `train`: makes a training run from settings, and carries it out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spielwerk.commands.shared import completion, panels
from spielwerk.commands.shared.options import AsJson
from spielwerk.commands.shared.output import print_json, print_settings, print_table, setting_cells
from spielwerk.commands.shared.train_progress import Device, SaveEvery, Threads, train_with_progress
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
        str, typer.Option("--name", metavar="NAME", help="Name of the run. Default: kind, game and a number.")
    ] = "",
    seeds: Annotated[
        str | None, typer.Option(metavar="1-5", help="Seeds: 1-5, or 1,2,7; a number alone is how many.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=MOST_SEED, help="A single seed. Default: 1.")
    ] = None,
    evaluate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AGENT",
            autocompletion=completion.agents,
            help="Opponent to be measured against; may be repeated.",
        ),
    ] = None,
    games: Annotated[int | None, typer.Option(metavar="N", help="Games against each opponent. Default: 1000.")] = None,
    every: Annotated[
        int | None,
        typer.Option(metavar="N", help="Episodes or generations between evaluations. Default: a tenth of all."),
    ] = None,
    early: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Extra evaluations before the first regular one. Default: 3."),
    ] = None,
    starts: Annotated[
        str | None,
        typer.Option(metavar="fixed|random:N", help="Start of evaluation games: fixed, or after N random turns."),
    ] = None,
    seating: Annotated[
        str | None, typer.Option(metavar="teams|mixed", help="With more than two players: a team, or one seat (mixed).")
    ] = None,
    grade: Annotated[
        str | None, typer.Option(metavar="auto|yes|no", help="Grade by the oracle. Default: auto.")
    ] = None,
    decisions: Annotated[
        int | None, typer.Option(metavar="N", help="Decisions that the oracle grades. Default: 500.")
    ] = None,
    keep: Annotated[int | None, typer.Option(metavar="N", help="Earlier checkpoints to keep, evenly spread.")] = None,
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
    print("Settings of the evaluation are options, such as --games 50, or go in the table [evaluation] of a file:")
    cells = map(setting_cells, evaluation)
    rows = [[name, OPTIONS.get(name, ""), default, text] for name, default, text in cells]
    print_table(("of evaluation", "option", ">default", ""), rows)
    return print(f"To train: spielwerk train {kind} GAME {own[0]['name']}={value_text(own[0]['default'])} --seeds 1-5")
