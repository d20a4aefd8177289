"""The games: their rules, compiled for CPU and GPU, and their face for people."""
