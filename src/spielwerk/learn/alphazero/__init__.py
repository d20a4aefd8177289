"""AlphaZero: a network with a policy and a value, taught by a tree search that it guides; for dice too."""
