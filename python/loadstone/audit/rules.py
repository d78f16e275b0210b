"""The list of rules, and what applies them to one run and to a study."""

from collections.abc import Callable, Iterable, Sequence

from loadstone.analysis.model import Finding
from loadstone.audit import (
    apart,
    arithmetic,
    connections,
    contract,
    correlation,
    dependencies,
    ending,
    environment,
    failures,
    generator,
    growth,
    imported,
    lateness,
    limits,
    machine,
    memory,
    neighbours,
    order,
    pinned,
    protocol,
    restarts,
    runs,
    saturation,
    service_stalls,
    startup,
    steadiness,
    stopping,
    summaries,
    symmetry_connections,
    symmetry_failures,
    symmetry_settings,
    symmetry_versions,
    throttling,
    timeline,
    waiting,
)
from loadstone.results.read import StoredRun
from loadstone.results.record import RunRecord
from loadstone.results.window import WindowedRun
from loadstone.study.model import Plan

RUN_RULES: tuple[Callable[[WindowedRun], Iterable[Finding]], ...] = (
    contract.contract,
    protocol.wrong_protocol,
    arithmetic.conservation,
    timeline.timeline_gap,
    summaries.contradictory_summary,
    arithmetic.users_accounted_for,
    imported.contradicting_times,
    imported.failed_checks,
    imported.coarse_times,
    failures.failures,
    failures.unanswered,
    connections.connections_missing,
    connections.connection_churn,
    generator.busy_worker,
    generator.busy_generator,
    limits.cpu_used_up,
    limits.stalls,
    generator.rate_not_achieved,
    pinned.pinned_throughput,
    lateness.late_requests,
    waiting.waiting_for_connections,
    waiting.waiting_for_streams,
    saturation.service_not_saturated,
    saturation.bench_cpu_busy,
    throttling.throttled,
    memory.out_of_memory,
    growth.memory_grows,
    restarts.service_restarted,
    service_stalls.service_stalls,
    dependencies.dependency_idle,
    dependencies.costly_dependency,
    apart.service_not_apart,
    environment.steal,
    steadiness.unsteady,
    timeline.short_window,
    correlation.correlated_requests,
    neighbours.busy_neighbour,
    machine.pressure,
    machine.clock_jump,
    stopping.stopped_early,
    ending.ignored_sigterm,
)
"""Over one completed run under load; in the order in which they are told."""

RECORD_RULES: tuple[Callable[[RunRecord], Iterable[Finding]], ...] = (startup.coarse_startup_clock,)
"""Over one completed run of any kind."""

STUDY_RULES: tuple[Callable[[Sequence[StoredRun]], Iterable[Finding]], ...] = (
    runs.too_few_runs,
    runs.fixed_warm_up,
    runs.short_runs,
    dependencies.dependency_skipped,
    symmetry_failures.failures_differ,
    symmetry_connections.connections_differ,
    symmetry_connections.tls_differs,
    symmetry_settings.settings_differ,
    symmetry_versions.versions_differ,
)
"""Over all planned runs of a study."""


PLAN_RULES: tuple[Callable[[Plan], Iterable[Finding]], ...] = (order.fixed_order,)
"""Over what a study set out to do."""


def audit_run(run: WindowedRun) -> tuple[Finding, ...]:
    """Every finding of one completed run under load."""
    found = (finding for rule in RUN_RULES for finding in rule(run))
    return (*found, *audit_record(run.record))


def audit_record(record: RunRecord) -> tuple[Finding, ...]:
    """Every finding of one completed run that needs no load."""
    return tuple(finding for rule in RECORD_RULES for finding in rule(record))


def audit_study(stored: Sequence[StoredRun]) -> tuple[Finding, ...]:
    """Every finding on the runs as a whole, those without figures first."""
    failed = (finding for each in stored for finding in runs.failed_run(each))
    return (*failed, *(finding for rule in STUDY_RULES for finding in rule(stored)))


def audit_plan(plan: Plan) -> tuple[Finding, ...]:
    """Every finding that needs no run."""
    return tuple(finding for rule in PLAN_RULES for finding in rule(plan))
