"""Agents by name: the only layer that knows them all."""
