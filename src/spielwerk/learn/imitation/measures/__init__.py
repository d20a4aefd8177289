"""How well a cascade has learned: whom it imitates, whether it keeps to the rules, and how surely."""
