"""The seeded faults of `mutants.toml` as values."""

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
