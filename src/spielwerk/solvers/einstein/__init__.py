"""EinStein for two, solved: what every position with few stones is worth, and the best reply to another player."""
