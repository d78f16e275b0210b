"""Write a result file whole or not at all: a killed lab leaves the old file or none, never half of
one.
"""

import os
from pathlib import Path

from loadstone.errors import LoadstoneError


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 text through a temporary file beside it. Raises LoadstoneError with the path."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise LoadstoneError(
            f"{path} cannot be written: {error.strerror}", "free disk space, or choose --out"
        ) from error
