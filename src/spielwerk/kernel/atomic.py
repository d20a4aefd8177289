"""Numbers (int32) that several threads of a GPU change at once, as plain Python; CUDA has its own instructions.

On the CPU no two threads may use the same number.
"""


def swap_if(array, i, old, new):
    """Writes `new` to `array[i]` if that is `old`; returns what it was."""
    was = array[i]
    if was == old:
        array[i] = new
    return was


def lower(array, i, value):
    """Writes `value` to `array[i]` if that is larger."""
    if array[i] > value:
        array[i] = value
