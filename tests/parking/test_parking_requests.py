"""What Schemathesis asks for by the OpenAPI document is answered as the document says."""

from importlib import import_module
from pathlib import Path

import pytest
from parking_stacks import GO, READY_MADE, SYSTEM, VARIANTS, ready, variables

import generated_requests
from held_stacks import Variant
from loadstone.contract.model import Contract
from loadstone.deploy.dependencies.postgres.server import Postgres
from stack_processes import started

REQUESTS = 2_000
EXAMPLES = 100
"""Of each operation, by each of the two callers."""
CALLERS = {1: "SUPERVISOR", 4: "CUSTOMER"}
"""Users of the seed, by their ids, and their roles."""


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("gateway", "users"),
    [
        pytest.param(gateway, users, id=f"{gateway}-{users}")
        for gateway in VARIANTS["gateway"]
        for users in VARIANTS["users"]
        if (gateway == GO["gateway"] or users == GO["users"])
        and gateway.stack.stack not in READY_MADE
    ],
)
def test_generated_requests_are_answered_as_described(
    gateway: Variant, users: Variant, contract: Contract, database: Postgres, tmp_path: Path
) -> None:
    entry = ready("gateway", gateway, contract, tmp_path)
    behind = ready("users", users, contract, tmp_path)
    token_of = import_module("systems.parking.contract.lib.gateway_tokens").token_of
    asked = []
    with started(behind.launch, tmp_path, variables("users", database)) as service:
        told = {**variables("gateway", database), "STATIC_INSTANCES": f"users={service.url}"}
        with started(entry.launch, tmp_path, told) as front:
            for user, role in CALLERS.items():
                token = token_of(user, role)
                asked.append(generated_requests.ask(SYSTEM, front.url, tmp_path, EXAMPLES, token))
            is_running = [front.process.poll() is None, service.process.poll() is None]
    database.reset()
    assert all(is_running)
    assert all(each.holds for each in asked), "".join(each.text for each in asked)
    assert sum(each.requests for each in asked) >= REQUESTS, [each.requests for each in asked]
