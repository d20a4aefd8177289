"""The networks of imitation, as modules of torch."""
