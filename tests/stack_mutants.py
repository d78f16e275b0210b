"""Seeded faults of stacks, from files `mutants_*.toml`, and how one is told to be caught."""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from loadstone.contract.model import CheckResult, Contract
from loadstone.errors import StepFailed
from loadstone.study.values.model import Protocol

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
    legs: Mapping[str, Protocol] = field(default_factory=dict)
    """What the legs speak that it shows on, where that is not the first protocol of the stack."""

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
            {leg: Protocol(protocol) for leg, protocol in one.get("legs", {}).items()},
        )
        for one in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    )


def mutants_of(folder: Path) -> tuple[Mutant, ...]:
    """All of the files in a folder, by file and in their order there."""
    return tuple(mutant for path in sorted(folder.glob("mutants_*.toml")) for mutant in _read(path))


def edited(mutant: Mutant, original: Path) -> dict[str, str]:
    """The files of a stack that the mutant edits, with its edits: each fits, one behind the other."""
    texts: dict[str, str] = {}
    for file, find, replacement in mutant.edits:
        text = texts.get(file) or (original / file).read_text()
        assert text.count(find) == 1, f"{find!r} is not in {file} exactly once"
        texts[file] = text.replace(find, replacement)
    return texts


def mutate(mutant: Mutant, original: Path, directory: Path) -> Path:
    """A copy of the stack's sources with the mutant's edits."""
    copied = directory / str(mutant)
    shutil.copytree(original, copied, symlinks=True, ignore=shutil.ignore_patterns(*MADE))
    for file, text in edited(mutant, original).items():
        (copied / file).write_text(text)
    return copied


def run_in(directory: Path, command: str) -> None:
    """Run a step of a mutant's build."""
    ended = subprocess.run(
        ["sh", "-c", command], cwd=directory, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def assert_caught(
    clause: str,
    contract: Contract,
    hold: Callable[[Contract], tuple[CheckResult, ...]],
    also: Collection[str] = (),
) -> None:
    """Hold the checks of the clause, the quick ones, and those of clauses that are named: some of the
    clause fail, and some others hold.

    A fault is looked for, not a wreck.
    """
    checks = tuple(
        check
        for check in contract.checks
        if check.clause == clause or check.quick or check.clause in also
    )
    states = _states(Contract(checks, ()), hold)
    assert (clause, "failed") in states
    assert "error" not in {state for _, state in states}
    if len({check.clause for check in checks}) > 1:
        assert "passed" in {state for _, state in states}


def _states(
    contract: Contract, hold: Callable[[Contract], tuple[CheckResult, ...]]
) -> set[tuple[str, str]]:
    """Clauses, and what became of them."""
    try:
        results = hold(contract)
    except StepFailed as failure:  # it ended by itself; what was seen before is told
        named = re.findall(r"\b([A-Z]\d+): ", failure.message)
        return {("", "passed"), *((clause, "failed") for clause in named)}
    return {(each.clause, each.state) for each in results}
