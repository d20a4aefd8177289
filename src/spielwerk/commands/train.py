"""The command `train`: makes a training run from settings, and carries it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielwerk import names
from spielwerk.commands.shared import AsJson, print_json, print_settings, settings_facts
from spielwerk.commands.training import DEFAULT_SAVE, SaveEvery, Threads, carry_on, prepare
from spielwerk.names import BadInput, value_text

if TYPE_CHECKING:
    from spielwerk.games.game import Game
    from spielwerk.learn.recipe import Evaluation, Recipe

app = typer.Typer()


@app.command()
def train(
    context: typer.Context,
    kind: Annotated[str | None, typer.Argument(metavar="KIND", help="The way of learning: td.")] = None,
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="Such as einstein:board=4.")] = None,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="KEY=VALUE…", help="Settings; `spielwerk train td` lists them.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--settings", metavar="FILE", help="A TOML file of settings, and of a table `evaluation`."),
    ] = None,
    run_name: Annotated[str, typer.Option("--name", help="Of the run. Default: kind, game and a number.")] = "",
    seeds: Annotated[str | None, typer.Option(help="How many, such as 5, or which, such as 1,2,7. Default: 1.")] = None,
    evaluate: Annotated[
        list[str] | None, typer.Option(metavar="AGENT", help="An opponent, such as random:games=2000; several times.")
    ] = None,
    games: Annotated[int | None, typer.Option(help="Against opponents that do not say it. Default: 1000.")] = None,
    every: Annotated[int | None, typer.Option(help="Episodes between evaluations. Default: a tenth of all.")] = None,
    starts: Annotated[
        str | None, typer.Option(help="Of evaluation games: fixed, or random:N, after N random turns.")
    ] = None,
    seating: Annotated[str | None, typer.Option(help="Of more than two players: teams, or mixed (one seat).")] = None,
    grade: Annotated[str | None, typer.Option(help="By the oracle: auto, yes or no.")] = None,
    decisions: Annotated[int | None, typer.Option(help="Decisions that the oracle grades. Default: 500.")] = None,
    threads: Threads = None,
    save_every: SaveEvery = DEFAULT_SAVE,
    as_json: AsJson = False,
) -> None:
    """Train an agent: several seeds at once, measured while they learn, to be stopped and gone on with at any time."""
    from spielwerk.learn.runs import check_new, create

    if kind is None:
        print(context.get_help())
        raise typer.Exit(2)
    if name is None:
        return _describe(kind, as_json)
    if run_name:
        check_new(run_name)
    given = {"opponents": evaluate or None, "games": games, "every": every, "starts": starts}
    given |= {"seating": seating, "grade": grade, "decisions": decisions}
    recipe = _recipe(kind, name, words or [], file, seeds, {key: one for key, one in given.items() if one is not None})
    evaluator = prepare(recipe, threads)
    run = create(recipe, run_name)
    return carry_on(run, evaluator, threads, save_every, as_json)


def _describe(kind: str, as_json: bool) -> None:
    """The settings of a way of learning."""
    from spielwerk.learn.kinds import learner_class
    from spielwerk.learn.recipe import Evaluation

    own, evaluation = settings_facts(learner_class(kind).Settings), settings_facts(Evaluation)
    if as_json:
        return print_json({"kind": kind, "settings": own, "evaluation": evaluation})
    print_settings(own)
    print_settings(evaluation, "of evaluation")
    return print(f"To train: spielwerk train {kind} GAME {own[0]['name']}={value_text(own[0]['default'])} --seeds 5")


def _recipe(
    kind: str, name: str, words: Sequence[str], file: Path | None, seeds: str | None, evaluation: dict[str, Any]
) -> Recipe:
    """What the command asks for: the file's settings, and over them those of the command line."""
    from spielwerk.games.registry import game
    from spielwerk.learn.kinds import settings_of
    from spielwerk.learn.recipe import Recipe, evaluation_of, read_toml, seeds_of
    from spielwerk.version import __version__

    values = read_toml(file) if file else {}
    about, measured = values.pop("run", {}), values.pop("evaluation", {})
    for key, table in (("run", about), ("evaluation", measured)):
        if not isinstance(table, dict):
            raise BadInput(f"{file}: {key} is not a setting but a table, [{key}].")
    settings = settings_of(kind, values | _pairs(words))
    variant = game(name)
    _check_about(about, file, kind, variant)
    chosen = _canonical(evaluation_of(measured | evaluation), variant)
    started = datetime.now(UTC).isoformat(timespec="seconds")
    asked = seeds_of(seeds if seeds is not None else about.get("seeds", 1))
    return Recipe(kind, variant.name, asdict(settings), asked, chosen, __version__, started)


def _check_about(about: dict[str, Any], file: Path | None, kind: str, variant: Game) -> None:
    """Refuses a table `run` that has what it cannot have, or is of another way of learning or another game."""
    from spielwerk.games.registry import game
    from spielwerk.learn.recipe import ABOUT

    for key in about:
        if key not in ABOUT:
            raise names.unknown(f"{file}: [run] has no setting", key, ABOUT, "Settings")
    if about.get("kind", kind) != kind:
        raise BadInput(f"{file} is for {about['kind']}, not for {kind}.")
    if "game" in about and game(str(about["game"])).name != variant.name:
        raise BadInput(f"{file} is for the game {about['game']}, not for {variant.name}.")


def _pairs(words: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise BadInput(f'"{word}" is no setting; write key=value, such as episodes=100000.')
        if key in pairs:
            raise BadInput(f'"{key}" is set twice.')
        pairs[key] = value
    return pairs


def _canonical(evaluation: Evaluation, game: Game) -> Evaluation:
    """The same, with opponents as they write their own names."""
    from spielwerk.agents.registry import agent

    opponents = []
    for opponent, games in evaluation.matches():
        kind, values = names.split(agent(opponent, game).name)
        opponents.append(names.join(kind, values | {"games": str(games)}))
    return replace(evaluation, opponents=tuple(opponents))
