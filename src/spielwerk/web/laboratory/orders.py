"""From what is asked to a job: everything is checked as the command line would, then written as its words."""

from __future__ import annotations

from collections.abc import Sequence

from spielwerk import names
from spielwerk.agents.registry import agent as agent_of
from spielwerk.api.match import resumable
from spielwerk.api.train import check_unfinished
from spielwerk.api.train_config import OPTIONS, TrainRequest, config_of
from spielwerk.arena.matches.stored_tournament import begin_tournament
from spielwerk.arena.matches.tournament import Terms
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.store import Store
from spielwerk.games.game import Game
from spielwerk.learn.config import RunConfig, seeds_of
from spielwerk.learn.registry import settings_of
from spielwerk.learn.runs import check_new, free_name, in_use, open_run
from spielwerk.names import BadInput, value_text
from spielwerk.solvers.oracle import solver
from spielwerk.studies.registry import recipe
from spielwerk.web.laboratory import bounds
from spielwerk.web.laboratory.asked import (
    MatchAsked,
    ResumeAsked,
    SolveAsked,
    StudyAsked,
    TournamentAsked,
    TrainAsked,
)
from spielwerk.web.laboratory.job import Order
from spielwerk.web.limits import bounded_game

SAVED = 10  # seconds between checkpoints
AS_JSON = "--json"


def train_order(asked: TrainAsked, taken: set[str]) -> Order:
    """A training run; its name is none of those `taken` by jobs that have not made their runs yet."""
    config = _config(asked)
    bounds.check_device(config.kind, asked.device)
    if asked.name:
        check_new(asked.name)
    name = asked.name or free_name(config, taken)
    if name in taken:
        raise BadInput(f"A job trains the run {name} already.")
    own, how = bounds.given(asked.settings), ["--device", asked.device, "--save-every", str(SAVED), AS_JSON]
    words = ["train", config.kind, config.game, *(f"{key}={value}" for key, value in own.items())]
    words += [f"--name={name}", f"--seeds={','.join(map(str, config.seeds))},"]
    words += [f"--evaluate={opponent}" for opponent in config.evaluation.opponents] if asked.opponents else []
    words += [f"{OPTIONS[key]}={value_text(value)}" for key, value in asked.evaluation.items()]
    about = {"run": name, "game": config.game, "learner": config.kind}
    return Order("train", name, [*words, *how], ["runs", "resume", name, *how], about)


def resume_order(name: str, asked: ResumeAsked, taken: set[str]) -> Order:
    """A run that goes on, perhaps longer than it was planned; none of those `taken` by jobs that run."""
    run = open_run(name)
    if name in taken or in_use(name):
        raise BadInput(f"The run {name} is being trained already.")
    if asked.length is None:
        check_unfinished(run)
    else:
        run.config.longer(asked.length)
    for opponent, _ in run.config.evaluation.matches():  # a run may come from elsewhere, and name a program
        bounds.bounded_player(opponent, bounded_game(run.config.game))
    bounds.check_device(run.config.kind, asked.device)
    again = ["runs", "resume", name, "--device", asked.device, "--save-every", str(SAVED), AS_JSON]
    words = [*again, *([f"--episodes={asked.length}"] if asked.length else [])]
    return Order("train", name, words, again, {"run": name, "game": run.config.game, "learner": run.config.kind})


def match_order(asked: MatchAsked) -> Order:
    """A match, which the store knows before it is played: it is then resumed from its beginning."""
    game = bounded_game(asked.game)
    first, second = (_player(name, game) for name in (asked.first, asked.second))
    plan = Plan(game.name, (first, second), asked.games, asked.seed, opening=asked.opening)
    plan.check_opening(game)
    with Store() as store:
        return _match(store.begin(plan), plan)


def stored_match_order(number: int) -> Order:
    """A stored match that was stopped, to be resumed."""
    with Store() as store:
        plan = resumable(store, number)
    _check_players(plan.agents, bounded_game(plan.game))
    return _match(number, plan)


