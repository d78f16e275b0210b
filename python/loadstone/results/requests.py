"""Reads `requests.bin`: a row for every request of a load, in the order in which they ended.

The file is a line of JSON, then rows of 64 bytes, little-endian. Nothing here is a figure: this is
for questions that distributions do not answer.
"""

import json
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from loadstone.errors import InputError
from loadstone.metrics.outcomes import NotSent, Outcome

FORMAT, VERSION = "loadstone requests", 1
NEVER = np.iinfo(np.uint64).max
"""Of a time: it did not come to that."""
NOWHERE = np.iinfo(np.uint32).max
"""Of a connection: the request never had one."""

ROW = np.dtype(
    [
        ("sequence", "<u8"),
        ("intended_ns", "<u8"),
        ("written_ns", "<u8"),
        ("first_byte_ns", "<u8"),
        ("done_ns", "<u8"),
        ("bytes_received", "<u8"),
        ("bytes_sent", "<u4"),
        ("connection", "<u4"),
        ("worker", "<u2"),
        ("operation", "<u2"),
        ("status", "<u2"),
        ("outcome", "u1"),
        ("not_sent", "u1"),
    ]
)
_TIMES = ("intended_ns", "written_ns", "first_byte_ns", "done_ns")
_REMEDY = "the file was cut or is not the engine's: do the load again"


def read_requests(path: Path) -> pl.DataFrame:
    """One row for each request; times are nanoseconds since the load began.

    What did not happen is null: a time, `status` without an answer, `connection` and times of what
    was not sent, `not_sent` of what was. `sequence` is the order of offering within a `worker`,
    `connection` its number there.
    `InputError` for a file that is missing, cut or not one of these.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(
            "the file is missing", path=path, remedy="keep it with `loadstone bench --requests`"
        ) from None
    head, newline, body = content.partition(b"\n")
    if not newline:
        raise InputError("ends within its header", path=path, line=1, remedy=_REMEDY)
    operations = _operations(path, head)
    whole, rest = divmod(len(body), ROW.itemsize)
    if rest:
        raise InputError(
            f"ends within a row: {whole} rows of {ROW.itemsize} bytes, and {rest} bytes of another",
            path=path,
            remedy=_REMEDY,
        )
    rows = np.frombuffer(body, dtype=ROW)
    return pl.DataFrame(
        {
            "sequence": rows["sequence"],
            "worker": rows["worker"],
            "connection": rows["connection"],
            "operation": _named(path, rows, "operation", operations),
            **{name: rows[name] for name in _TIMES},
            "bytes_sent": rows["bytes_sent"],
            "bytes_received": rows["bytes_received"],
            "status": rows["status"],
            "outcome": _named(path, rows, "outcome", tuple(Outcome)),
            "not_sent": _named(path, rows, "not_sent", ("", *NotSent)),
        }
    ).with_columns(
        *(pl.col(name).replace(NEVER, None) for name in _TIMES),
        pl.col("connection").replace(NOWHERE, None),
        pl.col("status").replace(0, None),
        pl.col("not_sent").replace("", None),
    )


def _operations(path: Path, head: bytes) -> tuple[str, ...]:
    try:
        header = json.loads(head)
        if (header["format"], header["version"]) == (FORMAT, VERSION):
            return tuple(map(str, header["operations"]))
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(
        f"the first line is not that of {FORMAT}, version {VERSION}",
        path=path,
        line=1,
        remedy=_REMEDY,
    )


def _named(
    path: Path, rows: NDArray[np.void], column: str, names: tuple[str, ...]
) -> NDArray[np.str_]:
    numbers = rows[column]
    if numbers.size and int(numbers.max()) >= len(names):
        raise InputError(
            f"row {int(numbers.argmax()) + 1} has the {column} {int(numbers.max())}, "
            f"and there are {len(names)}",
            path=path,
            remedy=_REMEDY,
        )
    return np.array(names, dtype=np.str_).take(numbers)
