"""The networks of the actor-critic: their shape and places (without torch), and the torch modules."""
