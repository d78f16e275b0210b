"""A contract is worth what it refuses: every seeded fault must fail, at the clause it breaks.

A mutant is held against the checks of that clause, and against the quick ones, of which some must
hold: a fault is looked for, not a wreck. That all checks hold without it, the tests of the stacks say.
"""

import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from booking_stacks import STACKS, SYSTEM, held, ready

from held_stacks import Variant, in_folder
from loadstone.contract.model import Contract
from loadstone.measure.prepare.prepared import Prepared
from stack_mutants import Mutant, assert_caught, edited, mutants_of, mutate, run_in

MUTANTS = mutants_of(Path(__file__).parent)
FIRST = {stack.stack: Variant(stack, stack.runtimes[0]) for stack in STACKS}
LEAST_MUTANTS = 50
"""Of each of the two stacks."""

Whole = Callable[[str], Prepared]


@pytest.fixture(scope="module")
def whole(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Both stacks without a fault, each built once."""
    found: dict[str, Prepared] = {}

    def build(name: str) -> Prepared:
        if name not in found:
            found[name] = ready(FIRST[name], contract, tmp_path_factory.mktemp(name))
        return found[name]

    return build


def build(mutant: Mutant, directory: Path, built: Path) -> None:
    """Make what is started of a copy, with what the stack's own build has made already."""
    if mutant.stack == "fastify":
        (directory / "node_modules").symlink_to(built / "node_modules")
        return
    # As Maven does it, without Maven: it would take ten times as long.
    target = directory / "target"
    target.mkdir()
    (target / "lib").symlink_to(built / "target" / "lib")
    shutil.copytree(directory / "src" / "main" / "resources", target / "classes")
    sources = "$(find src/main/java -name '*.java')"
    run_in(
        directory, f"javac -proc:none -parameters -cp 'target/lib/*' -d target/classes {sources}"
    )
    run_in(directory, f"unzip -q -d target/meta '{built}/target/booking.jar' META-INF/MANIFEST.MF")
    manifest = "target/meta/META-INF/MANIFEST.MF"
    run_in(directory, f"jar cfm target/booking.jar {manifest} -C target/classes .")


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_mutant_fails_at_the_clause_it_breaks(
    mutant: Mutant, whole: Whole, contract: Contract, tmp_path: Path
) -> None:
    variant = FIRST[mutant.stack]
    original = whole(mutant.stack)
    directory = mutate(mutant, variant.stack.directory, tmp_path)
    build(mutant, directory, original.launch.directory)
    faulty = in_folder(original, directory)
    assert_caught(
        mutant.clause, contract, lambda chosen: held(variant.stack, faulty, chosen, tmp_path)
    )


def test_every_clause_has_a_mutant_in_both_stacks() -> None:
    spec = (SYSTEM.directory / "SPEC.md").read_text()
    clauses = set(re.findall(r"^\* \*\*([A-Z]\d+)\*\*", spec, re.MULTILINE))
    counts = Counter(mutant.stack for mutant in MUTANTS)
    assert len(counts) == 2
    for stack, count in counts.items():
        assert {mutant.clause for mutant in MUTANTS if mutant.stack == stack} == clauses
        assert count >= LEAST_MUTANTS
    assert len({str(mutant) for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_mutant_still_fits_its_stack(mutant: Mutant) -> None:
    edited(mutant, FIRST[mutant.stack].stack.directory)
