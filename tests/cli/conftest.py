"""Fixtures: a lab in a root of its own, that must have left nothing behind at its end."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from lab import Lab


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    found = Lab(tmp_path)
    yield found
    try:
        assert found.left_behind() == []
    finally:
        found.kill_all()
