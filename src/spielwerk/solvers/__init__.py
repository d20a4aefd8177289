"""Exact solvers: what each game's oracle is made of."""
