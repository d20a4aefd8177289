"""Reviewing: what each turn of a game cost, by an oracle where it knows, and by an agent elsewhere."""
