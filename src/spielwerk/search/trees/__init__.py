"""Trees for Monte Carlo tree search: their nodes, how children are selected, what is certain, what was found."""

INLINED = True  # as in all of `search/`
