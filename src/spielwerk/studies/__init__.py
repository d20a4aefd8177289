"""Published experiments, each a named recipe that prints their figures beside ours."""
