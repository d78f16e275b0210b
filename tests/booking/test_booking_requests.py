"""H7: what Schemathesis asks for by the OpenAPI document is answered as the document says."""

from importlib import import_module
from pathlib import Path

import pytest
from booking_stacks import SYSTEM, VARIANTS, ready, variables

import generated_requests
from held_stacks import Variant, as_parameters
from loadstone.contract.model import Contract
from loadstone.deploy.dependencies.postgres.server import Postgres
from stack_processes import started

REQUESTS = 2_000
EXAMPLES = 60
"""Of each operation, by each of the two accounts: an owner of the seed, and a player."""
ACCOUNTS = {"owner": 1, "player": 11}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("variant", as_parameters(VARIANTS))
def test_generated_requests_are_answered_as_described(
    variant: Variant, contract: Contract, database: Postgres, tmp_path: Path
) -> None:
    prepared = ready(variant, contract, tmp_path)
    tokens = import_module("systems.booking.contract.lib.tokens")
    asked, is_running = [], []
    with started(prepared.launch, tmp_path, variables(database)) as service:
        for role, account in ACCOUNTS.items():
            token = tokens.caller(account, role).token
            asked.append(generated_requests.ask(SYSTEM, service.url, tmp_path, EXAMPLES, token))
            is_running.append(service.process.poll() is None)
    database.reset()
    assert all(is_running)
    assert all(each.holds for each in asked), "".join(each.text for each in asked)
    assert sum(each.requests for each in asked) >= REQUESTS, [each.requests for each in asked]
