"""Learning: training runs, and one folder a learner."""
