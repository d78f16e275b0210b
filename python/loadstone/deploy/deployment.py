"""A deployed service: fresh processes on free ports, and the start-up clock already read."""

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from loadstone.deploy import process
from loadstone.deploy.confinement.interface import Confine, Confinement
from loadstone.deploy.dependencies.interface import Dependency
from loadstone.deploy.placement import Placement
from loadstone.deploy.ports import LOOPBACK, free_port
from loadstone.deploy.refused_starts import (
    refuse_elsewhere,
    refuse_taken_port,
    refuse_unproven,
)
from loadstone.deploy.service_elsewhere import StartServiceElsewhere
from loadstone.deploy.speaker import Speak, speaker
from loadstone.deploy.startup_clock import ask_at, first_correct_response
from loadstone.errors import StepFailed
from loadstone.machine import procfs
from loadstone.machine.tls_material import TlsMaterial
from loadstone.results.service_facts import ConfinementFacts, StartupFacts
from loadstone.results.write import MEGABYTE, is_out_of_room
from loadstone.study.systems.launch import FoundRuntime, gc_log_path, with_gc_log
from loadstone.study.values.manifest import Service, protocol_variable
from loadstone.study.values.model import Limits, PageCache, Protocol
from loadstone.study.values.placeholders import filled
from loadstone.text.at_port import at_port

START_UP_TIMEOUT_SECONDS = 120.0
"""How long a service may take to its first correct response: on one busy CPU a compiler that is itself
compiled as it runs was seen to need more than the 60 s of the published benchmark scripts."""
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


StartElsewhere = Callable[[str, Mapping[str, str], Path], Dependency]
"""Starts a dependency by name, at levels of the system's settings; its logs come into a folder at its
end. Raises StepFailed."""


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
    address: str = LOOPBACK
    """Of this machine: where the service is called that is called from outside."""
    elsewhere: StartElsewhere | None = None
    """Starts a dependency on a machine of its own; none: all are on this one."""
    services_elsewhere: Mapping[str, StartServiceElsewhere] = field(default_factory=dict)
    """By service, what starts its processes on a machine of its own; the others are on this one."""

    def with_logs(self, name: str) -> "Conditions":
        """The same, with logs in a folder of this name below."""
        return replace(self, logs=self.logs / name)

    @property
    def inner_address(self) -> str:
        """Where parts of the system listen that only other parts call."""
        return self.address if self.services_elsewhere else LOOPBACK

    def limits_of(self, service: Service) -> Limits:
        """What a service may use at most; nothing holds back what stands on the bench."""
        return Limits() if service.is_bench else self.limits.get(service.service, Limits())

    def cpus_of(self, service: Service) -> tuple[int, ...]:
        """The CPUs that a service may use."""
        return self.placement.bench if service.is_bench else self.placement.service


@dataclass(frozen=True)
class ServiceStart:
    """All that a service is started with but its port: it can be started more than once."""

    name: str
    """Of the process: the service's, or `users.2` for the second instance of users."""
    service: Service
    launch: Launch
    urls: Mapping[str, str]
    """Of what it needs, by name; those of several instances are joined by commas."""
    inbound: str | None
    """The leg by which it is called."""
    conditions: Conditions
    address: str = LOOPBACK
    """Of this machine: where it listens."""

    def with_variables(self, variables: Mapping[str, str]) -> "ServiceStart":
        """The same with further environment variables, written as in the system's file."""
        return replace(self, service=self.service.with_variables(variables))

    def with_logs(self, name: str) -> "ServiceStart":
        """The same with logs in a folder of this name below."""
        return replace(self, conditions=self.conditions.with_logs(name))

    def later(self, name: str) -> "ServiceStart":
        """The same for a further process that is started in the window: its warm-up is over."""
        limits = {
            service: each.without_warm_up() for service, each in self.conditions.limits.items()
        }
        return replace(self, name=name, conditions=replace(self.conditions, limits=limits))

    @property
    def spoken(self) -> Protocol:
        """What it is called in."""
        return Protocol.H1C if self.inbound is None else self.conditions.legs[self.inbound]

    @property
    def speak(self) -> Speak:
        """How it is asked."""
        tls = self.conditions.tls
        return speaker(self.spoken, None if tls is None else tls.authority)

    @property
    def log_path(self) -> Path:
        """Where what it prints is kept."""
        return self.conditions.logs / f"{self.name}.log"

    def url(self, port: int) -> str:
        """Its base URL on a port."""
        return f"{self.spoken.scheme}://{at_port(self.address, port)}"

    def begin(
        self, port: int, confinement: Confinement, *, pipe_output: bool = False
    ) -> process.Child:
        """Start its process. Raises StepFailed('deploy') where that cannot be."""
        command = self._command()
        try:
            return process.start(
                self.name,
                command,
                directory=self.launch.directory,
                log_path=self.log_path,
                cpus=self.conditions.cpus_of(self.service),
                variables=self._variables(port),
                pipe_output=pipe_output,
                confinement=confinement,
            )
        except OSError as error:
            if is_out_of_room(error):  # the log, not the program
                raise
            raise StepFailed("deploy", f"`{command}` cannot be started: {error}") from error

    @contextmanager
    def confined(self) -> Iterator[Confinement]:
        """Confine what is begun in the block. Raises StepFailed('deploy') where that cannot be."""
        name, conditions = self.name, self.conditions
        try:
            confinement = conditions.confine(name, conditions.limits_of(self.service))
        except OSError as error:
            raise StepFailed(
                "deploy", f"{name} cannot be confined: {error.strerror}: {error.filename}"
            ) from error
        try:
            yield confinement
        finally:
            confinement.remove()

    def _command(self) -> str:
        command = self.launch.command
        if self.launch.runtime is None:
            return command
        return with_gc_log(command, gc_log_path(self.conditions.logs, self.name))

    def _variables(self, port: int) -> dict[str, str]:
        service, runtime = self.service, self.launch.runtime
        path = os.environ.get("PATH", os.defpath)
        legs = self.conditions.legs
        return {
            **({} if runtime is None else runtime.service_variables(path)),
            "HOST": self.address,
            "PORT": str(port),
            **{protocol_variable(leg): legs[leg].value for leg in service.legs},
            **_tls_variables(service, self.inbound, self.conditions),
            **{name: filled(text, self.urls) for name, text in service.variables.items()},
        }


