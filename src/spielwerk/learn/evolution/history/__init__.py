"""History: what is recorded of each generation, and the champions that are kept."""
