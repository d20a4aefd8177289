"""Actor-critic: a policy learns from what its own moves led to, measured against what a value expected."""
