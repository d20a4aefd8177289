"""What learners with a neural network share; all but `forms.py` and `inputs.py` needs torch, the extra `train`."""
