"""The study of evolving networks that learn nim: the source's experiments, and the questions that it leaves open."""
