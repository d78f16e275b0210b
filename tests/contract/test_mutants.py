"""A contract is worth what it refuses: every seeded fault must fail, at the clause it breaks.

A mutant is held against the checks of that clause, over the protocols it names, and against the
quick ones, of which some must hold: a fault is looked for, not a wreck. The other checks would say
nothing of the clause; that all of them hold without the fault, the tests of the stacks say.
"""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from gateway_process import SYSTEM, gateway
from mutants import MUTANTS, Mutant, mutate

from loadstone.contract.model import CheckResult, Contract
from loadstone.contract.run import run_checks
from loadstone.contract.upstream import RecordingUpstream
from loadstone.machine.tls_material import TlsMaterial, make_tls_material

CHECK_SECONDS = 2.0
"""Less than in use: a mutant that hangs does so in many checks."""
AT_A_TIME = 2

Results = Callable[[Mutant], tuple[CheckResult, ...]]


@pytest.fixture(scope="module")
def results(
    request: pytest.FixtureRequest,
    contract: Contract,
    node_directory: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Results]:
    """The results of every mutant that is asked for, held side by side."""
    directory = tmp_path_factory.mktemp("mutants")
    material = make_tls_material(tmp_path_factory.mktemp("tls"))
    # Another system's mutants are in the same session.
    here = [item for item in request.session.items if item.path == request.path]
    calls = (getattr(item, "callspec", None) for item in here)
    wanted = [call.params["mutant"] for call in calls if call and "mutant" in call.params]

    def made_and_held(mutant: Mutant) -> tuple[CheckResult, ...]:
        # An edit that no longer fits fails its own test alone.
        return hold(mutant, contract, mutate(mutant, node_directory, directory), material)

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        held: dict[str, Future[tuple[CheckResult, ...]]] = {
            mutant.name: pool.submit(made_and_held, mutant) for mutant in wanted
        }
        yield lambda mutant: held[mutant.name].result()


def hold(
    mutant: Mutant, contract: Contract, directory: Path, material: TlsMaterial
) -> tuple[CheckResult, ...]:
    checks = [check for check in contract.checks if check.quick or check.clause == mutant.clause]
    client, protocol = mutant.legs["client"], mutant.legs["upstream"]
    variables = {
        "CLIENT_PROTOCOL": client.value,
        "UPSTREAM_PROTOCOL": protocol.value,
        "TLS_CERT": str(material.certificate),
        "TLS_KEY": str(material.key),
        "TLS_CA": str(material.authority),
    }
    with (
        RecordingUpstream(protocol, material) as upstream,
        gateway(["node", "src/main.js"], directory, upstream.url, variables) as started,
    ):
        return run_checks(
            Contract(tuple(checks), ()),
            started.url.replace("http", client.scheme, 1),
            upstream,
            quick_only=False,
            budget_seconds=None,
            check_seconds=CHECK_SECONDS,
            legs=mutant.legs,
            authority=material.authority,
        )


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_fails_at_the_clause_it_breaks(mutant: Mutant, results: Results) -> None:
    states = {(result.clause, result.state) for result in results(mutant)}
    assert (mutant.clause, "failed") in states
    assert "passed" in {state for _, state in states}


def test_every_clause_has_a_mutant() -> None:
    spec = (SYSTEM / "SPEC.md").read_text()
    clauses = re.findall(r"^\* \*\*([A-Z0-9]+-\d+)\*\*", spec, re.MULTILINE)
    assert {mutant.clause for mutant in MUTANTS} == set(clauses)
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
