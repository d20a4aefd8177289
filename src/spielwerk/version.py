"""The version, which the store and records write down."""

__version__ = "0.1.0"
