"""Published experiments, each a named recipe that prints published and reproduced figures."""
