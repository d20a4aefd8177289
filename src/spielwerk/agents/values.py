"""What the setting `value` of the searches names: an evaluation of the game, something learned, an oracle, a file."""

from __future__ import annotations

from pathlib import Path

from spielwerk import names
from spielwerk.games.evaluation import NONE, evaluation
from spielwerk.games.game import Game
from spielwerk.names import BadInput
from spielwerk.search.estimator import Estimator
from spielwerk.search.evaluation_estimator import EvaluationEstimator

ORACLE = "oracle"


def estimator(game: Game, name: str) -> Estimator:
    """The estimator of `game` by that name.

    First come its own evaluations and `none`, then `oracle`, the kinds that are shipped (`td`), runs (`NAME`,
    `NAME/SEED`) and files (`FILE.safetensors`, `FILE.onnx`).
    """
    if not name or name == NONE or name in game.evaluations:
        return EvaluationEstimator(game, evaluation(game, name))
    if name == ORACLE:
        from spielwerk.solvers.estimator import OracleEstimator

        return OracleEstimator(game)
    from spielwerk.learn.registry import BUILT_IN

    return _learned(game, name, "") if name in BUILT_IN else _trained(game, name)


def _trained(game: Game, name: str) -> Estimator:
    """What a run or a file has learned."""
    from spielwerk.learn.kind import ONNX
    from spielwerk.learn.registry import BUILT_IN, played_files
    from spielwerk.learn.runs import names_of_runs, open_run

    runs, suffix = names_of_runs(), Path(name).suffix
    run, _, seed = name.partition("/")
    if run in runs:
        return _learned(game, open_run(run).config.kind, name)
    if suffix == ONNX:
        return _network(game, name)
    files = played_files()
    if suffix in files:
        return _learned(game, _kind(name, files[suffix]), name)
    if seed and not seed.isdecimal():
        raise BadInput(f"{name} is not an exported agent; their names end in {names.either(list(files))}.")
    known = [*game.evaluations, NONE, *BUILT_IN, ORACLE, *runs]
    raise names.unknown(f"{game.kind} has no evaluation", name, known, "Evaluations and runs")


def _kind(name: str, first: str) -> str:
    """What has trained a file: a checkpoint says it, any other file goes to the `first` learner that has such files."""
    from spielwerk.learn import checkpoint
    from spielwerk.learn.kind import SAFETENSORS

    return checkpoint.read(Path(name)).metadata.get("kind", "nobody") if name.endswith(SAFETENSORS) else first


def _learned(game: Game, kind: str, run: str) -> Estimator:
    """What a learner of that kind has learned; without a run, what comes with the package."""
    from spielwerk.learn.registry import kinds, learner_kind

    make = learner_kind(kind).find_estimator() if kind in kinds() else None
    if make is None:
        whose = f"{run} was trained by {kind}, whose networks" if run else f"The networks of {kind}"
        raise BadInput(f"{whose} do not value positions.")
    return make(game, run)


def _network(game: Game, name: str) -> Estimator:
    """A network in an ONNX file."""
    from spielwerk.learn.evolution.settings import AFTERSTATE
    from spielwerk.learn.onnx.estimator import OnnxEstimator
    from spielwerk.learn.onnx.model import OnnxModel

    model = OnnxModel(Path(name), game)
    if model.outputs == [AFTERSTATE]:
        from spielwerk.learn.evolution.onnx_estimator import GraphEstimator

        return GraphEstimator(game, model, name)
    return OnnxEstimator(game, model, name)
