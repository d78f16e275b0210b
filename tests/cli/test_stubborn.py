"""Builds, services and dependencies that do not do their part: each ends in time, with its reason."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from lab import NEVER_WITHHELD, Lab, is_gone, study_of, wait_for, wait_for_line

from loadstone.deploy.confinement import choose
from loadstone.deploy.confinement.own_group import own_groups_here

IGNORES_SIGTERM = """#!/bin/sh
trap '' TERM
./bin/gateway &
while :; do wait; sleep 1; done
"""


def check(lab: Lab, stack: str, changed: str | None = None) -> str:
    """Hold a stack against its contract, which must fail with exit code 1; return what was said."""
    ended = lab.run("check", "mediation", "--stack", stack, changed=changed, columns=400)
    assert ended.code == 1, ended.stderr
    assert lab.left_behind() == []
    return ended.stdout


def test_a_build_that_hangs_is_ended_with_its_children_and_shows_how_far_it_came(lab: Lab) -> None:
    lab.add_stack("hangs", base="go", build="echo compiling the first half; sleep 600")
    changed = "import loadstone.deploy.build as build; build.BUILD_TIMEOUT_SECONDS = 1"
    said = check(lab, "hangs", changed)
    assert "build: `echo compiling the first half; sleep 600` did not end within 1 s" in said
    assert "| compiling the first half" in said


def test_a_long_build_gives_signs_of_life_and_can_be_interrupted(lab: Lab) -> None:
    lab.add_stack("hangs", base="go", build="sleep 600")
    lab.study(study_of("hangs"))
    changed = "import loadstone.cli.heartbeat as heartbeat; heartbeat.INTERVAL_SECONDS = 0.2"
    command = lab.start("run", "trial", changed=changed)
    wait_for_line(command, "build hangs: 0:00:0")
    command.send_signal(signal.SIGINT)
    ended = lab.end(command)
    assert ended.code == 2
    assert "stopped by SIGINT; finished runs are kept" in ended.stderr


def refusing_sigterm(lab: Lab) -> None:
    script = lab.add_stack("stubborn", base="go", run="./stubborn.sh") / "stubborn.sh"
    script.write_text(IGNORES_SIGTERM)
    script.chmod(0o755)


def test_a_service_that_ignores_sigterm_is_killed_and_the_run_says_so(lab: Lab) -> None:
    refusing_sigterm(lab)
    lab.study(study_of("stubborn", metrics=NEVER_WITHHELD))
    changed = "import loadstone.deploy.process as process; process.STOP_GRACE_SECONDS = 0.2"
    ended = lab.run("run", "trial", "--profile", "moment", changed=changed)
    assert ended.code == 0, ended.stderr
    for path in (lab.results() / "runs").glob("*/run.json"):
        record = json.loads(path.read_text())
        assert record["status"] == "completed", record["failure"]
        killed = {each["name"]: each["killed_after_ns"] for each in record["processes"]}
        assert killed["gateway"] == 200_000_000
        assert killed["backend"] is None
    findings = (lab.results() / "findings.json").read_text()
    assert "gateway did not end within 200 ms of SIGTERM, and was killed" in findings


def test_a_signal_in_a_long_tear_down_leaves_nothing_behind(lab: Lab) -> None:
    refusing_sigterm(lab)
    lab.study(study_of("stubborn", metrics=NEVER_WITHHELD))
    changed = "import loadstone.deploy.process as process; process.STOP_GRACE_SECONDS = 600"
    command = lab.start("check", "mediation", "--stack", "stubborn", changed=changed)
    gateway = lab.child("bin/gateway")
    wait_for(lambda: is_gone(gateway))  # SIGTERM came, and its shell goes on
    command.send_signal(signal.SIGINT)
    ended = lab.end(command)
    assert ended.code == 2
    assert "stopped by SIGINT" in ended.stderr


def test_a_port_that_another_program_takes_is_told_with_its_name(lab: Lab) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = check(lab, "go", changed=always_port(port))
    assert f"start-up: port {port} was free when it was chosen for gateway, but " in said
    assert f"({os.getpid()}) took it; gateway exited with code 1" in said


def test_the_right_answers_of_another_program_are_not_the_services(lab: Lab) -> None:
    lab.add_stack("idle", base="go", run="sleep 600")
    echo = Path(sys.executable).parent / "loadstone-echo"
    with subprocess.Popen([echo], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        port = int(other.stdout.readline().rpartition(":")[2])
        said = check(lab, "idle", changed=always_port(port))
        other.kill()
    assert f"loadstone-echo ({other.pid}) took it and answers there" in said


def always_port(port: int) -> str:
    return (
        f"import loadstone.deploy.deployment as deployment; deployment.free_port = lambda _: {port}"
    )


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo no room >&2; sleep 600", "did not say 'listening on ' within 1 s"),
        ("echo no room >&2; exit 3", "exited with code 3 before it said 'listening on '"),
    ],
)
def test_a_dependency_that_does_not_come_up_fails_the_runs_with_its_log(
    lab: Lab, script: str, reason: str
) -> None:
    lab.study(study_of("go", metrics=NEVER_WITHHELD))
    program = lab.root / "loadstone-echo"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    changed = (
        "import pathlib, loadstone.deploy.dependencies.echo as dependency\n"
        "dependency.READY_TIMEOUT_SECONDS = 1\n"
        f"dependency.find_binary = lambda name: pathlib.Path({str(program)!r})"
    )
    ended = lab.run("run", "trial", "--profile", "moment", changed=changed)
    assert ended.code == 1
    assert lab.left_behind() == []
    assert f"failed: deploy: dependency backend {reason}" in ended.stderr
    assert "| no room" in ended.stderr


@pytest.mark.parametrize("hunger", ["at once", "when it is asked"])
def test_a_memory_limit_below_need_is_told_with_figures(lab: Lab, hunger: str) -> None:
    how = choose.choose(own_groups_here()).isolation
    if how == "affinity and rlimits":
        pytest.skip(f"services are confined by {how} here, which kills none")
    if hunger == "at once":
        lab.add_stack("hungry", base="go", run="tail /dev/zero")
        words = r"start-up: gateway was killed by SIGKILL: the kernel killed 1"
    else:
        main = lab.add_stack("hungry") / "src" / "main.js"
        main.write_text(FILLS_WHEN_ASKED + main.read_text())
        words = (
            r"was killed by SIGKILL while it was held against the contract.*: the kernel killed 1"
        )
    lab.study(study_of("hungry", limits="{gateway: {memory: 96M}}"))
    ended = lab.run("run", "trial", "--profile", "moment")
    assert ended.code == 1
    assert lab.left_behind() == []
    assert re.search(words, ended.stderr, re.DOTALL)
    assert "for want of memory: its limit is 96.0 MiB, of which it had used 9" in ended.stderr
    assert "want of memory" in ended.stdout


FILLS_WHEN_ASKED = """
const { Server } = await import('node:http');
const emit = Server.prototype.emit;
const filled = [];
let asked = 0;
Server.prototype.emit = function (event, ...values) {
  while (event === 'request' && asked > 5) filled.push(Buffer.alloc(1 << 20, 1));
  if (event === 'request') asked += 1;
  return emit.call(this, event, ...values);
};
"""
