"""A deployed service: fresh processes on free ports, and the start-up clock already read."""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from loadstone.deploy import process
from loadstone.deploy.build import Built
from loadstone.deploy.confinement.interface import Confine, Confinement
from loadstone.deploy.placement import Placement
from loadstone.deploy.ports import free_port
from loadstone.errors import StepFailed
from loadstone.measure import procfs
from loadstone.measure.startup import first_correct_response
from loadstone.results.service_facts import ConfinementFacts, StartupFacts
from loadstone.study.launch import FoundRuntime
from loadstone.study.manifest import Service
from loadstone.study.model import Limits, PageCache, Protocol

MEGABYTE = 1 << 20
START_UP_TIMEOUT_SECONDS = 60.0
"""How long a service may take to its first correct response, as in the published benchmark scripts."""


@dataclass(frozen=True)
class Conditions:
    """Under what the parts of an arm are started, the same for all of them."""

    legs: Mapping[str, Protocol]
    """Leg to the protocol that it speaks."""
    limits: Mapping[str, Limits]
    """By service; none for a service that is not in it."""
    placement: Placement
    confine: Confine
    logs: Path
    page_cache: PageCache | None = None
    """What the kernel keeps of files when a service is started; none: whatever it happens to."""

    def with_logs(self, name: str) -> "Conditions":
        """The same, with logs in a folder of this name below."""
        return replace(self, logs=self.logs / name)


@dataclass(frozen=True)
class Launch:
    """How one service is started: a build, its command line, and what executes it."""

    built: Built
    command: str
    runtime: FoundRuntime


@dataclass(frozen=True)
class Deployment:
    """A running service under test."""

    service: str
    child: process.Child
    confinement: Confinement
    base_url: str
    startup: StartupFacts

    def confinement_facts(self) -> ConfinementFacts:
        """Return what held the service, and what the kernel has counted so far."""
        applied, usage = self.confinement.applied, self.confinement.usage()
        return ConfinementFacts(
            isolation=applied.isolation,
            cpus=applied.cpus,
            memory_bytes=applied.memory_bytes,
            missing=applied.missing,
            cpu_ns=usage.cpu_ns,
            throttled_ns=usage.throttled_ns,
            memory_peak_bytes=usage.memory_peak_bytes,
            out_of_memory_kills=usage.out_of_memory_kills,
        )

    def ending(self) -> str | None:
        """Return in words how the service ended, and what the kernel says of it; none while it runs."""
        return _ending(self.child, self.confinement)


def _ending(child: process.Child, confinement: Confinement) -> str | None:
    ending = child.ending()
    usage, limit = confinement.usage(), confinement.applied.memory_bytes
    if not usage.out_of_memory_kills or limit is None:
        return ending
    peak = usage.memory_peak_bytes
    used = "" if peak is None else f", of which it had used {peak / MEGABYTE:.1f} MiB"
    kill = (
        f"the kernel killed {usage.out_of_memory_kills} of its processes for want of memory: "
        f"its limit is {limit / MEGABYTE:.1f} MiB{used}"
    )
    return f"{ending or 'goes on, but'}: {kill}"


@contextmanager
def deploy(
    service: Service, launch: Launch, urls: Mapping[str, str], conditions: Conditions
) -> Iterator[Deployment]:
    """Start a service, wait for its first correct response, stop it at the end of the block.

    `urls` are the base URLs of what it needs, by name.
    Raises StepFailed('deploy') when it cannot be started, StepFailed('start-up') when it ends or
    stays wrong.
    """
    port = free_port()
    variables = {
        **launch.runtime.variables(os.environ.get("PATH", os.defpath)),
        "PORT": str(port),
        **{f"{_variable(leg)}_PROTOCOL": conditions.legs[leg].value for leg in service.legs},
        **{name: text.format_map(urls) for name, text in service.variables.items()},
    }
    limits = conditions.limits.get(service.service, Limits())
    with _confined(service.service, limits, conditions.confine) as confinement:
        spawned_ns = time.monotonic_ns()
        try:
            child = process.start(
                service.service,
                launch.command,
                directory=launch.built.directory,
                log_path=conditions.logs / f"{service.service}.log",
                cpus=conditions.placement.service,
                variables=variables,
                confinement=confinement,
            )
        except OSError as error:
            raise StepFailed("deploy", f"`{launch.command}` cannot be started: {error}") from error
        with process.running(child):
            startup = first_correct_response(
                child,
                lambda: _ending(child, confinement),
                port,
                service.ready,
                START_UP_TIMEOUT_SECONDS,
                spawned_ns,
            )
            startup = _with_cost(startup, child, confinement)
            _prove(launch.runtime, child)
            url = f"http://127.0.0.1:{port}"
            yield Deployment(service.service, child, confinement, url, startup)


def _variable(leg: str) -> str:
    return leg.upper().replace("-", "_")


def _with_cost(startup: StartupFacts, child: process.Child, held: Confinement) -> StartupFacts:
    """Add what the start has cost until now."""
    pids = tuple(procfs.with_descendants(child.pid))
    counters = procfs.group_counters(pids, with_children=True)
    if counters is None:
        return startup
    return startup.model_copy(
        update={
            "cpu_ns": held.usage().cpu_ns or counters.cpu_ns,
            "rss_bytes": counters.rss_bytes,
            "waiting_ns": procfs.waiting_ns(pids),
            "major_faults": counters.major_faults,
        }
    )


def _prove(runtime: FoundRuntime, child: process.Child) -> None:
    """Raise StepFailed where the log lacks what shows that the runtime is really in use."""
    proof = runtime.runtime.proof
    if proof is not None and proof not in child.log_path.read_text(errors="replace"):
        raise StepFailed(
            "start-up",
            f"{child.name} answers, but its log does not show that {runtime.runtime.title} runs it: "
            f"{proof!r} is missing",
            child.log_tail(),
        )


@contextmanager
def _confined(name: str, limits: Limits, confine: Confine) -> Iterator[Confinement]:
    try:
        confinement = confine(name, limits)
    except OSError as error:
        raise StepFailed(
            "deploy", f"{name} cannot be confined: {error.strerror}: {error.filename}"
        ) from error
    try:
        yield confinement
    finally:
        confinement.remove()
