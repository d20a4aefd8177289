"""AlphaZero, with dice and for any number of players: a network with two heads learns from its own tree search."""
