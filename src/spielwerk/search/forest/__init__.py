"""A tree for each of many positions, whose leaves an estimator estimates together, one of every tree at a time.

A round is one simulation in each tree: select a leaf, estimate, expand it where there are priors, back up. With
compiled evaluations and few positions `search/mcts.py` is faster; here an estimate may be anything, and the trees lie
where the batch lies: on the CPU, or on a GPU, without copies between them.
"""

from spielwerk.search.forest.forest import Forest

__all__ = ["Forest"]
INLINED = True  # as in all of `search/`
