"""A cluster of machines that are namespaces, and short studies there, by way of Ray and without it."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psutil

from benchmarks.engine.settings import CHECKOUT
from loadstone.cluster.ray_settings import DEFAULT_PORT
from loadstone.errors import StepFailed
from loadstone.metrics.outcomes import Clock
from loadstone.results import folder
from loadstone.results.read import read_record
from loadstone.results.window import read_windowed_run
from loadstone.stats.values.quantile import quantile_over_offered
from loadstone.study.systems.roots import builds_of
from tests.cluster.namespaces import Machine

COMMAND = (sys.executable, "-m", "loadstone")
SYSTEM, STACK = "mediation", "node"
LATENESS, SLEEPING = "ray-lateness", "ray-sleeping"
_STUDIES = {
    LATENESS: ("fixed-rate-50b", 1),  # 1000 requests a second, come what may: what is late shows
    SLEEPING: ("low-rate-50b", 4),  # hardly any work: two sites do not need each other's CPUs
}
"""Workload and blocks."""
_STUDY = f"""study: NAME
goal: see what Ray costs
system: {SYSTEM}
arms:
  gateway: [{STACK}, {{stack: {STACK}, label: again}}]
  client: [h1c]
  upstream: [h1c]
workloads: [WORKLOAD]
blocks: BLOCKS
seed: 7
questions:
  - question: Does it run?
    compare: gateway
    metrics: [throughput]
    margin: 5%
profiles:
  default: {{warm_up: 5s, window: 20s}}
  short: {{warm_up: 2s, window: 8s}}
  smoke: {{warm_up: 1s, window: 1s}}
"""
QUANTILE = 0.999
WARM_UP_SECONDS = 5.0
KNOWN_SECONDS = 20.0
"""Until the head knows what has joined. Of two that join at once on two CPUs one was given up."""
IDLE_SECONDS = 30.0
LOADED_SECONDS = 15.0
_WAIT_SECONDS = 600.0
_PROGRAMS_OF_RAY = ("/ray/", "ray::", "ray.scripts")


@dataclass(frozen=True)
class RayUse:
    """What Ray's programs took on the machine that measures."""

    cpu_share: float
    """Of one CPU."""
    memory_bytes: int
    """Proportional set size, of all together."""


