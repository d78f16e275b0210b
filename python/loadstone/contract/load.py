"""Import the checks of a system. They are code of the system's author, and run as such.

The folder is a package of its own, under a private name: its files reach the system's helpers by
`from .lib.<file> import ...`, no other system does, and two systems may name their files alike.
"""

import hashlib
import importlib
import sys
from pathlib import Path
from types import ModuleType

from loadstone.contract.model import Contract, ContractCheck, SampleCheck
from loadstone.contract.place import place_in
from loadstone.errors import InputError

PATTERN = "*_checks.py"


def load_contract(directory: Path) -> Contract:
    """Every check declared in the `*_checks.py` of a folder, files by name.

    Raises InputError, with path and line, where there is none or one cannot be imported.
    """
    directory = directory.absolute()
    files = sorted(directory.glob(PATTERN))
    if not files:
        raise InputError(
            f"no {PATTERN} here", path=directory, remedy="a system cannot be loaded unchecked"
        )
    package = _package(directory)
    # Each once, where a file also imports a check of another.
    values = {
        id(value): value
        for path in files
        for value in vars(_import(package, path, directory)).values()
    }.values()
    contract = Contract(
        checks=tuple(value for value in values if isinstance(value, ContractCheck)),
        sample_checks=tuple(value for value in values if isinstance(value, SampleCheck)),
    )
    if not contract.checks:
        raise InputError("no check is declared", path=directory, remedy="use contract.declare")
    return contract


def _package(directory: Path) -> str:
    """Make a package of a folder, without what was imported of it before; return its name."""
    digest = hashlib.sha256(str(directory.resolve()).encode()).hexdigest()[:16]
    name = f"_loadstone_contract_{digest}"
    for imported in [each for each in sys.modules if each.startswith(f"{name}.")]:
        del sys.modules[imported]
    package = sys.modules[name] = ModuleType(name)
    package.__path__ = [str(directory)]
    importlib.invalidate_caches()  # a file may be newer than what Python knows of its folder
    return name


def _import(package: str, path: Path, directory: Path) -> ModuleType:
    try:
        return importlib.import_module(f"{package}.{path.stem}")
    except Exception as error:
        at, line = place_in(directory, error) or (path, None)
        said = str(error).replace(package, directory.name)
        raise InputError(f"{type(error).__name__}: {said}", path=at, line=line) from error
