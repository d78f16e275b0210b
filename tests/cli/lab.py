"""Drives the real command in a root of its own: the systems of the checkout, the test's studies."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import psutil

from loadstone.deploy.confinement.own_group import own_groups_here
from loadstone.deploy.sources import is_left_out
from loadstone.machine import ownership

CHECKOUT = Path(__file__).parents[2]
COMMAND = Path(sys.executable).parent / "loadstone"
SIMULATE = ("--simulate", "behaviours.yaml")
"""Options of a run that measures nothing: see `Lab.behave`."""
TIMEOUT_SECONDS = 240
LEAVING_SECONDS = 30
STEP_SECONDS = 0.02
MAIN = "from loadstone.cli.main import main; main()"

PROGRESS = re.compile(r"^(?:reading|comparing|drawing|making) .*\n", re.MULTILINE)
"""Lines that come only where something takes long."""
OVERRIDING = re.compile(r"^\S+ \(yours\): yours in place of shipped: .*\n", re.MULTILINE)
"""Every command would say it: the lab has all that is shipped, too. See `test_roots.py`."""
PROTOCOLS = re.compile(r"^protocols:.*$", re.MULTILINE)
PROTOCOLS_ON = re.compile(r"^protocols_on:.*\n(?:  .*\n)*", re.MULTILINE)

NEVER_WITHHELD = "rss_peak"
"""A metric that no rule withholds for what else the machine does meanwhile."""

Found = TypeVar("Found")

TWO_SERVICES = """
system: mediation
title: A gateway, and a relay behind it
scenarios: [{operation: passthrough, legs: {client: h1c, upstream: h1c, onward: h1c}}]
dependencies: {backend: echo}
services:
  gateway:
    legs: [client, upstream]
    needs: [relay]
    variables: {UPSTREAM_URL: "{relay}"}
    ready:
      operation: passthrough
      post: /passthrough
      payload: {kind: array, bytes: 50}
      body_equals_request: true
  relay:
    legs: [upstream, onward]
    needs: [backend]
    variables: {UPSTREAM_URL: "{backend}"}
    ready:
      operation: passthrough
      post: /service/EchoService
      payload: {kind: array, bytes: 50}
      body_equals_request: true
"""


@dataclass(frozen=True)
class Ended:
    """What a command left behind."""

    code: int
    stdout: str
    stderr: str

    @property
    def told(self) -> str:
        """What it said on standard error whatever the time it took."""
        return PROGRESS.sub("", self.stderr)


def _made_by_builds(folder: str, names: list[str]) -> set[str]:
    """What a build or a tool left in the checkout's stacks."""
    at_top = "stack.yaml" in names
    return {name for name in names if is_left_out(Path(folder, name), at_top=at_top)}


