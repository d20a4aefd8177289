"""What `train` is asked for: its words, its options and a file of settings become the config of a run."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from spielwerk import names
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.game import Game
    from spielwerk.learn.config import EvaluationConfig, RunConfig

OPTIONS = {"opponents": "--evaluate"}  # of the settings of evaluation; the others are called as they are
OPTIONS |= {name: f"--{name}" for name in ("games", "every", "early", "starts", "seating", "grade", "decisions")}
TABLES = ("evaluation", "run")  # that a file may have
Made = TypeVar("Made")
Values = Mapping[str, Any]


@dataclass(frozen=True)
class TrainRequest:
    """The words of the command, its options --seeds, --seed and --keep, and those of evaluation by their names."""

    words: Sequence[str]
    seeds: str | None
    evaluation: Values
    keep: int | None = None
    seed: int | None = None  # where it is one

    def __post_init__(self) -> None:
        if self.seed is not None and self.seeds is not None:
            raise BadInput(f"Give either one seed ({self.seed}) or several ({self.seeds}), not both.")

    @property
    def places(self) -> list[str]:
        """The first two words, as far as they are no settings: a learner and a game."""
        found = list(self.words[:2])
        return found[: next((i for i, word in enumerate(found) if _is_setting(word)), len(found))]

    @property
    def settings(self) -> dict[str, str]:
        """The other words."""
        from spielwerk.learn.registry import length_name

        pairs: dict[str, str] = {}
        for word in self.words[len(self.places) :]:
            key, equals, value = word.partition("=")
            if not equals or not key:
                such = length_name(self.places[0] if self.places else "")
                raise BadInput(f'"{word}" is not a setting; write key=value, such as {such}=1000.')
            if key in pairs:
                raise BadInput(f'"{key}" is set twice.')
            pairs[key] = value
        return pairs


@dataclass(frozen=True)
class SettingsFile:
    """A file of settings: those of the learner, and its tables. Without a path there is none, and it says nothing."""

    path: Path | None
    settings: Values
    evaluation: Values
    run: Values

    @staticmethod
    def read(path: Path | None) -> SettingsFile:
        """The file; its settings are not checked yet."""
        from spielwerk.learn.config import ABOUT, read_toml

        values = read_toml(path) if path else {}
        tables = {name: values.pop(name, {}) for name in TABLES}
        for name, table in tables.items():
            if not isinstance(table, dict):
                raise BadInput(f"{path}: {name} must be a table, [{name}], not a setting.")
        known = (*ABOUT, "seed")
        for key in tables["run"]:
            if key not in known:
                raise names.unknown(f"{path}: [run] has no setting", key, known, "Settings")
        return SettingsFile(path, values, **tables)

    def under(self, given: Values, written: Values, make: Callable[[dict[str, Any]], Made]) -> Made:
        """What `make` makes of what is written, and given over it; what is wrong in the file is said with its name."""
        try:
            return make({**written, **given})
        except BadInput as problem:
            if written and _problem(make, written) == str(problem):
                raise BadInput(f"{self.path}: {problem}") from None
            raise


def config_of(request: TrainRequest, file: Path | None) -> RunConfig:
    """What the command asks for: the file's settings, and over them those of the command line."""
    from spielwerk.games.registry import game
    from spielwerk.learn.config import RunConfig, evaluation_of, extended_of, keep_of
    from spielwerk.learn.registry import length_name, settings_of
    from spielwerk.version import __version__

    written = SettingsFile.read(file)
    kind, name = _kind_and_game(request, written)
    _check_places(kind, request, written)
    settings = written.under(request.settings, written.settings, lambda values: settings_of(kind, values))
    variant: Game = written.under(name, _part(written.run, "game"), lambda values: game(str(values["game"])))
    _check_run(written, kind, variant)
    chosen = written.under(
        request.evaluation, written.evaluation, lambda values: _canonical(evaluation_of(values), variant)
    )
    counted = length_name(kind)
    planned = getattr(settings, counted)
    chosen.check(variant, planned, counted)
    longer = written.under(
        {}, _part(written.run, "extended"), lambda values: extended_of(values.get("extended", ()), planned)
    )
    meant = _seeds(request, written)
    given = {} if request.keep is None else {"keep": request.keep}
    keep = written.under(given, _part(written.run, "keep"), lambda values: keep_of(values.get("keep", 0)))
    _check_keep(kind, keep)
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return RunConfig(kind, variant.name, asdict(settings), meant, chosen, __version__, started, keep, longer)


def _seeds(request: TrainRequest, written: SettingsFile) -> tuple[int, ...]:
    """The seeds that are asked for, those of the file, or seed 1."""
    from spielwerk.learn.config import seed_of, seeds_of

    given = {"seeds": request.seeds, "seed": request.seed}
    given = {key: value for key, value in given.items() if value is not None}
    known = {} if given else {key: written.run[key] for key in ("seeds", "seed") if key in written.run}
    if len(known) > 1:
        raise BadInput(f"{written.path}: [run] has either seed or seeds, not both.")

    def make(values: dict[str, Any]) -> tuple[int, ...]:
        return seed_of(values["seed"]) if "seed" in values else seeds_of(values.get("seeds", 1))

    return written.under(given, known, make)


