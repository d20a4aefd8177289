"""Activations: what a node makes of the sum that reaches it. Each keeps finite numbers finite."""

from math import cos, exp, pi, sin, tanh

ACTIVATIONS = ("elu", "relu", "tanh", "sigmoid", "identity", "sin", "cos", "gauss", "abs", "square", "step", "wave")
ELU, RELU, TANH, SIGMOID, IDENTITY, SIN, COS, GAUSS, ABS, SQUARE, STEP, WAVE = range(len(ACTIVATIONS))
FARTHEST = 1e9  # from 0 that a sum or a value can be


def activate(kind, total):
    """The value of a node."""
    x = min(max(total, -FARTHEST), FARTHEST)
    if kind == ELU:
        return x if x > 0.0 else exp(x) - 1.0
    if kind == RELU:
        return max(x, 0.0)
    if kind == TANH:
        return tanh(x)
    if kind == SIGMOID:
        return 1.0 / (1.0 + exp(-min(max(x, -700.0), 700.0)))
    if kind == IDENTITY:
        return x
    if kind == SIN:
        return sin(x)
    if kind == COS:
        return cos(x)
    if kind == GAUSS:
        return exp(-min(x * x, 700.0))
    if kind == ABS:
        return abs(x)
    if kind == SQUARE:
        return min(x * x, FARTHEST)
    if kind == STEP:
        return 1.0 if x > 0.0 else 0.0
    return cos(pi * x)
