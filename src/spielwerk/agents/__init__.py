"""Agents by name: the only room that knows them all."""
