"""Temporal-difference learning with n-tuple networks."""
