"""Runtimes that train a build before it runs: what `check` and `run` share."""

import json
import shutil
from pathlib import Path

import pytest
from lab import NEVER_WITHHELD, Lab, study_of

from loadstone.study.files.runtime_file import read_runtime
from loadstone.study.systems.availability import availability

RUNTIME = """
runtime: trained
title: A program that its training run made
detect: go version
install: Install Go.
replaces: ./bin/gateway
prepare: mkdir -p {artifacts}
train: {launch: sh train.sh, creates: "{artifacts}/application"}
launch: "{artifacts}/application"
"""
LEAVES_A_FILE = "cp bin/gateway loadstone-runtime/application"


def add_trained_stack(lab: Lab, at_exit: str) -> Path:
    """Add `trained@trained`, which runs only after a training; return the count of trainings.

    Builds are the test's own, since a build of an earlier session would be found trained.
    """
    (lab.root / ".loadstone").unlink()
    (lab.root / "runtimes" / "trained.yaml").write_text(RUNTIME)
    directory = lab.add_stack("trained", base="go", runtimes="[trained]")
    count = lab.root / "trainings"
    # The group gets SIGTERM: the shell outlives it, as a JVM that writes its archive does.
    (directory / "train.sh").write_text(
        "trap : TERM\n./bin/gateway & wait $!; wait $!\n"
        f"echo once >> $LOADSTONE_ROOT/{count.name}\n{at_exit}\n"
    )
    return count


def test_a_build_is_trained_once_and_then_checked(lab: Lab) -> None:
    count = add_trained_stack(lab, LEAVES_A_FILE)
    first = lab.run("check", "mediation", "--stack", "trained")
    assert first.code == 0, first.stdout
    assert "holds    trained@trained" in first.stdout
    assert lab.run("check", "mediation", "--stack", "trained").code == 0
    assert count.read_text() == "once\n"


def test_a_training_that_leaves_no_file_fails_the_build_and_leaves_nothing(lab: Lab) -> None:
    add_trained_stack(lab, "echo no archive today >&2")
    ended = lab.run("check", "mediation", "--stack", "trained")
    assert ended.code == 1
    assert "exited with code 0, and left no application" in " ".join(ended.stdout.split())
    assert "no archive today" in ended.stdout
    assert list((lab.root / ".loadstone" / "builds").glob("trained-*.partial-*")) == []


@pytest.mark.slow
def test_what_the_recorder_stands_in_for_is_trained_by_calling_it_itself(lab: Lab) -> None:
    count = add_trained_stack(lab, LEAVES_A_FILE)
    relays = lab.add_relay()
    system = lab.root / "systems" / "mediation" / "system.yaml"
    system.write_text(system.read_text() + "recorded: [relay]\n")
    shutil.copytree(relays / "go", relays / "relayed")
    shutil.copy(lab.gateways / "trained" / "train.sh", relays / "relayed")
    stack = relays / "relayed" / "stack.yaml"
    text = stack.read_text().replace("stack: go\n", "stack: relayed\n")
    stack.write_text(text.replace("runtimes: [go]", "runtimes: [trained]"))
    for _ in range(2):
        ended = lab.run("check", "mediation", "--stack", "relay/relayed")
        assert ended.code == 0, ended.stdout
        assert "holds    relay/relayed@trained h1c -> h1c: " in ended.stdout
    assert count.read_text() == "once\n"


@pytest.mark.slow
def test_other_limits_are_another_training(lab: Lab) -> None:
    count = add_trained_stack(lab, LEAVES_A_FILE)
    assert lab.run("check", "mediation", "--stack", "trained").code == 0
    limits = "{gateway: {cpus: 1, memory: 512M}}"
    lab.study(study_of("trained", limits=limits, metrics=NEVER_WITHHELD))
    ended = lab.run("run", "trial", "--profile", "short")
    assert ended.code == 0, ended.stderr
    assert count.read_text() == "once\nonce\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stack", "runtime"),
    [
        ("netty", "openjdk-17-cds"),
        ("netty", "openjdk-25-aot-cache"),
        ("spring", "openjdk-25-aot-cache"),  # writing this cache takes more than the limit
    ],
)
def test_an_archive_of_a_jvm_serves_under_a_limit_too(lab: Lab, stack: str, runtime: str) -> None:
    # Its launch command makes the JVM end where it cannot use the archive.
    state = availability(read_runtime(lab.root / "runtimes" / f"{runtime}.yaml"))
    if state.version is None or shutil.which("mvn") is None:
        pytest.skip(f"{runtime} or Maven is not here: {state.reason}")
    limits = "{gateway: {cpus: 1, memory: 512M}}"
    lab.study(study_of(f"{stack}@{runtime}", "go", limits=limits, metrics=NEVER_WITHHELD))
    ended = lab.run("run", "trial", "--profile", "short")
    assert ended.code == 0, ended.stderr
    records = [json.loads(path.read_text()) for path in (lab.results() / "runs").glob("*/run.json")]
    assert [record["status"] for record in records] == ["completed", "completed"]
