"""Where in a system's own files something went wrong."""

import traceback
from pathlib import Path


def place_in(folder: Path, error: BaseException) -> tuple[Path, int] | None:
    """Return the innermost line of the folder's files that an error passed through, if any.

    Of text that is no Python it is the line where it stops being it.
    """
    lines = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        lines.append((error.filename or "", error.lineno))
    for name, line in reversed(lines):
        if line is not None and Path(name).is_relative_to(folder):
            return Path(name), line
    return None
