"""How many won positions of 6×6 Othello any agent wins against the oracle: those of `study run alphazero/won`.

python benchmarks/won.py alphazero:iterations=400
python benchmarks/won.py alphazero:RUN,iterations=400,select=puct --positions 100 --json
"""

from __future__ import annotations

import argparse
import json

import numpy as np

from spielwerk.arena.matches.statistics import rate_interval
from spielwerk.names import BadInput
from spielwerk.studies.alphazero.won import PIECE, POSITIONS, tried
from spielwerk.studies.recipe import Form


def main() -> None:
    """Prints the share that is won, with its interval."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("agent")
    options.add_argument("--positions", type=int, default=POSITIONS[0])
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--json", action="store_true")
    asked = options.parse_args()
    if asked.positions < 1:
        options.error("--positions must be at least 1.")
    try:
        found = results(asked.agent, asked.positions, asked.seed)
    except BadInput as problem:
        options.error(str(problem))
    won = (found > 0).astype(float)
    interval, drawn = rate_interval(won, np.arange(len(won))), int((found == 0).sum())
    facts = {"positions": len(won), "won": int(won.sum()), "drawn": drawn, "rate": float(won.mean())}
    if asked.json:
        print(json.dumps(facts | {"rate_interval": list(interval)}))
        return
    rate, low, high = (f"{100 * share:.1f}" for share in (won.mean(), *interval))
    print(f"{asked.agent}: {rate} % ({low} to {high}) of {len(won)} positions won, {drawn} drawn")


def results(agent: str, positions: int, seed: int) -> np.ndarray:
    """The result of each position for the side that should win: 1, 0 or -1."""
    found = list[float]()
    for piece in Form(seed=seed).seeds(-(-positions // PIECE)):
        found += tried(agent, piece, min(PIECE, positions - len(found)), lambda share: None)["results"]
    return np.array(found)


if __name__ == "__main__":
    main()
