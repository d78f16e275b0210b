"""A deployed service: fresh processes on free ports, and the start-up clock already read."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from loadstone.deploy import process
from loadstone.deploy.confinement.interface import Confine, Confinement
from loadstone.deploy.placement import Placement
from loadstone.deploy.ports import free_port
from loadstone.deploy.speaker import speaker
from loadstone.deploy.startup_clock import first_correct_response
from loadstone.deploy.taken_port import foreign_listener
from loadstone.errors import StepFailed
from loadstone.machine import procfs
from loadstone.machine.tls_material import TlsMaterial
from loadstone.results.service_facts import ConfinementFacts, StartupFacts
from loadstone.results.write import MEGABYTE, is_out_of_room
from loadstone.study.systems.launch import FoundRuntime, gc_log_path, with_gc_log
from loadstone.study.values.manifest import Service, protocol_variable
from loadstone.study.values.model import Limits, PageCache, Protocol

START_UP_TIMEOUT_SECONDS = 60.0
"""How long a service may take to its first correct response, as in the published benchmark scripts."""
KILL_SECONDS = 1.0
"""From an out-of-memory kill to the end of the process; longer, and it was another process's."""


@dataclass(frozen=True)
class Launch:
    """What is started as a service."""

    command: str
    directory: Path
    """Where the command is run."""
    runtime: FoundRuntime | None = None
    """Whose variables it gets; an own command has none."""
    claim: str | None = None
    """How its log states its own start-up time."""


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
    tls: TlsMaterial | None = None
    """For legs over TLS; none where there is no such leg."""
    cache: Path = field(kw_only=True)
    """Folder for what is made once and kept by content."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Setting of the system to its level; one that is not in it has its first."""

    def with_logs(self, name: str) -> "Conditions":
        """The same, with logs in a folder of this name below."""
        return replace(self, logs=self.logs / name)

    def limits_of(self, service: Service) -> Limits:
        """What a service may use at most; nothing holds back what stands on the bench."""
        return Limits() if service.is_bench else self.limits.get(service.service, Limits())

    def cpus_of(self, service: Service) -> tuple[int, ...]:
        """The CPUs that a service may use."""
        return self.placement.bench if service.is_bench else self.placement.service


@dataclass(frozen=True)
class Deployment:
    """A running service under test."""

    service: str
    child: process.Child
    confinement: Confinement
    base_url: str
    startup: StartupFacts
    is_bench: bool = False
    """Whether it stands with what measures."""

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

    def refuse_ended(self, step: str, when: str) -> None:
        """Raise StepFailed where the service has ended; `when` says in what."""
        if (ending := _ending(self.child, self.confinement, f" {when}")) is not None:
            raise StepFailed(step, f"{self.child.name} {ending}", self.child.log_tail())


def _ending(child: process.Child, confinement: Confinement, when: str = "") -> str | None:
    """Return in words how the service ended, and what the kernel says of it; none while it runs."""
    limit = confinement.applied.memory_bytes
    if limit is None or not (kills := confinement.out_of_memory_kills()):
        ending = child.ending()
        return ending and f"{ending}{when}"
    with suppress(subprocess.TimeoutExpired):  # the kernel counts a kill before it is carried out
        child.process.wait(KILL_SECONDS)
    peak = confinement.usage().memory_peak_bytes
    used = "" if peak is None else f", of which it had used {peak / MEGABYTE:.1f} MiB"
    kill = (
        f"the kernel killed {kills} of its processes for want of memory: "
        f"its limit is {limit / MEGABYTE:.1f} MiB{used}"
    )
    return f"{child.ending() or 'goes on'}{when}: {kill}"


@contextmanager
def deploy(
    service: Service,
    launch: Launch,
    urls: Mapping[str, str],
    inbound: str | None,
    conditions: Conditions,
) -> Iterator[Deployment]:
    """Start a service, wait for its first correct response, stop it at the end of the block.

    `urls` are the base URLs of what it needs, by name; `inbound` is the leg by which it is called.
    Raises StepFailed('deploy') when it cannot be started, StepFailed('start-up') when it ends or
    stays wrong.
    """
    port, path = free_port(), os.environ.get("PATH", os.defpath)
    variables = {
        **({} if launch.runtime is None else launch.runtime.service_variables(path)),
        "PORT": str(port),
        **{protocol_variable(leg): conditions.legs[leg].value for leg in service.legs},
        **_tls_variables(service, inbound, conditions),
        **{name: text.format_map(urls) for name, text in service.variables.items()},
    }
    spoken = Protocol.H1C if inbound is None else conditions.legs[inbound]
    logs, limits = conditions.logs, conditions.limits_of(service)
    command = launch.command
    if launch.runtime is not None:
        command = with_gc_log(command, gc_log_path(logs, service.service))
    with _confined(service.service, limits, conditions.confine) as confinement:
        try:
            child = process.start(
                service.service,
                command,
                directory=launch.directory,
                log_path=logs / f"{service.service}.log",
                cpus=conditions.cpus_of(service),
                variables=variables,
                confinement=confinement,
            )
        except OSError as error:
            if is_out_of_room(error):  # the log, not the program
                raise
            raise StepFailed("deploy", f"`{command}` cannot be started: {error}") from error
        with process.running(child):
            try:
                startup = first_correct_response(
                    child,
                    lambda: _ending(child, confinement),
                    port,
                    service.ready,
                    START_UP_TIMEOUT_SECONDS,
                    speaker(spoken, None if conditions.tls is None else conditions.tls.authority),
                )
            except StepFailed as failure:
                _refuse_taken_port(port, child, f"; {failure.reason}")
                raise
            startup = _with_cost(startup, child, confinement)
            _refuse_taken_port(port, child, " and answers there")
            if launch.runtime is not None:
                _prove(launch.runtime, child)
            url = f"{spoken.scheme}://127.0.0.1:{port}"
            yield Deployment(service.service, child, confinement, url, startup, service.is_bench)


def _tls_variables(service: Service, inbound: str | None, conditions: Conditions) -> dict[str, str]:
    """Certificate and key where the service is called over TLS, the authority where it calls so."""
    tls = conditions.tls
    if tls is None:
        return {}
    over_tls = {leg for leg in service.legs if conditions.legs[leg].is_tls}
    variables: dict[str, str] = {}
    if inbound in over_tls:
        variables |= {"TLS_CERT": str(tls.certificate), "TLS_KEY": str(tls.key)}
    if over_tls - {inbound}:
        variables["TLS_CA"] = str(tls.authority)
    return variables


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


def _refuse_taken_port(port: int, child: process.Child, and_then: str) -> None:
    """Raise StepFailed where another program has the port that was chosen for the service."""
    taker = foreign_listener(port)
    if taker is not None:
        raise StepFailed(
            "start-up",
            f"port {port} was free when it was chosen for {child.name}, but {taker} took it"
            f"{and_then}",
            child.log_tail(),
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
