"""The probe's table: read as it is, absent where nothing was probed, refused where it is foreign."""

from pathlib import Path

import polars as pl
import pytest

from loadstone.errors import InputError
from loadstone.measure.loading.probe import Probe
from loadstone.results.ticks import read_ticks, since_load_ns


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


def test_a_wall_clock_that_is_set_moves_no_tick() -> None:
    second = 1_000_000_000
    table = pl.DataFrame(
        {
            "unix_ns": [50 * second, 51 * second, 2 * second],
            "monotonic_ns": [7 * second, 8 * second, 9 * second],
        }
    )
    assert since_load_ns(table, 50 * second).tolist() == [0, second, 2 * second]
    assert since_load_ns(table.drop("monotonic_ns"), 50 * second).tolist()[2] < 0
