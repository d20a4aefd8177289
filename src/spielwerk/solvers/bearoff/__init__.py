"""Bearing off in backgammon, solved: both sides with few checkers, and one side alone with all of them."""
