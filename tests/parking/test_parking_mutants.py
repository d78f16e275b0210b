"""A contract is worth what it refuses: every seeded fault must fail, at the clause it breaks.

A mutant is held against the checks of that clause, over the legs that it shows on, and against a few
others, of which some must hold: a fault is looked for, not a wreck. That all checks hold without it,
the tests of the stacks say.
"""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from parking_stacks import STACKS, SYSTEM, held, ready

from held_stacks import Variant, in_folder
from loadstone.contract.model import Contract
from loadstone.measure.prepare.prepared import Prepared
from stack_mutants import Mutant, assert_caught, edited, mutants_of, mutate, run_in

MUTANTS = mutants_of(Path(__file__).parent)
LETTERS = {"gateway": "G", "users": "U"}
LEAST_MUTANTS = 60
"""Of each of two stacks of each of the two services."""
ALSO_HELD = {"gateway": (), "users": ("U10", "U12")}
"""Clauses that few faults break, of the service whose quick checks are none."""

Whole = Callable[[str], Prepared]


def service_of(mutant: Mutant) -> str:
    return mutant.stack.partition("-")[0]


def variant_of(name: str) -> Variant:
    """The stack of a file `mutants_SERVICE-STACK.toml`, on its first runtime."""
    service, _, stack_name = name.partition("-")
    stack = next(each for each in STACKS[service] if each.stack == stack_name)
    return Variant(stack.on(stack.runtimes[0]), stack.runtimes[0])


@pytest.fixture(scope="module")
def whole(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Every stack that has mutants without a fault, built once."""
    found: dict[str, Prepared] = {}

    def build(name: str) -> Prepared:
        if name not in found:
            service = name.partition("-")[0]
            logs = tmp_path_factory.mktemp(name)
            found[name] = ready(service, variant_of(name), contract, logs)
        return found[name]

    return build


def build(mutant: Mutant, directory: Path, built: Path) -> None:
    """Make what is started of a copy, with what the stack's own build has made already."""
    if mutant.stack.endswith("-fastify"):
        (directory / "node_modules").symlink_to(built / "node_modules")
    else:
        run_in(directory, f"go build -trimpath -p 1 -o bin/{service_of(mutant)} .")


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_mutant_fails_at_the_clause_it_breaks(
    mutant: Mutant, whole: Whole, contract: Contract, tmp_path: Path
) -> None:
    service, variant = service_of(mutant), variant_of(mutant.stack)
    original = whole(mutant.stack)
    directory = mutate(mutant, variant.stack.directory, tmp_path)
    build(mutant, directory, original.launch.directory)
    faulty = in_folder(original, directory)
    assert_caught(
        mutant.clause,
        contract,
        lambda chosen: held(service, variant, faulty, chosen, tmp_path, mutant.legs),
        ALSO_HELD[service],
    )


def test_every_clause_has_a_mutant_in_both_stacks() -> None:
    spec = (SYSTEM.directory / "SPEC.md").read_text()
    counts = Counter(mutant.stack for mutant in MUTANTS)
    assert Counter(name.partition("-")[0] for name in counts) == dict.fromkeys(LETTERS, 2)
    for name, count in counts.items():
        letter = LETTERS[name.partition("-")[0]]
        clauses = set(re.findall(rf"^\* \*\*({letter}\d+)\*\*", spec, re.MULTILINE))
        declared = {each.clause for each in variant_of(name).stack.deviations}
        broken = {mutant.clause for mutant in MUTANTS if mutant.stack == name}
        assert broken | declared >= clauses >= broken, name
        assert count >= LEAST_MUTANTS
    assert len({str(mutant) for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_mutant_still_fits_its_stack(mutant: Mutant) -> None:
    edited(mutant, variant_of(mutant.stack).stack.directory)