@dataclass(frozen=True)
class Deployment:
    """A running process of a service under test."""

    start: ServiceStart
    """What it was started with."""
    child: process.Child
    confinement: Confinement
    base_url: str
    startup: StartupFacts

    @property
    def name(self) -> str:
        """Of the process: its service's, or `users.2` for the second instance of users."""
        return self.start.name

    @property
    def service(self) -> str:
        """The service's name in the system."""
        return self.start.service.service

    @property
    def is_bench(self) -> bool:
        """Whether it stands with what measures."""
        return self.start.service.is_bench

    @property
    def killed_after_ns(self) -> int | None:
        """How long it was given to end before it was killed; none where it ended by itself."""
        return self.child.killed_after_ns

    def needs(self, name: str) -> bool:
        """Whether its service calls a part of the system."""
        return name in self.start.service.needs

    def ask(self) -> None:
        """Ask once what it was asked when it started, whatever comes of it."""
        port = urlsplit(self.base_url).port
        assert port is not None, "the lab gave it one"
        with suppress(OSError):
            ask_at(self.start.address, port, self.start.service.ready, self.start.speak)

    def end_warm_up(self) -> bool:
        """Hold it to the CPUs of the window, and return whether that changed something.

        Raises StepFailed('load').
        """
        try:
            return self.confinement.end_warm_up()
        except OSError as error:
            raise StepFailed(
                "load", f"the CPUs of the window cannot be set: {error.strerror}: {error.filename}"
            ) from error

    def confinement_facts(self) -> ConfinementFacts:
        """Return what held the service, and what the kernel has counted so far."""
        applied, usage = self.confinement.applied, self.confinement.usage()
        return ConfinementFacts(
            isolation=applied.isolation,
            cpus=applied.cpus,
            warm_up_cpus=applied.warm_up_cpus,
            memory_bytes=applied.memory_bytes,
            missing=applied.missing,
            cpu_ns=usage.cpu_ns,
            throttled_ns=usage.throttled_ns,
            memory_peak_bytes=usage.memory_peak_bytes,
            out_of_memory_kills=usage.out_of_memory_kills,
        )

    def ending(self) -> str | None:
        """Return in words how it ended, and what the kernel says of it; none while it runs."""
        return _ending(self.child, self.confinement)

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
def deploy(start: ServiceStart, watch: Callable[[], None] = lambda: None) -> Iterator[Deployment]:
    """Start a service, wait for its first correct response, stop it at the end of the block.

    While it starts, `watch` is called again and again, to raise StepFailed where what it needs ended.

    Raises StepFailed('deploy') when it cannot be started, StepFailed('start-up') when it ends or
    stays wrong.
    """
    service = start.service
    port = free_port(start.address)
    with start.confined() as confinement, process.running(start.begin(port, confinement)) as child:

        def ending() -> str | None:
            watch()
            return _ending(child, confinement)

        try:
            startup = first_correct_response(
                child,
                ending,
                port,
                service.ready,
                START_UP_TIMEOUT_SECONDS,
                start.speak,
                start.address,
            )
        except StepFailed as failure:
            refuse_elsewhere(start.address, port, child)
            refuse_taken_port(port, child, f"; {failure.reason}")
            raise
        startup = _with_cost(startup, child, confinement)
        refuse_taken_port(port, child, " and answers there")
        if start.launch.runtime is not None:
            refuse_unproven(start.launch.runtime, child)
        yield Deployment(start, child, confinement, start.url(port), startup)


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
