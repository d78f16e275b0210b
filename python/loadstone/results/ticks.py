"""Reads `resources.parquet`: the probe's ticks, a row for each process group, CPU, and the machine."""

from pathlib import Path

import polars as pl

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
