"""A contract is worth what it refuses: every seeded fault must fail, at the clause it breaks."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from gateway_process import SYSTEM, gateway
from mutants import MUTANTS, Mutant, mutate

from loadstone.contract.model import CheckResult, Contract
from loadstone.contract.run import run_checks
from loadstone.contract.upstream import RecordingUpstream

CHECK_SECONDS = 2.0
"""Less than in use: a mutant that hangs does so in many checks."""
AT_A_TIME = 2

Results = dict[str, tuple[CheckResult, ...]]


@pytest.fixture(scope="module")
def results(
    contract: Contract, node_directory: Path, tmp_path_factory: pytest.TempPathFactory
) -> Results:
    """The whole contract held against every mutant."""
    directory = tmp_path_factory.mktemp("mutants")

    def hold(mutant: Mutant) -> tuple[CheckResult, ...]:
        copied = mutate(mutant, node_directory, directory)
        with (
            RecordingUpstream() as upstream,
            gateway(["node", "src/main.js"], copied, upstream.url) as started,
        ):
            return run_checks(
                contract,
                started.url,
                upstream,
                quick_only=False,
                budget_seconds=None,
                check_seconds=CHECK_SECONDS,
            )

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        held = pool.map(hold, MUTANTS)
        return {mutant.name: result for mutant, result in zip(MUTANTS, held, strict=True)}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_fails_at_the_clause_it_breaks(mutant: Mutant, results: Results) -> None:
    failed = {result.clause for result in results[mutant.name] if result.state == "failed"}
    assert mutant.clause in failed


def test_every_clause_has_a_mutant() -> None:
    clauses = re.findall(r"^\* \*\*(PT-\d+)\*\*", (SYSTEM / "SPEC.md").read_text(), re.MULTILINE)
    assert {mutant.clause for mutant in MUTANTS} == set(clauses)
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
