"""H5: what Schemathesis asks for by the OpenAPI document is answered as the document says."""

from pathlib import Path

import pytest
from conference_stacks import SYSTEM, VARIANTS, database_variable, ready

import generated_requests
from held_stacks import Variant, as_parameters
from loadstone.contract.model import Contract
from loadstone.contract.scripts import fixed
from loadstone.contract.upstream import RecordingUpstream
from loadstone.deploy.dependencies.mariadb.server import MariaDb
from stack_processes import started

REQUESTS = 2_000
EXAMPLES = 450
"""Of each operation: half of them have no parameters, and few ways to be asked."""


@pytest.mark.slow
@pytest.mark.parametrize("variant", as_parameters(VARIANTS))
def test_generated_requests_are_answered_as_described(
    variant: Variant, contract: Contract, database: MariaDb, tmp_path: Path
) -> None:
    prepared = ready(variant, "conference", contract, tmp_path)
    with RecordingUpstream() as upstream:
        upstream.answer_with(fixed(200, [], b'{"name":"USA"}'))
        told = {"DATABASE_URL": database_variable(database), "COUNTRY_URL": upstream.url}
        with started(prepared.launch, tmp_path, told) as service:
            asked = generated_requests.ask(SYSTEM, service.url, tmp_path, EXAMPLES)
            is_running = service.process.poll() is None
    database.reset()
    assert is_running
    assert asked.holds, asked.text
    assert asked.requests >= REQUESTS, asked.text
