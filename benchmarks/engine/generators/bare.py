"""The workbench's bare loops: the floor of a request's cost, and of a sender's lateness."""

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.engine.generator_run import Command
from benchmarks.engine.load import Load, Observed


@dataclass(frozen=True)
class ClosedLoop:
    """Sends and receives, and records nothing."""

    workbench: Path
    name: str = "bare loop"

    def command(self, load: Load, directory: Path) -> Command:
        """Return the command."""
        del directory
        options = ["--target", load.address, "--connections", str(load.connections)]
        words = [str(self.workbench), "closed-loop", *options, "--seconds", str(load.seconds)]
        return Command(words)

    def read(self, output: str, directory: Path) -> Observed:
        """Read its count."""
        del directory
        return Observed(requests=json.loads(output)["requests"])


@dataclass(frozen=True)
class Sender:
    """Sends at planned times, and records only how late it was."""

    workbench: Path
    name: str = "bare sender"

    def command(self, load: Load, directory: Path) -> Command:
        """Return the command; the load must have a rate."""
        del directory
        options = ["--target", load.address, "--connections", str(load.connections)]
        options += ["--rate", str(load.rate), "--seed", str(load.seed)]
        options += ["--process", "poisson" if load.poisson else "constant"]
        words = [str(self.workbench), "sender", *options, "--seconds", str(load.seconds)]
        return Command(words)

    def read(self, output: str, directory: Path) -> Observed:
        """Read its count and its own lag."""
        del directory
        found = json.loads(output)
        failures = {kind: found[kind] for kind in ("never_sent", "unanswered") if found[kind]}
        return Observed(requests=found["requests"], failures=failures, details=found)
