"""What imitation learns from: observed moves, read, expanded by symmetries, split, described, or made by a teacher."""
