"""Every workload that the documentation shows is one."""

from pathlib import Path

import pytest

from documented_workloads import PAGES, shown_on, write_shown
from loadstone.study.files.workload_file import read_workload

SHOWN = [(page, name) for page in PAGES for name in shown_on(page)]


def test_there_is_one_to_test() -> None:
    assert len(SHOWN) > 5


@pytest.mark.parametrize(("page", "name"), SHOWN, ids=[name for _, name in SHOWN])
def test_a_documented_workload_is_read(tmp_path: Path, page: Path, name: str) -> None:
    write_shown(page, tmp_path)
    assert read_workload(tmp_path / f"{name}.yaml").workload == name
