"""Mills of many men at once: whole boards as bits, where the rules ask point by point."""

from spielwerk.games.morris import MILLS
from spielwerk.kernel.bits import narrow


def in_mills(men):
    """The men that stand in mills."""
    found = narrow(0)
    for mill in MILLS:
        if men & mill == mill:
            found = narrow(found | mill)
    return found


def closing(men):
    """The points on which one more man closes a mill."""
    found = narrow(0)
    for mill in MILLS:
        missing = mill & ~men
        if missing & (missing - 1) == 0:
            found = narrow(found | missing)
    return found


def takeable(men):
    """The men outside mills, or all if all are in mills."""
    loose = narrow(men & ~in_mills(men))
    return loose if loose != 0 else men


def first_of(men):
    """The first of the men, as a bit."""
    return narrow(men & -men)


def without_first(men):
    """The men without the first of them."""
    return narrow(men & (men - 1))
