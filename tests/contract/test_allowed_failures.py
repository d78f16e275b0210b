"""Failures that contracts allow under load: counted, and held to what they have to say."""

import base64
import json
from pathlib import Path

import pytest

from loadstone.contract.load import load_contract
from loadstone.contract.samples import check_samples
from loadstone.study.values.model import Operation

SYSTEMS = Path(__file__).parents[2] / "systems"
NO_DATABASE = "The database is not available."
BOOKING = {
    "type": "https://booking.example/problems/unavailable",
    "title": "Not available",
    "status": 503,
    "detail": NO_DATABASE,
}
INSERTING = {
    "type": "urn:conference:unavailable",
    "title": "Error occurred while creating conference",
    "status": 503,
    "detail": NO_DATABASE,
}
COUNTRY = {
    "type": "urn:conference:country-timeout",
    "title": "Error occurred while retrieving conferences with country",
    "status": 504,
    "detail": "The country service did not answer in time.",
}
OPEN = {
    **COUNTRY,
    "type": "urn:conference:country-open",
    "status": 503,
    "detail": "The country service is not asked for now.",
}
PARKING = {"type": "urn:park:unavailable", "title": "Not available", "status": 503}
ALLOWED = [
    ("booking", "log-in", BOOKING),
    ("booking", "reserve", BOOKING),
    ("booking", "list-clubs", BOOKING),
    ("conference", "insert", INSERTING),
    ("conference", "with-country", COUNTRY),
    ("conference", "with-country", OPEN),
    ("parking", "list-users", {**PARKING, "code": "unavailable"}),
]


def failed(folder: Path, system: str, operation: str, problem: dict[str, object]) -> list[str]:
    """The clauses that an answer with this problem breaks."""
    body = json.dumps(problem, separators=(",", ":")).encode()
    headers = [["Content-Type", "application/problem+json"], ["X-Request-Id", "0123456789"]]
    if problem["status"] == 503:
        headers.append(["Retry-After", "1"])
    sample = {
        "operation": operation,
        "at_ns": 3_112_000_000,
        "status": problem["status"],
        "headers": headers,
        "body": base64.b64encode(body).decode(),
        "body_bytes": len(body),
        "truncated": False,
    }
    path = folder / "samples.ndjson"
    path.write_bytes(json.dumps(sample).encode() + b"\n")
    asked = Operation(operation=operation, method="POST", path="/", headers=(), body="")
    contract = load_contract(SYSTEMS / system / "contract")
    results = check_samples(contract, path, {operation: asked})
    assert results.checked == 1
    return [each.partition(":")[0] for each in results.failed]


@pytest.mark.parametrize(("system", "operation", "problem"), ALLOWED)
def test_a_failure_that_the_contract_allows_does_not_break_it(
    tmp_path: Path, system: str, operation: str, problem: dict[str, object]
) -> None:
    assert failed(tmp_path, system, operation, problem) == []


@pytest.mark.parametrize(("system", "operation", "problem"), ALLOWED)
def test_it_is_held_to_what_it_has_to_say(
    tmp_path: Path, system: str, operation: str, problem: dict[str, object]
) -> None:
    assert failed(tmp_path, system, operation, {**problem, "title": "Busy"}) != []
    assert failed(tmp_path, system, operation, {**problem, "status": 500}) != []
