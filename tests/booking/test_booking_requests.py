"""H7: what Schemathesis asks for by the OpenAPI document is answered as the document says."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from booking_stacks import SYSTEM, VARIANTS, ready, variables

from held_stacks import Variant, as_parameters
from loadstone.contract.model import Contract
from loadstone.deploy.dependencies.postgres.server import Postgres
from stack_processes import started

REQUESTS = 2_000
EXAMPLES = 60
"""Of each operation, by each of the two accounts: an owner of the seed, and a player."""
ACCOUNTS = {"owner": 1, "player": 11}
CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance"),
)
RUN_SECONDS = 280
CASES = re.compile(r"(\d+) generated")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("variant", as_parameters(VARIANTS))
def test_generated_requests_are_answered_as_described(
    variant: Variant, contract: Contract, database: Postgres, tmp_path: Path
) -> None:
    prepared = ready(variant, contract, tmp_path)
    tokens = import_module("systems.booking.contract.lib.tokens")
    ended, is_running = [], []
    with started(prepared.launch, tmp_path, variables(database)) as service:
        for role, account in ACCOUNTS.items():
            caller = tokens.caller(account, role)
            ended.append(asked(service.url, caller.token, tmp_path))
            is_running.append(service.process.poll() is None)
    database.reset()
    assert all(is_running)
    assert [each.returncode for each in ended] == [0, 0], "".join(each.stdout for each in ended)
    told = [int(CASES.findall(each.stdout)[-1]) for each in ended]
    assert sum(told) >= REQUESTS, told


def asked(url: str, token: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [
            *(str(Path(sys.executable).with_name("schemathesis")), "run"),
            str(SYSTEM.directory / "openapi.yaml"),
            *("--url", url, "--checks", ",".join(CHECKS)),
            *("--header", f"Authorization: Bearer {token}"),
            *("--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES)),
            *("--seed", "7", "--request-timeout", "10", "--continue-on-failure"),
            *("--generation-database", "none", "--no-color"),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )
