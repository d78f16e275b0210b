"""Keeps what takes long to read or to make in the user's cache folder: `$XDG_CACHE_HOME/loadstone`, or
`~/.cache/loadstone`.

Of results only observations are kept, never figures or findings, each under the digest of all that it
follows from; so whatever is said of it is said anew each time. Nothing depends on the cache: an entry
that is missing, broken or foreign, and a folder that cannot be read or written, are no errors, only
slow.
"""

import os
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loadstone.machine.user_cache import user_cache

Arrays = Mapping[str, NDArray[Any]]

MOST_BYTES = 1 << 30
"""Of all entries; those that were used the longest ago go first. A run of a minute with three
operations takes some 150 kB, so these are the runs of ten large studies."""
_SHELVES = 64
"""Folders of entries, each of which is bounded by itself: what is kept costs a look at one of them."""


def fetch(digest: str) -> Arrays | None:
    """The arrays that were kept under a digest, if they still are."""
    try:
        path = _path(digest)
        content = path.read_bytes()
        check, body = content[:_CHECK_BYTES], content[_CHECK_BYTES:]
        if sha256(body).digest() != check:
            return None
        os.utime(path)
        # Without pickles: a cache must not be able to run code.
        with np.load(BytesIO(body), allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (OSError, RuntimeError, ValueError):
        return None


def keep(digest: str, arrays: Arrays) -> None:
    """Keep arrays under the digest of what they were read from, if that can be done."""
    buffer = BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    body = buffer.getvalue()
    if len(body) + _CHECK_BYTES > MOST_BYTES // _SHELVES:
        return
    try:
        path = _path(digest)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _make_room(path.parent, len(body) + _CHECK_BYTES)
        with NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as temporary:
            partial = Path(temporary.name)
            try:
                temporary.write(sha256(body).digest() + body)
                temporary.close()
                partial.replace(path)
            except BaseException:
                partial.unlink(missing_ok=True)
                raise
    except (OSError, RuntimeError):
        return


_CHECK_BYTES = sha256().digest_size


def _path(digest: str) -> Path:
    """Where an entry is. RuntimeError where the user has no home."""
    shelf = int(digest[:8], 16) % _SHELVES
    return user_cache() / f"{shelf:02d}" / digest


def _make_room(shelf: Path, needed_bytes: int) -> None:
    """Remove what was used the longest ago until so much more is within the bound."""
    entries = sorted(
        (status.st_mtime_ns, status.st_size, Path(entry.path))
        for entry in os.scandir(shelf)
        for status in (entry.stat(),)
    )
    total_bytes = needed_bytes + sum(size for _, size, _ in entries)
    for _, size, path in entries:
        if total_bytes <= MOST_BYTES // _SHELVES:
            return
        path.unlink(missing_ok=True)
        total_bytes -= size
