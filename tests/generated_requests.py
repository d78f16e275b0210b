"""Requests that Schemathesis makes of a system's OpenAPI document, and what it says of the answers."""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from loadstone.study.values.manifest import System

_CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance"),
)
_RUN_SECONDS = 280
_CASES = re.compile(r"(\d+) generated")


@dataclass(frozen=True)
class Asked:
    """What was asked, and what is told of it."""

    holds: bool
    requests: int
    text: str


def ask(system: System, url: str, folder: Path, examples: int, token: str | None = None) -> Asked:
    """Ask for each operation so many times and more, by a token or none, always by the same draws."""
    field = [] if token is None else ["--header", f"Authorization: Bearer {token}"]
    ended = subprocess.run(
        [
            *(str(Path(sys.executable).with_name("schemathesis")), "run"),
            str(system.directory / "openapi.yaml"),
            *("--url", url, "--checks", ",".join(_CHECKS), *field),
            *("--phases", "examples,coverage,fuzzing", "--max-examples", str(examples)),
            *("--seed", "7", "--request-timeout", "10", "--continue-on-failure"),
            *("--generation-database", "none", "--no-color"),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=_RUN_SECONDS,
        check=False,
    )
    counts = _CASES.findall(ended.stdout)
    return Asked(ended.returncode == 0, int(counts[-1]) if counts else 0, ended.stdout)
