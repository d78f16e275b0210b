"""One second of real load, engine against echo backend: whether the lab's own binaries work here."""

from pathlib import Path

from loadstone.deploy.dependencies.echo import start_echo
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.placement import Placement
from loadstone.deploy.target_address import resolve_targets
from loadstone.doctor.presence import Presence
from loadstone.errors import StepFailed
from loadstone.frozen import Frozen
from loadstone.machine import ownership
from loadstone.measure.loading.engine import run_engine
from loadstone.measure.loading.engine_plan import EngineOptions, engine_plan
from loadstone.measure.loading.url_load import url_workload
from loadstone.metrics.outcomes import Outcome
from loadstone.results.engine_summary import EngineSummary
from loadstone.study.values.arrivals import Rate, steady
from loadstone.study.values.model import Protocol
from loadstone.study.values.timing import Timing

REQUESTS_PER_SECOND = 20
"""Enough to see it work, little enough to leave the CPU to those who are asked meanwhile."""
SECOND_NS = 10**9
TIMEOUT_SECONDS = 6.0
"""The second, the grace for unanswered requests, and the start of a busy machine."""


class EngineTrial(Frozen):
    """How the engine fared."""

    event_loop: str
    """How it waits for the kernel when the choice is its own: `io_uring` or `epoll`."""
    offered: int
    """Requests."""
    ok: int
    """Those with a correct answer."""
    refusal: str | None = None
    """The engine's words on why it cannot use `io_uring`; none where it can."""

    real_time_refusal: str | None = None
    """Why its threads cannot run in real time; none where they can."""

    def real_time(self) -> Presence:
        """Return whether the engine comes first on its CPU, as it must to be punctual."""
        refusal = self.real_time_refusal
        return Presence(
            name="real time",
            found=None if refusal else "the engine comes first on its CPU when a rate is due",
            reason=refusal,
            remedy="Let this shell run threads in real time (`sudo prlimit --pid $$ --rtprio=1:1`), "
            "or this user for good (a line `USER - rtprio 1` in /etc/security/limits.conf); until "
            "then the backend gives way to the engine, which writes up to a time slice late.",
        )

    def io_uring(self) -> Presence:
        """Return whether the engine has `io_uring` here."""
        return Presence(
            name="io_uring",
            found="the engine uses it" if self.event_loop == "io_uring" else None,
            reason=self.refusal,
            remedy="Use Linux 6.1 or later with kernel.io_uring_disabled=0 and no seccomp filter; "
            "until then the engine uses epoll, which costs it more CPU.",
        )


def try_engine(placement: Placement) -> EngineTrial:
    """Load the echo backend. Raises StepFailed, or Unavailable where a binary is missing."""
    with ownership.scratch_directory() as directory:
        backend = start_echo(Place("backend", placement.bench, directory, cache=directory))
        try:
            load = _load(backend.url, directory, placement.bench, EngineOptions())
            refusal = None
            if load.engine.loop != "io_uring":
                refusal = _refusal(backend.url, directory, placement.bench)
        finally:
            backend.stop()
    return EngineTrial(
        event_loop=load.engine.loop,
        offered=sum(load.outcomes.values()),
        ok=load.outcomes[Outcome.OK],
        refusal=refusal,
        real_time_refusal=None if load.engine.scheduling is None else load.engine.scheduling.reason,
    )


def _refusal(url: str, directory: Path, cpus: tuple[int, ...]) -> str:
    """Insist on `io_uring`, so that the engine says why not."""
    try:
        _load(url, directory / "refused", cpus, EngineOptions(event_loop="io_uring"))
    except StepFailed as failure:
        return failure.reason
    return "the engine prefers epoll"


def _load(
    url: str, directory: Path, cpus: tuple[int, ...], options: EngineOptions
) -> EngineSummary:
    workload = url_workload(
        url,
        arrivals=Rate(stages=steady(REQUESTS_PER_SECOND), connections=1),
        method="POST",
        headers=(),
        body="doctor",
        timing=Timing(SECOND_NS, 0, None),
        connect_timeout_ns=SECOND_NS,
        timeout_ns=SECOND_NS,
    )
    (target,) = resolve_targets(url, ())
    plan = engine_plan(
        workload, target=target, protocol=Protocol.H1C, cpus=cpus, seed=1, options=options
    )
    return run_engine({**plan, "grace_ns": SECOND_NS}, directory, cpus, TIMEOUT_SECONDS)
