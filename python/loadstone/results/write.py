"""Write a result file whole or not at all: a killed lab leaves the old file or none, never half of
one.
"""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from loadstone.errors import RecordsUnwritable

MEGABYTE = 1 << 20
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 text through a temporary file beside it. Raises RecordsUnwritable."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise unwritable(path, error.strerror) from error
    finally:
        temporary.unlink(missing_ok=True)


def unwritable(path: Path, reason: str | None) -> RecordsUnwritable:
    """Return the error of a file or folder that cannot be written, with the space that is left."""
    return no_room(f"cannot write {path}: {reason}", path)


def no_room(failure: str, path: Path) -> RecordsUnwritable:
    """Return the error of a failure to write at or below `path`, with the space that is left there."""
    place = next((each for each in (path, *path.parents) if each.is_dir()), Path("/"))
    space = shutil.disk_usage(place)
    return RecordsUnwritable(
        f"{failure}; {space.free / MEGABYTE:,.1f} MiB of {space.total / MEGABYTE:,.1f} MiB are free "
        "there",
        "free disk space there, or lift the limit on file sizes (ulimit -f)",
    )


def is_out_of_room(error: OSError) -> bool:
    """Whether the disk is to blame and not what was written."""
    return error.errno in _NO_ROOM


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an error of writing below `path` into RecordsUnwritable; every other goes on as it is."""
    try:
        yield
    except OSError as error:
        if not is_out_of_room(error):
            raise
        raise unwritable(Path(error.filename or path), error.strerror) from error
