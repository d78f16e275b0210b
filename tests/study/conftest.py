from pathlib import Path

import pytest
from small_lab import SmallLab


@pytest.fixture
def lab(tmp_path: Path) -> SmallLab:
    return SmallLab(tmp_path)
