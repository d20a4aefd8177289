"""The phases of a game, one file a game that has some of its own; others are divided into thirds.

A game's module names such a file in `PHASES`: the names of the phases in their order, `NAMES`, and `phase(position)`.
"""
