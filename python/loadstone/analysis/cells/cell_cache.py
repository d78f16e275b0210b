"""Keeps the examined cells of a large study, so that it is read quickly a second time.

A cell is kept under a digest of all that it follows from: the files of its runs, the task, the lab's
sources and the versions of the libraries that compute figures. Where one of them changes the digest
does, and the cell is examined anew. A small study is always examined anew.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from hashlib import file_digest, sha256
from importlib.metadata import version
from pathlib import Path
from platform import python_version

import numpy as np
from pydantic import ValidationError

from loadstone.analysis.cells.cell import ExaminedCell
from loadstone.analysis.cells.parallel_cells import CellTask, OnRead, examine_cells, unseen
from loadstone.analysis.model import Cell
from loadstone.findings.model import Finding
from loadstone.frozen import Frozen
from loadstone.results import cache as kept_arrays
from loadstone.results.lab_code import lab_code

FEWEST_RUNS = 120
"""Fewer are examined anew in the seconds that it takes to start."""
_LIBRARIES = ("numpy", "polars", "pydantic", "ruptures", "scipy")
_TEXT = "text"


class _Kept(Frozen):
    """An examined cell as JSON."""

    cell: Cell
    blocks: tuple[int, ...]
    findings: tuple[Finding, ...]
    simulated: bool


def cached_or_examined(
    tasks: Sequence[CellTask], on_read: OnRead = unseen
) -> Iterator[ExaminedCell]:
    """Each cell, in the order of the tasks. `InputError` of the first that cannot be read."""
    runs = sum(len(task.stored) for task in tasks)
    if runs < FEWEST_RUNS:
        yield from examine_cells(tasks, on_read)
        return
    with ThreadPoolExecutor() as pool:  # files are read and digested side by side
        digests = [*pool.map(_digest, tasks)]
    kept = [_fetch(digest) for digest in digests]
    missing = [task for task, cell in zip(tasks, kept, strict=True) if cell is None]
    known = runs - sum(len(task.stored) for task in missing)
    on_read(known, runs)
    anew = examine_cells(missing, lambda read, _: on_read(known + read, runs))
    for digest, cell in zip(digests, kept, strict=True):
        if cell is None:
            cell = next(anew)
            _keep(digest, cell)
        yield cell


def _digest(task: CellTask) -> str:
    """Return the digest of all that the cell follows from; empty where a file cannot be read."""
    parts = [rules_digest(), task.kind, task.apdex.model_dump_json(), str(task.may_fail)]
    parts += [finding.model_dump_json() for finding in task.study_findings]
    for run in task.stored:
        parts.append(run.planned.model_dump_json())
        try:
            parts += _files(run.directory)
        except OSError:
            return ""
    return sha256("\n".join(parts).encode()).hexdigest()


def _files(directory: Path) -> Iterator[str]:
    for path in sorted(each for each in directory.rglob("*") if each.is_file()):
        with path.open("rb") as file:
            name = str(path.relative_to(directory))
            yield f"{len(name)} {name} {file_digest(file, 'sha256').hexdigest()}"


@cache
def rules_digest() -> str:
    """Return the digest of the code that computes figures and findings: lab, libraries and Python."""
    sources = (path.read_bytes() for path in lab_code())
    versions = [python_version(), *(version(name) for name in _LIBRARIES)]
    digests = [sha256(source).hexdigest() for source in sources]
    return sha256("\n".join([*digests, *versions]).encode()).hexdigest()


def _fetch(digest: str) -> ExaminedCell | None:
    arrays = kept_arrays.fetch(digest) if digest else None
    if arrays is None:
        return None
    with suppress(KeyError, ValidationError):
        kept = _Kept.model_validate_json(arrays[_TEXT].tobytes())
        return ExaminedCell(kept.cell, kept.blocks, kept.findings, kept.simulated)
    return None


def _keep(digest: str, cell: ExaminedCell) -> None:
    if not digest:
        return
    kept = _Kept(
        cell=cell.cell, blocks=cell.blocks, findings=cell.findings, simulated=cell.simulated
    )
    text = kept.model_dump_json().encode()
    kept_arrays.keep(digest, {_TEXT: np.frombuffer(text, dtype=np.uint8)})
