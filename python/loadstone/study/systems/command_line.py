"""The program that a command line starts: found before anything is, or told why not."""

import os
import shlex
import shutil
from pathlib import Path

from loadstone.text.quoted import shortened


def found_program(command: str, directory: Path) -> Path | None:
    """The file that a command starts in a folder; none where there is none. Raises ValueError."""
    word = shlex.split(command)[0]
    if "/" not in word:
        found = shutil.which(word)
        return None if found is None else Path(found)
    path = directory / word
    return path if path.is_file() and os.access(path, os.X_OK) else None


def missing_program(command: str, directory: Path) -> tuple[str, str]:
    """Why a command cannot be started in a folder, and what to do."""
    word = shlex.split(command)[0]
    if "/" in word:
        path = directory / word
        if path.is_file():
            return f"{path} may not be executed", f"chmod +x {path}, or name its interpreter"
        return f"{path} is not there", "build it first, or correct command or dir"
    if "=" in word:
        return f"begins with {shortened(word)!r}, not a program", f"write env {command}"
    return f"{shortened(word)!r} is not a program on the PATH", f"write ./{word} for one in dir"


def named_files(command: str, directory: Path) -> tuple[Path, ...]:
    """The program, and whatever else the command names as a file in its folder: a script, a jar."""
    paths = (
        found_program(command, directory),
        *(directory / word for word in shlex.split(command)[1:]),
    )
    return tuple(path for path in paths if path is not None and path.is_file())