def tournament_order(asked: TournamentAsked) -> Order:
    """A tournament, which the store knows before it is played."""
    game = bounded_game(asked.game)
    agents = tuple(_player(name, game) for name in asked.agents)
    terms = Terms(game.name, agents, asked.games, asked.seed, asked.swiss)
    with Store() as store:
        return _tournament(begin_tournament(store, terms), game.name, agents)


def stored_tournament_order(number: int) -> Order:
    """A stored tournament that was stopped, to be resumed."""
    with Store() as store:
        stored = store.tournament(number)
    if stored.finished:
        raise BadInput(f"Tournament {number} is finished; it cannot be resumed.")
    _check_players(stored.agents, bounded_game(stored.game))
    return _tournament(number, stored.game, stored.agents)


def solve_order(asked: SolveAsked) -> Order:
    """A game to be solved."""
    game = bounded_game(asked.game)
    own = bounds.given(asked.settings)
    bounds.bounded_settings("solve", names.settings(solver(game)[1], f"solve {game.kind}", dict(own)))
    words = ["solve", game.name, *(f"{key}={value}" for key, value in own.items()), AS_JSON]
    return Order("solve", game.name, words, words, {"game": game.name})


def study_order(asked: StudyAsked) -> Order:
    """A published experiment."""
    found = recipe(asked.study)
    words = ["study", "run", found.name, f"--seed={asked.seed}", *(["--quick"] if asked.quick else []), AS_JSON]
    about = {"study": found.name, "quick": asked.quick}
    return Order("study", f"{found.name}{', quick form' if asked.quick else ''}", words, words, about)


def _match(number: int, plan: Plan) -> Order:
    words = ["match", f"--resume={number}", AS_JSON]
    about = {"match": number, "game": plan.game, "agents": list(plan.agents), "games": plan.games}
    return Order("match", " against ".join(plan.agents), words, words, about)


def _tournament(number: int, game: str, agents: Sequence[str]) -> Order:
    words = ["tournament", f"--resume={number}", AS_JSON]
    about = {"tournament": number, "game": game, "agents": list(agents)}
    return Order("tournament", f"{len(agents)} agents in {game}", words, words, about)


def _check_players(agents: Sequence[str], game: Game) -> None:
    """Refuses what the command line may have begun, but the page may not."""
    for name in agents:
        bounds.bounded_player(name, game)


def _config(asked: TrainAsked) -> RunConfig:
    """What the command line would make of it; BadInput where the page may not have it."""
    game = bounded_game(asked.game)
    own = bounds.given(asked.settings)
    if len(seeds_of(asked.seeds)) > bounds.MOST_SEEDS:
        raise BadInput(f"On the page a run has at most {bounds.MOST_SEEDS} seeds.")
    for key in asked.evaluation:
        if key not in OPTIONS or key == "opponents":
            raise names.unknown("evaluation has no setting", key, OPTIONS, "Settings")
    for opponent in asked.opponents:  # before any of them is made
        bounds.bounded_player(_without_games(opponent), game)
    bounds.bounded_settings(asked.learner, settings_of(asked.learner, dict(own)))
    evaluation = {**bounds.given(asked.evaluation), **({"opponents": asked.opponents} if asked.opponents else {})}
    words = [asked.learner, game.name, *(f"{key}={value}" for key, value in own.items())]
    config = config_of(TrainRequest(words, asked.seeds, evaluation), None)
    bounds.bounded_evaluation(config.evaluation, game)
    return config


def _without_games(opponent: str) -> str:
    """An opponent of an evaluation without the number of games against it."""
    kind, values = names.split(opponent)
    values.pop("games", None)
    return names.join(kind, values)


def _player(name: str, game: Game) -> str:
    """An agent of a match as it writes its own name; BadInput where it does not play the game."""
    made = agent_of(bounds.bounded_player(name, game), game)
    try:
        return made.name
    finally:
        made.close()
