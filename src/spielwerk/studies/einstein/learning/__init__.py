"""Tables 11 to 15 and figures 17 to 29: TD, its settings and its learning curves."""
