"""Tables 3 to 10 and figure 16: flat Monte Carlo and MCTS-Expectimax."""
