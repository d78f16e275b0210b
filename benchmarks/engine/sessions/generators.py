"""The engine and k6, each with the same session. What they did is told by the server, which counts."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.engine.generator_run import Command
from benchmarks.engine.generators.engine import RECORDS
from benchmarks.engine.load import Load, Observed
from benchmarks.engine.settings import GENERATOR_CPU
from loadstone.deploy.target_address import Target
from loadstone.errors import LoadstoneError
from loadstone.measure.loading.engine_plan import EngineOptions, engine_plan
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.model import Protocol, Workload

HERE = Path(__file__).parent
WORKLOAD = HERE / "sessions.yaml"
SCRIPT = HERE / "session.js"
SECOND_NS = 1_000_000_000


@dataclass(frozen=True)
class EngineSessions:
    """The engine, by the workload; `load.connections` are its users."""

    binary: Path
    think_seconds: float = 0.0
    count: int | None = None
    """Ends the load after so many requests."""
    library: Path | None = None
    """Loaded before all others."""
    name: str = "engine"

    def command(self, load: Load, directory: Path) -> Command:
        """Return the command, the plan on its standard input."""
        words = [str(self.binary), "run", "--plan", "-", "--out", str(directory / RECORDS)]
        variables = () if self.library is None else (("LD_PRELOAD", str(self.library)),)
        return Command(words, json.dumps(self._plan(load)), variables)

    def read(self, output: str, directory: Path) -> Observed:
        """Read its last line."""
        del directory
        last = json.loads(output.splitlines()[-1])
        if last["event"] != "finished":
            raise LoadstoneError(f"the engine failed: {last.get('error')}")
        outcomes: dict[str, int] = last["summary"]["outcomes"]
        failures = {name: count for name, count in outcomes.items() if count and name != "ok"}
        return Observed(outcomes["ok"], failures, details=last["summary"])

    def _plan(self, load: Load) -> dict[str, Any]:
        workload = read_workload(WORKLOAD)
        if not isinstance(workload, Workload):
            raise LoadstoneError(f"{WORKLOAD} is of kind {workload.kind}, not load")
        host, _, port = load.address.rpartition(":")
        plan = engine_plan(
            workload,
            target=Target(load.url, load.address, host, host, int(port)),
            protocol=Protocol(load.protocol),
            cpus=(GENERATOR_CPU,),
            seed=load.seed,
            options=EngineOptions(verify=False),
            count=self.count,
        )
        (group,) = plan["groups"]
        level = {"from": load.connections, "to": load.connections, "duration_ns": SECOND_NS}
        group["arrivals"] = {"users": {"stages": [level]}}
        if self.think_seconds:
            for node in group["session"]:
                node["send"]["think"] = {"constant_ns": round(self.think_seconds * SECOND_NS)}
        return plan | {"duration_ns": load.seconds * SECOND_NS}


@dataclass(frozen=True)
class K6Sessions:
    """k6, by the script."""

    program: str
    name: str = "k6"

    def command(self, load: Load, directory: Path) -> Command:
        """Return the command."""
        del directory
        variables = (
            ("TARGET", load.url.rstrip("/")),
            ("USERS", str(load.connections)),
            ("SECONDS", str(load.seconds)),
        )
        quiet = ["--quiet", "--no-usage-report", "--address="]
        return Command([self.program, "run", *quiet, str(SCRIPT)], variables=variables)

    def read(self, output: str, directory: Path) -> Observed:
        """Read the line of metrics."""
        del directory
        metrics = json.loads(output.strip().splitlines()[-1])
        count = int(metrics["http_reqs"]["values"]["count"])
        failed = int(metrics["http_req_failed"]["values"]["passes"])
        return Observed(count - failed, {"failed": failed} if failed else {})
