"""Matches, tournaments and ratings, with their statistics."""
