"""The commands, by topic: each a thin skin over the rooms of the house."""
