"""Where the lab's own Rust binaries are, and whether they belong to this version."""

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

from loadstone import __version__
from loadstone.errors import Unavailable
from loadstone.study.systems.roots import checkout


@cache
def find_binary(name: str) -> Path:
    """Return the path of one of the lab's binaries. Raises Unavailable with every place searched."""
    places = tuple(dict.fromkeys(_places(name)))
    for place in places:
        if place.is_file():
            return place
    found = shutil.which(name)
    if found is not None:
        return Path(found)
    looked = ", ".join(map(str, places))
    raise Unavailable(f"{name} is not installed (looked at {looked} and PATH)", _remedy(name))


@cache
def find_engine() -> Path:
    """Return the engine's path; refuse one of another version, whose plan or records may differ."""
    name = "loadstone-engine"
    path = find_binary(name)
    version = binary_version(path)
    if version != __version__:
        raise Unavailable(
            f"{path} is version {version}, but this is loadstone {__version__}", _remedy(name)
        )
    return path


def binary_version(path: Path) -> str:
    """Return what `--version` says after the program's name."""
    result = subprocess.run(
        [path, "--version"], capture_output=True, text=True, timeout=10, check=False
    )
    return result.stdout.strip().rpartition(" ")[2] or "unknown"


def _places(name: str) -> Iterator[Path]:
    """Where its wheel put it, whatever way that was installed; beside Python; where Cargo builds it."""
    try:
        files = metadata.files(name) or ()
    except metadata.PackageNotFoundError:
        files = ()
    yield from (Path(file.locate()).resolve() for file in files if file.name == name)
    yield Path(sys.executable).parent / name  # a virtual environment that is not activated
    yield Path(sysconfig.get_path("scripts")) / name
    if (folder := checkout()) is not None:
        yield folder / "target" / "release" / name


def _remedy(name: str) -> str:
    if checkout() is not None:
        return "run `make setup`"
    return f"pip install {name}=={__version__}"
