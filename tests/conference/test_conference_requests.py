"""H5: what Schemathesis asks for by the OpenAPI document is answered as the document says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conference_stacks import SYSTEM, VARIANTS, database_variable, ready

from held_stacks import Variant, as_parameters
from loadstone.contract.model import Contract
from loadstone.contract.scripts import fixed
from loadstone.contract.upstream import RecordingUpstream
from loadstone.deploy.dependencies.mariadb.server import MariaDb
from stack_processes import started

REQUESTS = 2_000
EXAMPLES = 450
"""Of each operation: half of them have no parameters, and few ways to be asked."""
CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance"),
)
RUN_SECONDS = 280
CASES = re.compile(r"(\d+) generated")


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
            ended = subprocess.run(
                [
                    *(str(Path(sys.executable).with_name("schemathesis")), "run"),
                    str(SYSTEM.directory / "openapi.yaml"),
                    *("--url", service.url, "--checks", ",".join(CHECKS)),
                    *("--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES)),
                    *("--seed", "7", "--request-timeout", "10", "--continue-on-failure"),
                    *("--generation-database", "none", "--no-color"),
                ],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=RUN_SECONDS,
                check=False,
            )
            is_running = service.process.poll() is None
    database.reset()
    assert is_running
    assert ended.returncode == 0, ended.stdout
    assert int(CASES.findall(ended.stdout)[-1]) >= REQUESTS, ended.stdout
