"""The probe's table: read as it is, absent where nothing was probed, refused where it is foreign."""

from pathlib import Path

import pytest

from loadstone.errors import InputError
from loadstone.measure.probe import Probe
from loadstone.results.ticks import read_ticks


def test_what_the_probe_wrote_is_read(tmp_path: Path) -> None:
    probe = Probe({}, (0,))
    probe.tick()
    probe.write(tmp_path / "resources.parquet")
    found = read_ticks(tmp_path / "resources.parquet")
    assert found is not None
    assert found.equals(probe.table())


def test_a_run_without_a_probe_has_no_ticks(tmp_path: Path) -> None:
    assert read_ticks(tmp_path / "resources.parquet") is None


@pytest.mark.parametrize("content", [b"", b"PAR1 and nothing else", b"unix_ns,kind\n1,cpu\n"])
def test_a_foreign_file_is_an_error_with_the_path(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "resources.parquet"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"resources\.parquet: not a table of the probe"):
        read_ticks(path)
