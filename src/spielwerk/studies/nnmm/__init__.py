"""Learning to play by the rules from observed moves: the published study, and the questions that it leaves open."""
