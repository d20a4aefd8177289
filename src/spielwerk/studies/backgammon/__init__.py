"""The ladder of backgammon players, from random to GNU Backgammon, with our network on it."""
