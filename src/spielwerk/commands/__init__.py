"""The commands, by topic: each a thin skin over the layers below."""
