"""Genomes: networks as flat arrays, what they see, how they compute, what their outputs mean."""
