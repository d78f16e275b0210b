"""Where the lab's own Rust binaries are, and whether they belong to this version."""

import shutil
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

from loadstone import __version__
from loadstone.errors import Unavailable


@cache
def find_binary(name: str) -> Path:
    """Return the path of one of the lab's binaries. Raises Unavailable with every place searched."""
    candidates = [
        Path(sys.executable).parent / name,  # a virtual environment that is not activated
        Path(sysconfig.get_path("scripts")) / name,
    ]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    found = shutil.which(name)
    if found is not None:
        return Path(found)
    places = ", ".join(str(candidate) for candidate in candidates)
    raise Unavailable(f"{name} is not installed (looked at {places} and PATH)", "run `make setup`")


@cache
def find_engine() -> Path:
    """Return the engine's path; refuse one of another version, whose plan or records may differ."""
    path = find_binary("loadstone-engine")
    version = binary_version(path)
    if version != __version__:
        raise Unavailable(
            f"{path} is version {version}, but this is loadstone {__version__}",
            "run `make setup`, or install loadstone-engine of the same version",
        )
    return path


def binary_version(path: Path) -> str:
    """Return what `--version` says after the program's name."""
    result = subprocess.run(
        [path, "--version"], capture_output=True, text=True, timeout=10, check=False
    )
    return result.stdout.strip().rpartition(" ")[2] or "unknown"
