"""Records of games and the store that keeps them."""
