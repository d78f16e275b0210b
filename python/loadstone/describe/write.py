"""Files put in place together: written beside it, read by the lab's own readers, then renamed, so that
none stands there half-written, and nothing is overwritten.
"""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from loadstone.describe.files import SERVICE, Project
from loadstone.errors import InputError, LoadstoneError
from loadstone.study.files.checks_file import FILE as CHECKS
from loadstone.study.files.checks_file import read_checks
from loadstone.study.files.stack_file import read_stack
from loadstone.study.files.system_file import read_system
from loadstone.study.files.workload_file import read_workload
from loadstone.study.systems.roots import DESCRIBED


def refuse_existing(project: Path) -> None:
    """Raise InputError where the folder is there already."""
    if os.path.lexists(project / DESCRIBED):  # also a link that leads nowhere
        raise InputError(
            "is there already, and nothing is overwritten",
            path=project / DESCRIBED,
            remedy=f"move it away (mv {DESCRIBED} {DESCRIBED}-before), then call loadstone init again",
        )


def write_files(folder: Path, files: Mapping[str, str | bytes], project: Project) -> Path:
    """Write files into `loadstone/` at the top of a project, and return that folder.

    Raises InputError where it is there already or cannot be written.
    """
    refuse_existing(folder)
    try:
        partial = Path(tempfile.mkdtemp(prefix=f".{DESCRIBED}-", dir=folder))
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        for name, content in files.items():
            path = partial / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        _read_back(partial, project)
        partial.chmod(0o755)
        refuse_existing(folder)
        partial.rename(folder / DESCRIBED)
    except OSError as error:
        raise _unwritable(folder, error) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return folder / DESCRIBED


def _read_back(partial: Path, project: Project) -> None:
    """Read what was written. Raises LoadstoneError where the lab would refuse it.

    Left out: the study, whose arms may be commits.
    """
    directory = partial / project.system
    try:
        system = read_system(directory / "system.yaml")
        for path in sorted(system.workloads.glob("*.yaml")):
            read_workload(path)
        if (directory / CHECKS).is_file():
            read_checks(directory / CHECKS)
        runtimes = project.toolchain.runtimes_of(project.way)
        read_stack(
            partial / project.stack / "stack.yaml", system.service(SERVICE), runtimes, DESCRIBED
        )
    except InputError as error:
        raise LoadstoneError(
            f"what was made of it is refused by the lab itself: {error.message}; nothing is written",
            "report it with the document or recording, and begin with loadstone init --url URL",
        ) from error


def _unwritable(folder: Path, error: OSError) -> InputError:
    return InputError(
        f"cannot be written: {error.strerror}",
        path=folder / DESCRIBED,
        remedy="make the folder writable, or free some room, then call loadstone init again",
    )
