"""Compiling: rules and algorithms in plain Python, bound to one game and compiled for a target."""
