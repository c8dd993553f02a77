"""Marks that tests share."""

from typing import Any

import pytest


def slow(*values: Any) -> Any:
    """Leave a case to `make test-all`."""
    return pytest.param(*values, marks=pytest.mark.slow)
