"""Every workload that the documentation shows is one."""

import re
from pathlib import Path

import pytest

from loadstone.study.files.workload_file import read_workload

PAGES = sorted((Path(__file__).parents[2] / "docs").rglob("*.md"))
BLOCK = re.compile(r"^```yaml\n(workload: (\S+)\n.*?)^```", re.MULTILINE | re.DOTALL)
SHOWN = [found for page in PAGES for found in BLOCK.findall(page.read_text())]


def test_there_is_one_to_test() -> None:
    assert SHOWN


@pytest.mark.parametrize(("text", "name"), SHOWN, ids=[name for _, name in SHOWN])
def test_a_documented_workload_is_read(tmp_path: Path, text: str, name: str) -> None:
    path = tmp_path / f"{name}.yaml"
    path.write_text(text)
    assert read_workload(path).workload == name
