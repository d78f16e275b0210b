"""A folder that is there as a whole or not at all, also after a crash, or where two labs make it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from loadstone.machine import ownership


@contextmanager
def whole_folder(directory: Path) -> Iterator[Path]:
    """Give a path to fill, which becomes `directory` at the end of the block, and goes if it fails.

    Where another lab was first, its folder stays. What labs that are gone left half made is removed.
    """
    directory.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(directory.parent)
    partial = directory.with_name(f"{directory.name}.partial-{os.getpid()}")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        yield partial
        with suppress(OSError):  # another lab was first: its folder is as good
            partial.rename(directory)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _remove_abandoned(parent: Path) -> None:
    for partial in parent.glob("*.partial-*"):
        maker = partial.name.rpartition("-")[2]
        if not maker.isdigit() or ownership.start_time(int(maker)) is None:
            shutil.rmtree(partial, ignore_errors=True)