class Lab:
    """A temporary root. Builds are shared with the checkout: they are kept by content."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.command: list[str | Path] = [COMMAND]
        self._started: list[subprocess.Popen[str]] = []
        for name in ("systems", "runtimes"):
            shutil.copytree(CHECKOUT / name, root / name, ignore=_made_by_builds)
        (root / "studies").mkdir()
        shutil.copy(CHECKOUT / "loadstone.yaml", root)
        self.temporary.mkdir()
        (CHECKOUT / ".loadstone").mkdir(exist_ok=True)
        (root / ".loadstone").symlink_to(CHECKOUT / ".loadstone")

    @property
    def temporary(self) -> Path:
        """Where the commands have their temporary files."""
        return self.root / "temporary"

    @property
    def gateways(self) -> Path:
        """The folder of the stacks of mediation's gateway."""
        return self.root / "systems" / "mediation" / "gateway"

    def add_stack(self, name: str, *, base: str = "node", **changes: str) -> Path:
        """Add a copy of a stack under another name, with keys of its manifest changed.

        It speaks HTTP/1.1 in cleartext alone, unless the changes say otherwise: over every pair of legs
        a check of it would take its time for each.
        """
        changes = {"protocols": "{client: [h1c], upstream: [h1c]}", **changes}
        directory = self.gateways / name
        shutil.copytree(self.gateways / base, directory)
        manifest = directory / "stack.yaml"
        lines = []
        for line in PROTOCOLS_ON.sub("", manifest.read_text()).splitlines():
            key = line.partition(":")[0]
            lines.append(f"{key}: {changes.get(key, name)}" if key in {"stack", *changes} else line)
        manifest.write_text("\n".join(lines) + "\n")
        return directory

    def add_relay(self) -> Path:
        """Put a second service between gateway and backend; return the folder of its stacks.

        Its stack is the Go gateway, called where the backend was called.
        """
        system = self.root / "systems" / "mediation"
        relay = system / "relay" / "go"
        shutil.copytree(self.gateways / "go", relay)
        source = relay / "gateway.go"
        text = source.read_text()
        assert text.count('"/passthrough": ') == 1
        source.write_text(text.replace('"/passthrough": ', "upstreamPath: "))
        stack = relay / "stack.yaml"
        stack.write_text(
            PROTOCOLS.sub("protocols: {upstream: [h1c], onward: [h1c]}", stack.read_text())
        )
        (system / "system.yaml").write_text(TWO_SERVICES)
        shutil.rmtree(system / "published")  # of scenarios that this system does not have
        return relay.parent

    def behave(self, text: str) -> None:
        """Write how the arms of a study behave that is run with `SIMULATE`."""
        (self.root / SIMULATE[1]).write_text(text)

    def study(self, text: str, name: str = "trial") -> Path:
        """Write a study."""
        path = self.root / "studies" / f"{name}.yaml"
        path.write_text(text)
        return path

    def start(
        self,
        *words: str,
        columns: int = 120,
        changed: str | None = None,
        file_bytes: int | None = None,
    ) -> "subprocess.Popen[str]":
        """Start a command and leave it running.

        `changed` is code that the command runs first, to bring a time-out within a test's reach or
        to take the place of chance. No file that it writes may exceed `file_bytes`.
        """
        program = self.command if changed is None else [sys.executable, "-c", f"{changed}\n{MAIN}"]
        command = subprocess.Popen(
            [*program, *words],
            cwd=self.root,
            env={
                **os.environ,
                "LOADSTONE_ROOT": str(self.root),
                "TMPDIR": str(self.temporary),
                "COLUMNS": str(columns),
                "PYTHONDONTWRITEBYTECODE": "",  # hundreds of commands compile the lab once
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=None
            if file_bytes is None
            else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes)),
        )
        self._started.append(command)
        return command

    def run(
        self,
        *words: str,
        columns: int = 120,
        changed: str | None = None,
        file_bytes: int | None = None,
    ) -> Ended:
        """Run a command to its end."""
        return self.end(self.start(*words, columns=columns, changed=changed, file_bytes=file_bytes))

    def end(
        self, command: "subprocess.Popen[str]", *, timeout_seconds: int = TIMEOUT_SECONDS
    ) -> Ended:
        """Wait for a command's end."""
        try:
            stdout, stderr = command.communicate(timeout=timeout_seconds)
        except subprocess.TimeoutExpired:
            command.kill()
            stdout, stderr = command.communicate()
            raise AssertionError(f"did not end:\n{stdout}\n{stderr}") from None
        return Ended(command.returncode, stdout, OVERRIDING.sub("", stderr))

    def kill_all(self) -> None:
        """End what a failed test left running, and close its pipes."""
        for command in self._started:
            command.kill()
            command.communicate()

    def children(self) -> list[psutil.Process]:
        """Return all processes that carry the mark of a command started here."""
        owners = {str(command.pid) for command in self._started}
        found = []
        for process in psutil.process_iter():
            owner = ownership.owner_of(process.pid)
            if owner is not None and owner.partition(":")[0].rpartition(".")[2] in owners:
                found.append(process)
        return found

    def child(self, program: str) -> psutil.Process:
        """Wait for the one process of a command started here that has `program` in its command line."""

        def one() -> psutil.Process | None:
            named = [each for each in self.children() if program in " ".join(each.cmdline())]
            return named[0] if len(named) == 1 else None

        return wait_for(one)

    def left_behind(self) -> list[str]:
        """Return what the commands started here have left: processes, control groups, temporary files.

        What was just killed is given time to go.
        """

        def left() -> list[str]:
            pids = {command.pid for command in self._started}
            groups = [
                str(group)
                for own in dict.fromkeys(own_groups_here().values())
                for pid in pids
                for group in own.glob(f"loadstone-{pid}-*")
            ]
            processes = [f"{each.pid} {each.name()}" for each in self.children()]
            return [*processes, *groups, *map(str, self.temporary.iterdir())]

        deadline = time.monotonic() + LEAVING_SECONDS
        while (found := left()) and time.monotonic() < deadline:
            time.sleep(STEP_SECONDS)
        return found

    def results(self) -> Path:
        """The one results folder that there is."""
        (found,) = (self.root / "results").iterdir()
        return found


