"""Further inputs for networks, one file a game that has some; its module names them in `OBSERVATIONS`."""
