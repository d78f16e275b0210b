"""Builds of revisions that nobody has asked for lately: a gate makes two for every change.

Builds of stacks in their folders are few, and are kept.
"""

import os
import re
import shutil
import time
from pathlib import Path

KEPT_SECONDS = 14 * 24 * 3600
"""Since a build was last asked for. A study that takes longer would be the first."""

_OF_REVISION = re.compile(r"[a-z0-9-]+\.[0-9a-f]{12}-[0-9a-f]{16}")
"""See `build.py`; a trained copy has the same name with more behind it."""


def note_use(directory: Path) -> None:
    """Note that a build is asked for now."""
    os.utime(directory)


def remove_unused(cache: Path) -> None:
    """Remove builds of revisions, with their trained copies, that were last asked for long ago."""
    oldest = time.time() - KEPT_SECONDS
    for build in list(cache.iterdir()):
        if _OF_REVISION.fullmatch(build.name) and build.stat().st_mtime < oldest:
            for directory in (build, *cache.glob(f"{build.name}-*")):
                shutil.rmtree(directory, ignore_errors=True)
