"""AlphaZero with dice: the network of the third source, trained, and its parts compared at equal compute."""
