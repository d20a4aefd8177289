"""Learners that are trained for equal times and measured on the way: what several studies are made of."""
