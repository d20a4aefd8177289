"""The networks of AlphaZero: what they look like (`form.py`, which needs no torch) and the torch modules."""
