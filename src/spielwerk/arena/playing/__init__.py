"""Playing: many boards in step, what decides a match, and the processes that play it."""
