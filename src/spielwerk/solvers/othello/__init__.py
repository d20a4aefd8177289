"""Othello near its end, solved by search when it is asked about; small boards from the start."""
