"""A footprint: the services' memory at named moments, from rest through its first requests to load.

The first requests are sent by the engine, one after the other; the start-up clock has sent one before,
whose answer made the service ready. Requests of the workload's own (`first`) may change data, and what
they leave is what the load finds: only without them is the data reset between the two.
"""

import time
from collections.abc import Iterator

from loadstone.deploy.deployed_system import DeployedSystem
from loadstone.deploy.deployment import Deployment
from loadstone.errors import StepFailed
from loadstone.machine import procfs
from loadstone.measure.checked_load import load_and_check
from loadstone.measure.loading.engine import run_engine
from loadstone.measure.loading.engine_plan import engine_plan, options_for
from loadstone.measure.loading.feed_rows import feed_rows
from loadstone.measure.run_context import RunContext
from loadstone.metrics.marks import AFTER_REQUESTS, Mark
from loadstone.metrics.outcomes import Outcome
from loadstone.results.engine_summary import EngineSummary
from loadstone.results.service_facts import MarkFacts
from loadstone.study.values.model import Workload


def measure_footprint(run: RunContext, workload: Workload, system: DeployedSystem) -> None:
    """Take every mark of the system of a run, with the load between them. Raises StepFailed."""
    facts = run.facts
    with facts.phase("rest"):
        time.sleep(workload.rest_ns / 1e9)
    facts.marks += take_marks("at_rest", system)
    with facts.phase("first_requests"):
        for begin, end, mark in parts_of(workload):
            _send(run, workload, system, begin, end)
            facts.first_requests = end
            if mark is not None:
                facts.marks += take_marks(mark, system)
    half = _HalfOf(workload.duration_ns)

    def mark_at_half() -> None:
        if half.is_reached():
            facts.marks += take_marks("under_load", system)

    load_and_check(run, workload, system, mark_at_half, is_reset=not workload.first)
    with facts.phase("rest"):
        time.sleep(workload.rest_ns / 1e9)
    facts.marks += take_marks("after_load", system)


STARTING_SECONDS = 10.0
"""Beside its requests: the engine starts within milliseconds, on a machine that is not overrun."""


def parts_of(workload: Workload) -> Iterator[tuple[int, int, Mark | None]]:
    """The first requests of a footprint in parts: from which up to which, and the mark behind them."""
    begin, count = 0, workload.first_requests or 0
    for mark, end in AFTER_REQUESTS.items():
        if end <= count:
            yield begin, end, mark
            begin = end
    if begin < count:
        yield begin, count, None


class _HalfOf:
    """Says once that half of a load is over, counted from when it is first asked."""

    def __init__(self, duration_ns: int) -> None:
        self._duration_ns, self._began_ns, self._is_over = duration_ns, 0, False

    def is_reached(self) -> bool:
        """Whether it has just been reached."""
        now_ns = time.monotonic_ns()
        self._began_ns = self._began_ns or now_ns
        if self._is_over or now_ns - self._began_ns < self._duration_ns / 2:
            return False
        self._is_over = True
        return True


def take_marks(mark: Mark, system: DeployedSystem) -> tuple[MarkFacts, ...]:
    """Read the memory of every service that is measured now, the one that is called first."""
    return tuple(take_mark(mark, each) for each in system.measured)


def take_mark(mark: Mark, deployment: Deployment) -> MarkFacts:
    """Read the memory of a service now; it costs the service some milliseconds of its own locks."""
    pids = tuple(procfs.with_descendants(deployment.child.pid))
    counters = procfs.group_counters(pids, with_children=True)
    usage = deployment.confinement.usage()
    return MarkFacts(
        mark=mark,
        service=deployment.child.name,
        pss_bytes=procfs.proportional_memory_bytes(pids),
        rss_bytes=None if counters is None else counters.rss_bytes,
        charged_bytes=usage.memory_bytes,
        cpu_ns=usage.cpu_ns or (None if counters is None else counters.cpu_ns),
        threads=None if counters is None else counters.threads,
    )


def _send(
    run: RunContext, workload: Workload, system: DeployedSystem, begin: int, end: int
) -> None:
    """Send the first requests from one up to another, in turn. Raises StepFailed('load')."""
    cpus, count = run.study.placement.bench[:1], end - begin
    directory = run.directory / "first-requests" / f"{begin + 1}-to-{end}"
    directory.mkdir(parents=True, exist_ok=True)
    caller = workload.of_first(begin, end) if workload.first else workload.of_one_user()
    with feed_rows(caller, run.study.system.workloads) as feeds:
        plan = engine_plan(
            caller,
            target=system.target,
            protocol=run.spoken,
            cpus=cpus,
            seed=run.planned.seed,
            options=options_for(system.authority),
            count=count,
            run_id=f"{run.run_id}-{count}",
            feeds=feeds,
        )
        longest_ns = count * (workload.connect_timeout_ns + workload.timeout_ns) + workload.grace_ns
        within_seconds = STARTING_SECONDS + longest_ns / 1e9
        summary = run_engine(plan, directory, cpus, within_seconds)
    if summary.outcomes[Outcome.OK] != count:
        raise StepFailed(
            "load",
            f"of its first {end} requests the service did not answer as expected: "
            f"{', '.join(_not_ok(summary))}",
        )


def _not_ok(summary: EngineSummary) -> Iterator[str]:
    """`insert-3 (status)` for every operation and outcome that is not ok."""
    for operation, facts in summary.operations.items():
        for outcome, number in facts.outcomes.items():
            if number and outcome is not Outcome.OK:
                yield f"{operation} ({outcome.value})"
