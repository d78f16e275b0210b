"""A contract is worth what it refuses: every seeded fault must fail, at the clause it breaks.

A mutant is held against the checks of that clause, and against the quick ones, of which some must
hold: a fault is looked for, not a wreck. That all checks hold without it, the tests of the stacks say.
"""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conference_stacks import CATALOGUE, COUNTRY, STACKS, SYSTEM, Variant, held, in_folder, ready

from loadstone.contract.model import Contract
from loadstone.errors import StepFailed
from loadstone.measure.prepare.prepared import Prepared
from stack_mutants import Mutant, mutants_of, mutate

MUTANTS = mutants_of(Path(__file__).parent)
FIRST = {stack.stack: Variant(stack, stack.runtimes[0]) for stack in STACKS}
SERVICES = {"go": "conference", "fastify": "conference", "country": "country"}

Whole = Callable[[str], Prepared]


@pytest.fixture(scope="module")
def whole(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Every stack that has mutants without a fault, built once."""
    found: dict[str, Prepared] = {}

    def build(name: str) -> Prepared:
        if name not in found:
            logs = tmp_path_factory.mktemp(name)
            found[name] = ready(variant_of(name), SERVICES[name], contract, logs)
        return found[name]

    return build


def variant_of(name: str) -> Variant:
    return FIRST.get(name) or Variant(COUNTRY, COUNTRY.runtimes[0])


def build(mutant: Mutant, directory: Path, built: Path) -> None:
    """Make what is started of a copy, with what the stack's own build has made already."""
    if mutant.stack == "fastify":
        (directory / "node_modules").symlink_to(built / "node_modules")
    elif mutant.stack == "go":
        _run("go build -trimpath -p 1 -o bin/conference .", directory)
    else:
        # Its dependencies are compiled once for all mutants, and kept.
        target = CATALOGUE.builds.parent / "test-country-target"
        _run(f"cargo build --release --locked --jobs 1 --target-dir '{target}'", directory)
        (directory / "bin").mkdir()
        shutil.copy(target / "release" / "country", directory / "bin")


def _run(command: str, directory: Path) -> None:
    ended = subprocess.run(
        ["sh", "-c", command], cwd=directory, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_mutant_fails_at_the_clause_it_breaks(
    mutant: Mutant, whole: Whole, contract: Contract, tmp_path: Path
) -> None:
    variant, service = variant_of(mutant.stack), SERVICES[mutant.stack]
    original = whole(mutant.stack)
    directory = mutate(mutant, variant.stack.directory, tmp_path)
    build(mutant, directory, original.launch.directory)
    checks = tuple(
        check
        for check in contract.checks
        if check.clause == mutant.clause or (check.quick and service == SYSTEM.entry)
    )
    faulty = in_folder(original, directory)
    states = found(variant, service, faulty, Contract(checks, ()), tmp_path)
    assert (mutant.clause, "failed") in states
    assert "error" not in {state for _, state in states}
    if len({check.clause for check in checks}) > 1:
        assert "passed" in {state for _, state in states}


def found(
    variant: Variant, service: str, faulty: Prepared, contract: Contract, logs: Path
) -> set[tuple[str, str]]:
    """Clauses, and what became of them."""
    try:
        results = held(variant.stack, service, faulty, contract, logs)
    except StepFailed as failure:  # it ended by itself; what was seen before is told
        named = re.findall(r"\b([A-Z]\d+): ", failure.message)
        return {("", "passed"), *((clause, "failed") for clause in named)}
    return {(each.clause, each.state) for each in results}


def test_every_clause_has_a_mutant() -> None:
    spec = (SYSTEM.directory / "SPEC.md").read_text()
    clauses = re.findall(r"^\* \*\*([A-Z]\d+)\*\*", spec, re.MULTILINE)
    assert {mutant.clause for mutant in MUTANTS} == set(clauses)
    assert len({str(mutant) for mutant in MUTANTS}) == len(MUTANTS) >= 60


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_mutant_still_fits_its_stack(mutant: Mutant, tmp_path: Path) -> None:
    mutate(mutant, variant_of(mutant.stack).stack.directory, tmp_path)
