"""Files as they should not be: what hypothesis does to the bytes of a good one."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

CAREFUL = settings(
    deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
DIGITS = b"9" * 400
DEEP = b"[" * 20_000
WORDS = (b"NaN", b"Infinity", b"-1", b"null", b"{}", b"[]", b'""', b"1e999", b"\x1b[2J", b"\x00", b"\xff", DIGITS, DEEP)


@st.composite
def damaged(draw: st.DrawFn, good: bytes) -> bytes:
    """The bytes with some bits flipped, a piece cut out, or something put in that nobody expects."""
    data = bytearray(good)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        how = draw(st.sampled_from(("flip", "cut", "end", "insert", "replace", "twice")))
        if how == "flip" and data:
            data[at] ^= 1 << draw(st.integers(0, 7))
        elif how == "cut":
            del data[at : at + draw(st.integers(1, 40))]
        elif how == "end":
            del data[at:]
        elif how == "insert":
            data[at:at] = draw(st.sampled_from(WORDS))
        elif how == "replace":
            data[at : at + draw(st.integers(1, 10))] = draw(st.sampled_from(WORDS) | st.binary(max_size=8))
        else:
            data += data[at : at + 200]
    return bytes(data)
