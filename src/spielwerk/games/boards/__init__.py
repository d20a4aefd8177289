"""Boards: what the rules of a game, and what stands beside them, read off a board without knowing whose turn it is."""
