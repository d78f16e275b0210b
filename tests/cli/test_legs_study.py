"""A study over every protocol of the legs: what is agreed on is what the arm says."""

import json
from collections.abc import Iterator
from typing import Any

import own_gateway
import pytest
from lab import NEVER_WITHHELD, Lab

pytestmark = pytest.mark.slow  # the contract is held over four pairs of legs first

STUDY = """
study: trial
goal: see that every leg is what its arm says
system: mediation
arms:
  gateway: [go, {{label: own, command: ./gateway, dir: {own}}}]
  client: [h1, h2c, h2, h2-downgrade]
  upstream: [h1, h1c, h2, h2-downgrade]
only:
  - {{gateway: go, client: h1, upstream: h1, operation: transform}}
  - {{client: h2, upstream: h2, operation: passthrough}}
  - {{gateway: go, client: h2c, upstream: h1c, operation: passthrough}}
  - {{gateway: go, client: h2-downgrade, upstream: h2-downgrade, operation: passthrough}}
workloads: [passthrough-50b-100, transform-1024b-100]
blocks: 1
seed: 7
questions:
  - question: which gateway takes less memory over HTTP/2?
    compare: gateway
    where: {{client: h2, upstream: h2}}
    operation: passthrough
    metrics: [{metric}]
    margin: 3%
profiles:
  short: {{duration: 1s, warm_up: 0s}}
"""

AGREED = {
    "h1": ("1.1", "http/1.1", "1.3"),
    "h2c": ("2", None, None),
    "h2": ("2", "h2", "1.3"),
    "h2-downgrade": ("1.1", "http/1.1", "1.3"),
}
"""Protocol of the client's leg to version of HTTP, ALPN, and version of TLS."""

Records = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Records]:
    own = own_gateway.build(tmp_path_factory.mktemp("own")).parent
    lab = Lab(tmp_path_factory.mktemp("legs"))
    lab.study(STUDY.format(own=own, metric=NEVER_WITHHELD))
    ended = lab.run("run", "trial", "--profile", "short")
    assert ended.code == 0, ended.stderr
    read = [json.loads(path.read_text()) for path in (lab.results() / "runs").glob("*/run.json")]
    kept = b"".join(path.read_bytes() for path in lab.results().rglob("*") if path.is_file())
    assert b"PRIVATE KEY" not in kept
    yield {(each["run"]["arm"], each["run"]["workload"]): each for each in read}
    assert lab.left_behind() == []


def test_each_arm_is_run_under_the_workloads_that_were_left_of_it(records: Records) -> None:
    transforming = {arm for arm, workload in records if workload == "transform-1024b-100"}
    assert transforming == {"go-h1-h1"}
    assert len(records) == len(transforming) + 4
    assert {record["status"] for record in records.values()} == {"completed"}


def test_what_was_spoken_is_what_the_arm_says_with_one_cipher_suite(records: Records) -> None:
    for (arm, _), record in records.items():
        client = record["run"]["factors"]["client"]
        spoken = record["load"]["spoken"]
        agreed = (spoken["http"], spoken["alpn"], spoken["tls_version"])
        assert agreed == AGREED[client], arm
        suite = "TLS_AES_128_GCM_SHA256" if agreed[2] else None
        assert spoken["cipher_suite"] == suite, arm


def test_the_backend_speaks_what_its_leg_says(records: Records) -> None:
    for record in records.values():
        (backend,) = (each for each in record["processes"] if each["role"] == "dependency")
        upstream = record["run"]["factors"]["upstream"]
        assert backend["settings"]["protocol"] == upstream.replace("h2-downgrade", "h1")


def test_nothing_failed_and_sampled_documents_are_those_of_their_requests(records: Records) -> None:
    for (arm, workload), record in records.items():
        outcomes = record["outcomes"]
        assert sum(count for name, count in outcomes.items() if name != "ok") == 0, (arm, outcomes)
        assert [check["failed"] for check in record["checks"]] == [[], [], []]
        sampled = next(check for check in record["checks"] if check["when"] == "samples")
        assert sampled["checked"] > 0, workload
