"""Breeding: mutation, crossover, species, and the next generation."""
