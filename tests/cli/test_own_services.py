"""A team's own service in a study: started by its command, or loaded where it is running already."""

import json
import os
import shutil
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import own_gateway
import pytest
from lab import (
    CHECKOUT,
    NEVER_WITHHELD,
    TIMEOUT_SECONDS,
    Ended,
    Lab,
    study_of,
    undo_last_run,
)
from servers import Hello, http_server


@dataclass(frozen=True)
class Measured:
    """A study of a stack, a command and an address, and what it left."""

    lab: Lab
    ended: Ended
    pid: int
    url: str
    alive: bool


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return own_gateway.build(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, program: Path) -> Iterator[Measured]:
    lab = Lab(tmp_path_factory.mktemp("measured"))
    script = program.parent / "serve.sh"
    script.write_text(f"exec {program}\n")
    with own_gateway.running(program) as (process, url):
        command = f"{{label: branch, command: sh serve.sh, dir: {program.parent}}}"
        levels = ("go", command, f"{{label: staging, url: '{url}'}}")
        lab.study(study_of(*levels, metrics=f"{NEVER_WITHHELD}, startup"))
        ended = lab.run("run", "trial", "--profile", "short")
        alive = process.poll() is None and answers(url)
        yield Measured(lab, ended, process.pid, url, alive)
    assert lab.left_behind() == []


def answers(url: str) -> bool:
    body = b'{"a":1}'
    with urllib.request.urlopen(f"{url}/passthrough", data=body) as answer:
        return bool(answer.read() == body)


def record_of(lab: Lab, arm: str) -> dict[str, Any]:
    (path,) = (lab.results() / "runs").glob(f"*-{arm}-*/run.json")
    record: dict[str, Any] = json.loads(path.read_text())
    schema = json.loads((CHECKOUT / "schemas" / "run-record.schema.json").read_text())
    jsonschema.validate(record, schema)
    return record


def service_of(record: dict[str, Any]) -> dict[str, Any]:
    (service,) = (each for each in record["processes"] if each["role"] == "service")
    return dict(service)


def test_a_command_is_deployed_checked_limited_and_measured_as_a_stack_is(
    measured: Measured,
) -> None:
    assert measured.ended.code == 0, measured.ended.stderr
    stack, own = (record_of(measured.lab, arm) for arm in ("go", "branch"))
    assert own["status"] == "completed", own["failure"]
    assert own["address"] is None
    assert own["phases_ns"].keys() == stack["phases_ns"].keys()
    assert [check["failed"] for check in own["checks"]] == [[], [], []]
    assert [each["role"] for each in own["processes"]] == [
        each["role"] for each in stack["processes"]
    ]
    service, of_stack = service_of(own), service_of(stack)
    assert (service["label"], service["command"]) == ("branch", "sh serve.sh")
    assert service["stack"] is service["runtime"] is service["build"] is None
    assert service["cpus"] == of_stack["cpus"]
    assert service["confinement"]["isolation"] == of_stack["confinement"]["isolation"]
    assert service["startup"]["first_correct_response_ns"] > 0
    assert own["resources"]["gateway"]["cpu_ns"] > 0


def test_what_is_running_already_is_found_loaded_and_left_as_it_was(measured: Measured) -> None:
    record = record_of(measured.lab, "staging")
    assert record["status"] == "completed", record["failure"]
    assert record["address"] == {
        "url": measured.url,
        "not_found": None,
        "not_started": ["backend"],
    }
    service = service_of(record)
    assert (service["pid"], service["label"]) == (measured.pid, "staging")
    assert service["command"].endswith("/gateway")
    assert service["confinement"] is service["startup"] is service["build"] is None
    assert not any(each["role"] == "dependency" for each in record["processes"])
    assert [check["failed"] for check in record["checks"]] == [[], [], []]
    assert record["resources"]["gateway"]["cpu_ns"] > 0
    assert record["resources"]["gateway"]["rss_peak_bytes"] > 0
    assert "startup" not in record["phases_ns"]
    assert measured.alive


