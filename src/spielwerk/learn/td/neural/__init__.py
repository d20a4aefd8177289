"""TD learning with a network in place of tables; needs torch, the extra `train`."""
