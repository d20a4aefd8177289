"""Grading: what an agent's choices cost against the truth."""