def test_its_start_up_is_not_measured_and_the_reason_is_shown(measured: Measured) -> None:
    assert "not measured: the service was running already" in measured.ended.stdout
    report = (measured.lab.results() / "report.html").read_text()
    assert f"own service, running already at {measured.url}" in report
    assert "own service, `sh serve.sh`" in report


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two CPUs to be apart")
def test_what_shares_the_engines_cpu_is_doubted(measured: Measured) -> None:
    findings = json.loads((measured.lab.results() / "findings.json").read_text())
    (found,) = (each for each in findings if each["code"] == "service-not-apart")
    assert "staging" in found["scope"]
    assert "may use CPU" in found["evidence"]


def test_the_dry_run_says_what_would_be_started(measured: Measured) -> None:
    ended = measured.lab.run("run", "trial", "--dry-run")
    assert "branch: own service, `sh serve.sh` in " in ended.stdout
    assert f"staging: own service, running already at {measured.url}" in ended.stdout


def test_a_study_is_not_resumed_with_another_command(
    measured: Measured, program: Path, tmp_path: Path
) -> None:
    script = program.parent / "serve.sh"
    before = script.read_text()
    script.write_text(f"# faster\n{before}")
    copied = tmp_path / measured.lab.results().name
    shutil.copytree(measured.lab.results(), copied)
    undo_last_run(copied)
    words = ("run", "trial", "--profile", "short", "--out", str(tmp_path), "--resume")
    ended = measured.lab.run(*words)
    script.write_text(before)
    assert ended.code == 2
    assert "cannot be resumed" in ended.stderr
    assert "files of the command branch" in ended.stderr


def test_own_services_that_fail_leave_the_others_measured(lab: Lab) -> None:
    with http_server(Hello) as nowhere:
        pass
    with http_server(Hello) as wrong:  # it echoes, and knows no other path
        lab.study(
            study_of(
                "go",
                "{label: ends, command: \"sh -c 'echo no config >&2; exit 3'\"}",
                f"{{label: nowhere, url: '{nowhere}'}}",
                f"{{label: wrong, url: '{wrong}'}}",
            )
        )
        ended = lab.run("run", "trial", "--profile", "short")
    assert ended.code == 1, ended.stderr
    assert record_of(lab, "go")["status"] == "completed"
    expected = {
        "ends": ("start-up", "gateway exited with code 3", "no config"),
        "nowhere": ("deploy", f"nothing listens at {nowhere}: start nowhere first", ""),
        "wrong": ("check", "PT-19", ""),
    }
    for arm, (step, reason, tail) in expected.items():
        record = record_of(lab, arm)
        failure = record["failure"]
        assert failure["step"] == step, failure
        assert reason in failure["reason"]
        assert tail in failure["log_tail"]
        assert record["outcomes"] == {}, "it was loaded"


def test_a_service_that_goes_away_in_mid_load_is_named(lab: Lab, program: Path) -> None:
    with own_gateway.running(program) as (process, url):
        level = "{{label: {}, url: '{}'}}"
        lab.study(study_of(level.format("own", url), level.format("again", url)))
        command = lab.start("run", "trial", "--profile", "short")
        wait_for(lab.root, "results/*/runs/001-*/timeline.ndjson")
        process.kill()
        ended = lab.end(command)
    assert ended.code == 1
    first = json.loads(next(lab.root.glob("results/*/runs/001-*/run.json")).read_text())
    assert first["failure"]["step"] == "load"
    assert f"process {process.pid}" in first["failure"]["reason"]


def wait_for(root: Path, pattern: str) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not any(root.glob(pattern)):
        assert time.monotonic() < end, f"{pattern} never came"
        time.sleep(0.01)


def test_an_address_that_is_not_ones_own_is_refused_before_anything_starts(lab: Lab) -> None:
    path = lab.study(study_of("go", "{label: own, url: 'http://192.0.2.1:8080'}"))
    ended = lab.run("run", "trial")
    assert ended.code == 2
    assert ended.stderr.startswith(f"error: {path}:6: arms.gateway[1].url: 192.0.2.1 is not")
    assert "allow_target" in ended.stderr
    assert not (lab.root / "results").exists()