class Trial:
    """A head, two machines that measure, and a root with the study; all below one folder."""

    def __init__(self, directory: Path, head: Machine, machine: Machine, other: Machine) -> None:
        self._directory, self._head, self._machine, self._other = directory, head, machine, other
        self._root = directory / "root"
        for each in ("systems", "runtimes"):
            shutil.copytree(CHECKOUT / each, self._root / each, ignore=_made_by_builds)
        shutil.copy(CHECKOUT / "loadstone.yaml", self._root)
        (self._root / "studies").mkdir()
        for name, (workload, blocks) in _STUDIES.items():
            text = _STUDY.replace("NAME", name).replace("WORKLOAD", workload)
            study = self._root / "studies" / f"{name}.yaml"
            study.write_text(text.replace("BLOCKS", str(blocks)))
        self._count = 0

    @contextmanager
    def joined(self, *, both: bool = False) -> Iterator[None]:
        """Have Ray on the machines for the length of the block."""
        started = [(self._head, self._start_ray(self._head, "up", "--address", self._head.address))]
        for machine in self._sites(both=both):
            copy = _token_of(machine)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(_token_of(self._head), copy)
            words = ("join", self._head.address, "--as", machine.name)
            started.append((machine, self._start_ray(machine, *words)))
            time.sleep(KNOWN_SECONDS)
        try:
            yield
        finally:
            for machine, child in reversed(started):
                machine.process("-m loadstone cluster").send_signal(signal.SIGINT)
                child.communicate(timeout=_WAIT_SECONDS)

    def idle(self) -> RayUse:
        """Watch Ray while nothing is measured."""
        return self._watched(IDLE_SECONDS)

    def lateness_without(self) -> list[int]:
        """Run the study on the machine as on one; return the p99.9 of the engine's lag in each run."""
        child, out = self._start(self._machine, LATENESS)
        return [_lag_of(path) for path in self._ended(child, out)]

    def lateness_with(self) -> tuple[list[int], RayUse]:
        """Run it by way of Ray, and watch that in mid-load."""
        child, out = self._start(self._head, LATENESS, *self._machines(both=False))
        self._machine.process("loadstone-engine")
        time.sleep(WARM_UP_SECONDS)
        use = self._watched(LOADED_SECONDS)
        return [_lag_of(path) for path in self._ended(child, out)], use

    def wall_seconds(self, *, both: bool) -> float:
        """Run the study whose services hardly work at one site or two.

        Returns how long its runs took.
        """
        child, out = self._start(
            self._head, SLEEPING, "--profile", "short", *self._machines(both=both)
        )
        records = [read_record(path) for path in self._ended(child, out)]
        began = min(datetime.fromisoformat(each.started_at) for each in records)
        ended = max(datetime.fromisoformat(each.finished_at) for each in records)
        return (ended - began).total_seconds()

    def build(self) -> None:
        """Make what both ways start, where the internet is, and hold its contract."""
        variables = {**os.environ, **self._variables}
        words = [*COMMAND, "run", LATENESS, "--profile", "smoke", "--out", str(self._out())]
        subprocess.run(words, env=variables, stdout=subprocess.DEVNULL, check=False)
        for machine in self._sites(both=True):
            built = machine.home / ".cache" / "loadstone" / "cluster" / "builds"
            shutil.copytree(builds_of(self._root), built)

    def _start(
        self, driver: Machine, study: str, *words: str
    ) -> "tuple[subprocess.Popen[str], Path]":
        out = self._out()
        child = driver.start(*COMMAND, "run", study, "--out", out, *words, **self._variables)
        return child, out

    def _ended(self, child: "subprocess.Popen[str]", out: Path) -> list[Path]:
        """Return the records of a study that was waited for. Raises StepFailed where there is none."""
        told, _ = child.communicate(timeout=_WAIT_SECONDS)
        records = sorted(out.glob(f"*/{folder.RUNS}/*/{folder.RECORD}"))
        if not records:
            raise StepFailed("load", "the study made no run", told)
        return records

    def _start_ray(self, machine: Machine, *words: str) -> "subprocess.Popen[str]":
        child = machine.start(*COMMAND, "cluster", *words)
        machine.process("raylet", "--gcs-address")
        machine.process("runtime_env")
        return child

    def _sites(self, *, both: bool) -> tuple[Machine, ...]:
        return (self._machine, self._other) if both else (self._machine,)

    def _machines(self, *, both: bool) -> tuple[str, str]:
        """Return the option that names the sites of a study."""
        sites = self._sites(both=both)
        listed = ", ".join(f"{each.name}: {{address: {each.address}}}" for each in sites)
        names = ", ".join(each.name for each in sites)
        path = self._directory / f"machines-{len(sites)}.yaml"
        path.write_text(
            f"head: {self._head.address}:{DEFAULT_PORT}\ntoken: {_token_of(self._head)}\n"
            f"machines: {{{listed}}}\nsites: [{names}]\n"
        )
        return "--machines", str(path)

    def _watched(self, seconds: float) -> RayUse:
        """Return what Ray took while so much time went by."""
        before, began = _cpu_seconds(self._machine), time.monotonic()
        time.sleep(seconds)
        after, length = _cpu_seconds(self._machine), time.monotonic() - began
        used = sum(after[pid] - before.get(pid, 0.0) for pid in after)
        memory = sum(each.memory_full_info().pss for each in _rays(self._machine))
        return RayUse(used / length, memory)

    @property
    def _variables(self) -> dict[str, str]:
        return {"LOADSTONE_ROOT": str(self._root)}

    def _out(self) -> Path:
        self._count += 1
        return self._directory / f"results-{self._count}"


def _lag_of(record: Path) -> int:
    """The p99.9 of the time by which the engine wrote a request too late."""
    run = read_windowed_run(read_record(record), record.parent)
    lag = run.histogram(Clock.ENGINE_LAG, ok=True)
    found = quantile_over_offered(*lag.recorded, failed=0, quantile=QUANTILE)
    assert found is not None, "20,000 requests were sent"
    return round(found)


def _rays(machine: Machine) -> list[psutil.Process]:
    found = []
    for process in machine.processes():
        with suppress(psutil.Error):
            command = " ".join(process.cmdline())
            if any(each in command for each in _PROGRAMS_OF_RAY):
                found.append(process)
    return found


def _cpu_seconds(machine: Machine) -> dict[int, float]:
    found = {}
    for process in _rays(machine):
        with suppress(psutil.Error):
            times = process.cpu_times()
            found[process.pid] = times.user + times.system
    return found


def _token_of(machine: Machine) -> Path:
    return machine.home / ".config" / "loadstone" / "token"


def _made_by_builds(_: str, names: list[str]) -> list[str]:
    return [each for each in names if each in ("node_modules", "target", "dist", "__pycache__")]
