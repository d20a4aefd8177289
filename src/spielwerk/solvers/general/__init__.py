"""A general exact solver: what every position of a small game is worth, from nothing but its rules."""
