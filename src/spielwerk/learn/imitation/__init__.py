"""Imitation: networks that learn a game, and its rules, from observed moves alone."""
