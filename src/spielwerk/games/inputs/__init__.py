"""Further inputs for networks, beside `observe`: functions like it, which a game names in OBSERVATIONS."""
