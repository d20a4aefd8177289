"""Search: algorithms that choose moves. Nothing here knows a game."""
