"""The contract of a system: checks in Python, or those that its file declares, or none.

A system without one is loaded all the same, and every run of it says so (`unchecked-answers` among the
findings).
"""

import os
from collections.abc import Mapping
from pathlib import Path

from loadstone.contract.declared import declared_contract
from loadstone.contract.load import load_contract
from loadstone.contract.model import Contract
from loadstone.errors import InputError
from loadstone.study.files.checks_file import FILE, read_checks
from loadstone.study.values.manifest import System

FOLDER = "contract"
"""Of a system: its checks in Python."""


def contract_of_system(system: System, environment: Mapping[str, str] = os.environ) -> Contract:
    """Return the contract of a system; an empty one where it has none. Raises InputError."""
    folder, file = contract_folder(system), system.directory / FILE
    if folder.is_dir() and file.is_file():
        raise InputError(
            f"stands beside a folder {FOLDER}/, and a system has one contract",
            path=file,
            line=1,
            remedy="keep one of the two",
        )
    if folder.is_dir():
        return load_contract(folder)
    if file.is_file():
        return declared_contract(read_checks(file), environment)
    return Contract((), ())


def contract_folder(system: System) -> Path:
    """Return where the checks of a system in Python are, if it has some."""
    return system.directory / FOLDER


def contract_files(system: System) -> tuple[Path, ...]:
    """Return the files that decide what the contract of a system holds."""
    file = system.directory / FILE
    if not file.is_file():
        return tuple(sorted(contract_folder(system).glob("**/*.py")))
    document = read_checks(file).document
    return (file,) if document is None else (file, document)
