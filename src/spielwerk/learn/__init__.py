"""Learning: training runs, and one folder a way of learning."""
