"""What the setting `value` of the searches names: an evaluation of the game, something learned, an oracle, a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from spielwerk import names
from spielwerk.games.evaluation import NONE, Evaluation, evaluation
from spielwerk.games.game import Game
from spielwerk.names import BadInput
from spielwerk.search.estimator import Estimator
from spielwerk.search.evaluation_estimator import EvaluationEstimator

ORACLE = "oracle"
FILES = (".safetensors", ".json", ".onnx")  # how the names of files end that hold something learned


def estimator(game: Game, name: str) -> Estimator:
    """The estimator of `game` by that name.

    First come its own evaluations and `none`, then the kinds that are shipped (`td`), `oracle`, runs (`NAME`,
    `NAME/SEED`) and files (`FILE.safetensors`, `FILE.onnx`).
    """
    if not name or name == NONE or name in game.evaluations:
        return EvaluationEstimator(game, evaluation(game, name))
    if name in LEARNED:
        return EvaluationEstimator(game, LEARNED[name](game, ""))
    if name == ORACLE:
        from spielwerk.solvers.estimator import OracleEstimator

        return OracleEstimator(game)
    return _trained(game, name)


def valuation(game: Game, name: str, agent: str) -> Evaluation:
    """The same for a search that compiles it; `agent` is the one that needs it."""
    return compiled(estimator(game, name), agent)


def compiled(found: Estimator, agent: str) -> Evaluation:
    """The evaluation that an estimator is; refuses one that cannot be compiled."""
    if found.compiled is None:
        raise BadInput(f"{agent} needs an evaluation that can be compiled; {found.name} is not.")
    return found.compiled


def _trained(game: Game, name: str) -> Estimator:
    """What a run or a file has learned."""
    from spielwerk.learn.kind import ONNX
    from spielwerk.learn.runs import names_of_runs
    from spielwerk.names import either

    runs, suffix = names_of_runs(), Path(name).suffix
    is_run = name.partition("/")[0] in runs
    if suffix == ONNX and not is_run:
        return _network(game, name)
    seed = name.partition("/")[2]
    if seed and not seed.isdecimal() and not is_run and suffix not in FILES:
        raise BadInput(f"{name} is no exported agent; their names end in {either(FILES)}.")
    if not is_run and suffix not in FILES:
        known = [*game.evaluations, NONE, *LEARNED, ORACLE, *runs]
        raise names.unknown(f"{game.kind} has no evaluation", name, known, "Evaluations and runs")
    kind = _kind(name, is_run)
    if kind not in LEARNED:
        raise BadInput(f"{name} was trained by {kind}, whose networks value no positions.")
    return EvaluationEstimator(game, LEARNED[kind](game, name))


def _kind(name: str, is_run: bool) -> str:
    """What has trained a run or a file."""
    from spielwerk.learn import checkpoint, runs
    from spielwerk.learn.kind import JSON

    if is_run:
        return runs.open_run(name.partition("/")[0]).config.kind
    return "evolution" if name.endswith(JSON) else checkpoint.read(Path(name)).metadata.get("kind", "nobody")


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


def _by_td(game: Game, run: str) -> Evaluation:
    from spielwerk.learn.td.evaluation import evaluation
    from spielwerk.learn.td.network_files import trained

    return evaluation(trained(game, run), run or "td")


def _by_evolution(game: Game, run: str) -> Evaluation:
    from spielwerk.learn.evolution.champion_files import trained
    from spielwerk.learn.evolution.evaluation import evaluation

    return evaluation(game, *trained(game, run), run or "evolution")


# What was learned as an evaluation, by the kind of learner; without a run, what comes with the package.
LEARNED: dict[str, Callable[[Game, str], Evaluation]] = {"td": _by_td, "evolution": _by_evolution}
