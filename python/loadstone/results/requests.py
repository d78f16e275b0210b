"""Reads `requests.bin`: a row for every request of a load, in the order in which they ended.

The file is a line of JSON, then rows of 80 bytes, little-endian; version 1 has rows of 64, which tell
no session, and is read, too. Nothing here is a figure: this is
for questions that distributions do not answer.
"""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from loadstone.errors import InputError
from loadstone.metrics.outcomes import NotSent, Outcome

FORMAT, VERSION = "loadstone requests", 2
NEVER = np.iinfo(np.uint64).max
"""Of a time: it did not come to that."""
NOWHERE = np.iinfo(np.uint32).max
"""Of a connection: the request never had one."""

_FIRST_ROW = [
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
ROW = np.dtype(
    [*_FIRST_ROW, ("session", "<u8"), ("group", "<u2"), ("step", "<u2"), ("zeros", "<u4")]
)
_ROWS = {1: np.dtype(_FIRST_ROW), VERSION: ROW}
"""By version."""
_TIMES = ("intended_ns", "written_ns", "first_byte_ns", "done_ns")
_REMEDY = "the file was cut or is not the engine's: do the load again"


def read_requests(path: Path) -> pl.DataFrame:
    """One row for each request; times are nanoseconds since the load began.

    What did not happen is null: a time, `status` without an answer, `connection` and times of what
    was not sent, `not_sent` of what was; `group`, `session` and `step` in a file of version 1.
    `sequence` is the order of offering within a `worker`, `connection` its number there, `session` the
    session's number in its `group`, and `step` that of the request in its session, from 0.
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
    header = _header(path, head)
    row = _ROWS[header.version]
    whole, rest = divmod(len(body), row.itemsize)
    if rest:
        raise InputError(
            f"ends within a row: {whole} rows of {row.itemsize} bytes, and {rest} bytes of another",
            path=path,
            remedy=_REMEDY,
        )
    rows = np.frombuffer(body, dtype=row)
    return pl.DataFrame(
        {
            "sequence": rows["sequence"],
            "worker": rows["worker"],
            "connection": rows["connection"],
            "operation": _named(path, rows, "operation", header.operations),
            **_sessions(path, rows, header),
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


class _Header(NamedTuple):
    version: int
    operations: tuple[str, ...]
    groups: tuple[str, ...]


def _header(path: Path, head: bytes) -> _Header:
    try:
        header = json.loads(head)
        if header["format"] == FORMAT and header["version"] in _ROWS:
            return _Header(
                header["version"],
                tuple(map(str, header["operations"])),
                tuple(map(str, header["groups"])) if header["version"] == VERSION else (),
            )
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(
        f"the first line is not that of {FORMAT}, version {' or '.join(map(str, _ROWS))}",
        path=path,
        line=1,
        remedy=_REMEDY,
    )


def _sessions(path: Path, rows: NDArray[np.void], header: _Header) -> dict[str, object]:
    """Which step of which session each request was."""
    if header.version != VERSION:
        untold = pl.Series([None] * len(rows))
        return {
            "group": untold.cast(pl.String),
            "session": untold.cast(pl.UInt64),
            "step": untold.cast(pl.UInt16),
        }
    return {
        "group": _named(path, rows, "group", header.groups),
        "session": rows["session"],
        "step": rows["step"],
    }


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
