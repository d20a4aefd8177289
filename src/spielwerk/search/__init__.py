"""Search: algorithms that choose moves. Nothing here knows a game."""

INLINED = True  # its small functions call each other in the innermost loops: see `kernel/cpu.py`
