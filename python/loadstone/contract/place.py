"""Where in a system's own files something went wrong, and how it is said."""

import inspect
import traceback
from collections.abc import Callable
from functools import partial
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


def broken_check(function: Callable[..., object], error: Exception) -> str:
    """Say where a check broke by itself, and by what; paths below the working directory are short."""
    while isinstance(function, partial):
        function = function.func
    code = getattr(inspect.unwrap(function), "__code__", None)
    said = f"{type(error).__name__}: {error}"
    if code is None:
        return f"error in the check: {said}"
    own = Path(code.co_filename)
    path, line = place_in(own.parent, error) or (own, code.co_firstlineno)
    here = Path.cwd()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    return f"error in the check {shown}:{line}: {said}"
