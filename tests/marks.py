"""Marks for some of the cases of a test."""

from __future__ import annotations

from typing import Any

import pytest


def slow(*cases: Any) -> list[Any]:
    """Cases that prove again, in a long time, what others prove in a short one; `make verify` runs them."""
    return [pytest.param(case, marks=pytest.mark.slow) for case in cases]
