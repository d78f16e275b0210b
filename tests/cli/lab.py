"""Drives the real command in a root of its own: the systems of the checkout, the test's studies."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import psutil

from loadstone.deploy import ownership

CHECKOUT = Path(__file__).parents[2]
COMMAND = Path(sys.executable).parent / "loadstone"
TIMEOUT_SECONDS = 240


TWO_SERVICES = """
system: mediation
title: A gateway, and a relay behind it
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


class Lab:
    """A temporary root. Builds are shared with the checkout: they are kept by content."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.command: list[str | Path] = [COMMAND]
        self._started: list[subprocess.Popen[str]] = []
        for name in ("systems", "runtimes"):
            shutil.copytree(
                CHECKOUT / name, root / name, ignore=shutil.ignore_patterns("node_modules")
            )
        (root / "studies").mkdir()
        (CHECKOUT / ".loadstone").mkdir(exist_ok=True)
        (root / ".loadstone").symlink_to(CHECKOUT / ".loadstone")

    @property
    def gateways(self) -> Path:
        """The folder of the stacks of mediation's gateway."""
        return self.root / "systems" / "mediation" / "gateway"

    def add_stack(self, name: str, *, base: str = "node", **changes: str) -> Path:
        """Add a copy of a stack under another name, with keys of its manifest changed."""
        directory = self.gateways / name
        shutil.copytree(self.gateways / base, directory)
        manifest = directory / "stack.yaml"
        lines = []
        for line in manifest.read_text().splitlines():
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
        assert text.count('"POST /passthrough"') == 1
        source.write_text(text.replace('"POST /passthrough"', '"POST " + upstreamPath'))
        stack = relay / "stack.yaml"
        stack.write_text(
            stack.read_text().replace("{client: [h1c], upstream:", "{upstream: [h1c], onward:")
        )
        (system / "system.yaml").write_text(TWO_SERVICES)
        return relay.parent

    def study(self, text: str, name: str = "trial") -> Path:
        """Write a study."""
        path = self.root / "studies" / f"{name}.yaml"
        path.write_text(text)
        return path

    def start(self, *words: str, columns: int = 120) -> "subprocess.Popen[str]":
        """Start a command and leave it running."""
        command = subprocess.Popen(
            [*self.command, *words],
            cwd=self.root,
            env={**os.environ, "LOADSTONE_ROOT": str(self.root), "COLUMNS": str(columns)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._started.append(command)
        return command

    def run(self, *words: str, columns: int = 120) -> Ended:
        """Run a command to its end."""
        return self.end(self.start(*words, columns=columns))

    def end(self, command: "subprocess.Popen[str]") -> Ended:
        """Wait for a command's end."""
        try:
            stdout, stderr = command.communicate(timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            command.kill()
            stdout, stderr = command.communicate()
            raise AssertionError(f"did not end:\n{stdout}\n{stderr}") from None
        return Ended(command.returncode, stdout, stderr)

    def kill_all(self) -> None:
        """End what a failed test left running, and close its pipes."""
        for command in self._started:
            command.kill()
            command.communicate()

    def living_children(self) -> list[str]:
        """Return the command lines of all processes that carry the mark of a command started here."""
        owners = {str(command.pid) for command in self._started}
        found = []
        for process in psutil.process_iter():
            try:
                owner = process.environ().get(ownership.VARIABLE, "")
                if owner.partition(":")[0] in owners:
                    found.append(" ".join(process.cmdline()))
            except psutil.Error:
                continue
        return found

    def results(self) -> Path:
        """The one results folder that there is."""
        (found,) = (self.root / "results").iterdir()
        return found


def study_of(*gateways: str, blocks: int = 1) -> str:
    """Return a study named `trial`, with a profile `short` of two seconds a run.

    A single gateway is compared with itself, since a study must have something to compare.
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
    metrics: [throughput]
    margin: 3%
profiles:
  short: {{duration: 2s, warm_up: 0s}}
"""
