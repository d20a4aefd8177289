"""Figures 12 to 15: TD with experience replay."""