def check_kind(words: Sequence[str]) -> None:
    """Refuses a first word that is a game and not a learner, with the command that was probably meant."""
    from spielwerk.games import registry as games
    from spielwerk.learn import registry as learners

    if words[0] not in learners.kinds() and names.split(words[0])[0] in games.kinds():
        raise BadInput(f"Did you mean: {_command(learners.kinds()[0], *words)}?")


def _kind_and_game(request: TrainRequest, written: SettingsFile) -> tuple[str, dict[str, str]]:
    """The learner, and the game if the command names it, which it need not where the file does."""
    from spielwerk.learn.registry import kinds

    places, rest = request.places, list(request.words[len(request.places) :])
    if places:
        check_kind(request.words)
    kind = places[0] if places else str(written.run.get("kind", ""))
    if not kind or (len(places) < 2 and "game" not in written.run):
        what = "The game is" if kind else "The learner and the game are"
        options = ["--settings", str(written.path)] if written.path else []
        raise BadInput(f"{what} missing: {_command(kind or kinds()[0], 'GAME', *rest, *options)}")
    return kind, {"game": places[1]} if len(places) > 1 else {}


def _check_places(kind: str, request: TrainRequest, written: SettingsFile) -> None:
    """Refuses settings that stand where others belong: those of evaluation, of the run, and tables that there are not.

    A learner may have settings of the same names.
    """
    from spielwerk.learn.config import ABOUT, EvaluationConfig
    from spielwerk.learn.registry import learner_kind

    own = {field.name for field in fields(learner_kind(kind).settings_class)}
    evaluation = {field.name for field in fields(EvaluationConfig)}
    for key, value in request.settings.items():
        if key not in own and key in OPTIONS:
            raise BadInput(f"{key} is a setting of the evaluation; write {OPTIONS[key]} {value}")
        if key not in own and key == "keep":
            raise BadInput(f"keep is a setting of the run; write --keep {value}")
        if key not in own and key in ("seed", "seeds"):
            raise BadInput(f"{key} is a setting of the run; write --{key} {value}")
    for key, value in written.settings.items():
        if key not in own and isinstance(value, dict):
            raise _unknown_table(f"{written.path}: ", key, kind)
        if key not in own and key in (*evaluation, *ABOUT, "seed"):
            raise BadInput(f"{written.path}: {key} belongs in [{'evaluation' if key in evaluation else 'run'}].")


def _unknown_table(where: str, given: str, kind: str) -> BadInput:
    """The error for a table that a file cannot have."""
    near = names.nearest(given, TABLES)
    hint = f" Did you mean [{near}]?" if near else ""
    tables = " and ".join(f"[{name}]" for name in TABLES)
    return BadInput(
        f"{where}there is no table [{given}].{hint} Settings of {kind} go at the top of the file, before {tables}."
    )


def _check_run(written: SettingsFile, kind: str, variant: Game) -> None:
    """Refuses a file of another learner or another game."""
    from spielwerk.games.registry import game

    run = written.run
    if run.get("kind", kind) != kind:
        raise BadInput(f"{written.path} is for {run['kind']}, not for {kind}.")
    if "game" in run and written.under({}, run, lambda values: game(str(values["game"]))).name != variant.name:
        raise BadInput(f"{written.path} is for the game {run['game']}, not for {variant.name}.")


def _check_keep(kind: str, keep: int) -> None:
    """Refuses to keep earlier checkpoints of a learner whose last one has agents of the past."""
    from spielwerk.learn.registry import learner_kind

    if keep and learner_kind(kind).earlier:
        raise BadInput(f"{kind} needs no keep: its runs keep earlier agents anyway, as {kind}:RUN,at=NUMBER.")


def _canonical(evaluation: EvaluationConfig, game: Game) -> EvaluationConfig:
    """The same, with opponents as they write their own names."""
    from spielwerk.agents.registry import agent

    opponents = []
    for opponent, games in evaluation.matches():
        kind, values = names.split(agent(opponent, game).name)
        opponents.append(names.join(kind, values | {"games": str(games)}))
    return replace(evaluation, opponents=tuple(opponents))


def _is_setting(word: str) -> bool:
    """Whether a word is key=value; games have their settings behind a colon."""
    return "=" in word and ":" not in word.partition("=")[0]


def _part(values: Values, key: str) -> dict[str, Any]:
    return {key: values[key]} if key in values else {}


def _problem(make: Callable[[dict[str, Any]], Any], values: Values) -> str:
    """What is wrong with the values alone; "" where nothing is."""
    try:
        make(dict(values))
    except BadInput as problem:
        return str(problem)
    return ""


def _command(*words: str) -> str:
    return shlex.join(["spielwerk", "train", *words])
