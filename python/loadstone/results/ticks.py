"""Reads `resources.parquet`: the probe's ticks, a row for each process group, CPU, and the machine."""

from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from loadstone.errors import InputError


def read_ticks(path: Path) -> pl.DataFrame | None:
    """Every row in the order of the ticks; none where there is no such file.

    `InputError` for a file that is not one of the probe's.
    """
    if not path.is_file():
        return None
    try:
        table = pl.read_parquet(path)
        return table.select("unix_ns", "kind", "name", pl.exclude("unix_ns", "kind", "name"))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(
            f"not a table of the probe ({str(error).splitlines()[0]})",
            path=path,
            remedy="the file was changed or is not the lab's: do the run again",
        ) from None


def rows_of(ticks: pl.DataFrame, process: str) -> pl.DataFrame:
    """The rows of one process group, in the order of the ticks."""
    return ticks.filter((pl.col("kind") == "process") & (pl.col("name") == process))


def since_load_ns(rows: pl.DataFrame, load_started_unix_ns: int) -> NDArray[np.int64]:
    """Return when each row was taken, since the load began.

    By the clock that nobody sets, so that a step of the wall clock moves no tick out of the window; the
    wall clock tells once, at the first tick, how the two lie to each other.
    """
    unix_ns = rows["unix_ns"].to_numpy()
    if rows.is_empty() or "monotonic_ns" not in rows.columns or rows["monotonic_ns"].null_count():
        return unix_ns - load_started_unix_ns
    monotonic_ns = rows["monotonic_ns"].to_numpy()
    began_ns = load_started_unix_ns - (unix_ns[0] - monotonic_ns[0])
    return np.asarray(monotonic_ns - began_ns)
