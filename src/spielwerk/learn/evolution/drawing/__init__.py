"""Drawing: graphs of genomes, how they grew, and the plot of a history."""
