"""Seeded faults of stacks, from files `mutants_*.toml`."""

import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

MADE = ("node_modules", "target", "bin", ".venv")
"""What a build leaves in a stack's folder."""


@dataclass(frozen=True)
class Mutant:
    """One fault of a stack, and the clause of the SPEC that it breaks."""

    stack: str
    name: str
    clause: str
    edits: tuple[tuple[str, str, str], ...]
    """File of the stack, text that is there exactly once, and its replacement."""

    def __str__(self) -> str:
        return f"{self.stack}-{self.name}"


def _read(path: Path) -> tuple[Mutant, ...]:
    stack = path.stem.removeprefix("mutants_")
    return tuple(
        Mutant(
            stack,
            one["name"],
            one["clause"],
            tuple((edit[0], edit[1], edit[2]) for edit in one["edits"]),
        )
        for one in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    )


def mutants_of(folder: Path) -> tuple[Mutant, ...]:
    """All of the files in a folder, by file and in their order there."""
    return tuple(mutant for path in sorted(folder.glob("mutants_*.toml")) for mutant in _read(path))


def mutate(mutant: Mutant, original: Path, directory: Path) -> Path:
    """A copy of the stack's sources with the mutant's edits."""
    copied = directory / str(mutant)
    shutil.copytree(original, copied, symlinks=True, ignore=shutil.ignore_patterns(*MADE))
    for file, find, replacement in mutant.edits:
        path = copied / file
        text = path.read_text()
        assert text.count(find) == 1, f"{find!r} is not in {file} exactly once"
        path.write_text(text.replace(find, replacement))
    return copied