def undo_last_run(results: Path) -> None:
    """Leave a study unfinished, as if its last run had never been done."""
    *_, last = sorted((results / "runs").iterdir())
    shutil.rmtree(last)


def code_of(results: Path) -> int:
    """Return the exit code that `run` and `report` owe to results without a failed run.

    It is 1 where a figure that is compared is withheld, as a busy machine does to throughput.
    """
    analysis = json.loads((results / "analysis.json").read_text())
    assert analysis["failed_runs"] == []
    compared = {
        (arm, each["workload"], each["metric"])
        for each in analysis["comparisons"]
        for arm in (each["baseline"], each["other"])
    }
    withheld = {
        (cell["arm"], cell["workload"], figure["metric"])
        for cell in analysis["cells"]
        for figure in cell["figures"]
        if figure["state"] == "withheld"
    }
    return 1 if compared & withheld else 0


def is_gone(process: psutil.Process) -> bool:
    """Whether a process has ended; nobody may have taken note of it yet."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_for(find: "Callable[[], Found | None]") -> "Found":
    """Return what `find` returns as soon as that is true."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        with suppress(psutil.Error, OSError):  # what it looks at comes and goes
            if found := find():
                return found
        time.sleep(STEP_SECONDS)
    raise AssertionError("it never came")


def wait_for_line(command: "subprocess.Popen[str]", text: str) -> None:
    """Read a command's messages until one contains the text."""
    assert command.stderr is not None
    seen = []
    for line in command.stderr:
        seen.append(line)
        if text in line:
            return
    raise AssertionError(f"{text!r} was never said:\n{''.join(seen)}")


def study_of(
    *gateways: str, blocks: int = 1, limits: str = "{}", metrics: str = "throughput"
) -> str:
    """Return a study named `trial`, with profiles of one, two and sixty seconds a run.

    A single gateway is compared with itself, since a study must have something to compare. By
    `NEVER_WITHHELD` a study whose runs complete ends with 0, however busy the machine is.
    """
    if len(gateways) == 1:
        gateways = (*gateways, f"{{stack: {gateways[0]}, label: again}}")
    return f"""
study: trial
goal: see that the lab works
system: mediation
arms:
  gateway: [{", ".join(gateways)}]
  client: [h1c]
  upstream: [h1c]
workloads: [saturation-50b]
blocks: {blocks}
seed: 7
questions:
  - question: which gateway answers more?
    compare: gateway
    metrics: [{metrics}]
    margin: 3%
profiles:
  short: {{duration: 2s, warm_up: 0s}}
  moment: {{duration: 1s, warm_up: 0s}}
  long: {{duration: 60s, warm_up: 0s}}
limits: {limits}
"""
