"""Import the checks of a system. They are code of the system's author, and run as such."""

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from loadstone.contract.model import Contract, ContractCheck, SampleCheck
from loadstone.errors import InputError

PATTERN = "*_checks.py"


def load_contract(directory: Path) -> Contract:
    """Every check declared in the `*_checks.py` of a folder, files by name.

    Raises InputError, with the path, where there is none or one cannot be imported.
    """
    modules = [_import(path) for path in sorted(directory.glob(PATTERN))]
    if not modules:
        raise InputError(
            f"no {PATTERN} here", path=directory, remedy="a system cannot be loaded unchecked"
        )
    values = [value for module in modules for value in vars(module).values()]
    contract = Contract(
        checks=tuple(value for value in values if isinstance(value, ContractCheck)),
        sample_checks=tuple(value for value in values if isinstance(value, SampleCheck)),
    )
    if not contract.checks:
        raise InputError("no check is declared", path=directory, remedy="use contract.declare")
    return contract


def _import(path: Path) -> ModuleType:
    # A private name, so that two systems may name their files alike.
    digest = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    name = f"_loadstone_contract_{digest}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError("not a Python file", path=path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        line = error.lineno if isinstance(error, SyntaxError) else None
        raise InputError(f"{type(error).__name__}: {error}", path=path, line=line) from error
    return module
