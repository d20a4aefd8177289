"""Games in progress: tables, who looks at them, what is thought about them, and those that agents play alone."""
