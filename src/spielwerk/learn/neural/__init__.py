"""What learners with a neural network share; needs torch, the extra `train`."""
