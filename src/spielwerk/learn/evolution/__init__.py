"""Evolution: networks whose topology and weights grow together, generation by generation."""
