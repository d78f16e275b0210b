"""The user's cache folder: what is in it may be deleted at any time, and is made anew."""

import os
from pathlib import Path


def user_cache() -> Path:
    """Return `$XDG_CACHE_HOME/loadstone`, or `~/.cache/loadstone`; it need not be there yet.

    Raises RuntimeError where the user has no home.
    """
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    home = named if named.is_absolute() else Path.home() / ".cache"
    return home / "loadstone"
