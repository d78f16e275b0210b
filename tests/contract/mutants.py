"""The seeded faults of `mutants.toml` as values."""

import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Edit:
    """A literal edit of one file."""

    file: str
    find: str
    replace: str


@dataclass(frozen=True)
class Mutant:
    """One fault, and the clause of the SPEC that it breaks."""

    name: str
    clause: str
    edits: tuple[Edit, ...]


def read_mutants(path: Path) -> tuple[Mutant, ...]:
    """Every mutant of a file, in its order."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(
        Mutant(one["name"], one["clause"], tuple(Edit(*edit) for edit in one["edits"]))
        for one in raw["mutant"]
    )


MUTANTS = read_mutants(Path(__file__).with_suffix(".toml"))


def mutate(mutant: Mutant, original: Path, directory: Path) -> Path:
    """A copy of the stack with the mutant's edits."""
    copied = directory / mutant.name
    shutil.copytree(original, copied, symlinks=True)
    for edit in mutant.edits:
        path = copied / "src" / edit.file
        text = path.read_text()
        assert text.count(edit.find) == 1, f"{edit.find!r} is not in {edit.file} exactly once"
        path.write_text(text.replace(edit.find, edit.replace))
    return copied
