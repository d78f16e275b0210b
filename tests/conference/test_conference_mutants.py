"""A contract is worth what it refuses: every seeded fault must fail, at the clause it breaks.

A mutant is held against the checks of that clause, and against the quick ones, of which some must
hold: a fault is looked for, not a wreck. That all checks hold without it, the tests of the stacks say.
"""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conference_stacks import COUNTRY, STACKS, SYSTEM, held, ready

from held_stacks import BUILDS, Variant, in_folder
from loadstone.contract.model import Contract
from loadstone.measure.prepare.prepared import Prepared
from stack_mutants import Mutant, assert_caught, edited, mutants_of, mutate, run_in

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
        run_in(directory, "go build -trimpath -p 1 -o bin/conference .")
    else:
        # Its dependencies are compiled once for all mutants, and kept.
        target = BUILDS.parent / "test-country-target"
        run_in(directory, f"cargo build --release --locked --jobs 1 --target-dir '{target}'")
        (directory / "bin").mkdir()
        shutil.copy(target / "release" / "country", directory / "bin")


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_mutant_fails_at_the_clause_it_breaks(
    mutant: Mutant, whole: Whole, contract: Contract, tmp_path: Path
) -> None:
    variant, service = variant_of(mutant.stack), SERVICES[mutant.stack]
    original = whole(mutant.stack)
    directory = mutate(mutant, variant.stack.directory, tmp_path)
    build(mutant, directory, original.launch.directory)
    faulty = in_folder(original, directory)
    checks = contract
    if service != SYSTEM.entry:  # the quick ones are the entry's
        checks = contract.of({mutant.clause})
    assert_caught(
        mutant.clause,
        checks,
        lambda chosen: held(variant.stack, service, faulty, chosen, tmp_path),
    )


def test_every_clause_has_a_mutant() -> None:
    spec = (SYSTEM.directory / "SPEC.md").read_text()
    clauses = re.findall(r"^\* \*\*([A-Z]\d+)\*\*", spec, re.MULTILINE)
    assert {mutant.clause for mutant in MUTANTS} == set(clauses)
    assert len({str(mutant) for mutant in MUTANTS}) == len(MUTANTS) >= 60


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_mutant_still_fits_its_stack(mutant: Mutant) -> None:
    edited(mutant, variant_of(mutant.stack).stack.directory)
