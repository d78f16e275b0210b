"""The seeded faults of `mutants*.toml` as values."""

import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loadstone.study.values.model import Protocol


@dataclass(frozen=True)
class Edit:
    """A literal edit of one file."""

    file: str
    find: str
    replace: str


@dataclass(frozen=True)
class Mutant:
    """One fault, the clause of the SPEC that it breaks, and the protocols over which it shows."""

    name: str
    clause: str
    legs: Mapping[str, Protocol]
    edits: tuple[Edit, ...]


def read_mutants(path: Path) -> tuple[Mutant, ...]:
    """Every mutant of a file, in its order."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(
        Mutant(
            one["name"],
            one["clause"],
            {leg: Protocol(one.get(leg, "h1c")) for leg in ("client", "upstream")},
            tuple(Edit(*edit) for edit in one["edits"]),
        )
        for one in raw["mutant"]
    )


MUTANTS = tuple(
    mutant
    for path in sorted(Path(__file__).parent.glob("mutants*.toml"))
    for mutant in read_mutants(path)
)


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
