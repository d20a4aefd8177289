"""Positions in kernels."""

from spielwerk.games.words import copy_state

__all__ = ["copy_state"]
