"""Folders as bytes: what a study needs goes to a machine, and what a run left comes back."""

import io
import shutil
import tarfile
from pathlib import Path
from typing import Literal

from loadstone.deploy.sources import is_left_out
from loadstone.errors import LoadstoneError
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.files.root_file import FORMAT
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.systems.roots import MARKER

PART_BYTES = 8_000_000
"""What is shipped at once: a tenth of Ray's store, so that it never puts anything on a disk."""
SIMULATION = "simulation.yaml"
"""Where the file of a simulation is in the folder that a machine gets."""
_LEVEL = 1
"""Of compression: a run's files come to a fifth by it, and a higher one takes seconds of a CPU."""


def pack(directory: Path, archive: Path) -> None:
    """Write a folder's files into an archive, with their times and rights."""
    with tarfile.open(archive, "w:gz", compresslevel=_LEVEL) as file:
        file.add(directory, arcname=".")


def unpack(archive: Path, directory: Path, trust: Literal["data", "tar"] = "data") -> None:
    """Fill a folder, which is made, from an archive. Raises LoadstoneError for what leads out of it.

    `tar` takes links to anywhere as well: a virtual environment has one to its Python.
    """
    directory.mkdir(parents=True)
    try:
        with tarfile.open(archive, "r:gz") as file:
            file.extractall(directory, filter=trust)
    except (tarfile.TarError, EOFError) as error:
        shutil.rmtree(directory, ignore_errors=True)
        raise LoadstoneError(
            f"what came as {archive.name} cannot be unpacked: {error}", "run the study again"
        ) from error


def pack_roots(roots: tuple[Path, ...]) -> bytes:
    """Return systems, runtimes and studies of all roots as those of one, without what builds have made
    in the folders of stacks.
    """
    return _packed(roots, {})


def pack_study(resolved: ResolvedPlan, simulation: Path | None) -> bytes:
    """Return these, and a study's own file, wherever it is."""
    files = {study_in(resolved): resolved.path}
    if simulation is not None:
        files[SIMULATION] = simulation
    return _packed(resolved.roots, files)


def study_in(resolved: ResolvedPlan) -> str:
    """Return where the study's file is in the folder that a machine gets."""
    return f"studies/{resolved.path.name}"


def _packed(roots: tuple[Path, ...], files: dict[str, Path]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", dereference=True) as file:
        _add_text(file, MARKER, f"format: {FORMAT}\n")
        for name, path in Catalogue(*roots).files().items():
            file.add(path, name, recursive=False)
            if path.is_dir():
                _add_sources(file, name, path)
        for name, path in files.items():  # of two of one name the later one counts
            file.add(path, name)
    return buffer.getvalue()


def _add_text(file: tarfile.TarFile, name: str, text: str) -> None:
    content = text.encode()
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    file.addfile(entry, io.BytesIO(content))


def _add_sources(
    file: tarfile.TarFile, name: str, directory: Path, holders: tuple[Path, ...] = ()
) -> None:
    """Links are followed, as the digest of a stack follows them; `holders` hold the folder."""
    holders = (*holders, directory.resolve())
    at_top = (directory / "stack.yaml").is_file()
    for path in sorted(directory.iterdir()):
        if is_left_out(path, at_top=at_top) or path.resolve() in holders or not path.exists():
            continue
        below = f"{name}/{path.name}"
        file.add(path, below, recursive=False)
        if path.is_dir():
            _add_sources(file, below, path, holders)
