"""The actor-critic on nine men's morris: what each of its techniques is worth, and how small a network can be."""
