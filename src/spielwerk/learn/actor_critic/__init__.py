"""The actor-critic: a policy that learns by its own games, and a value that tells how well they go."""
