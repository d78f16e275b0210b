"""The list of rules, and what applies them to one run and to a study."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from loadstone.audit.dependency import (
    costly_dependency,
    database_use,
    dependency_use,
    growing_tables,
)
from loadstone.audit.engine import (
    busy_generator,
    connections,
    engine_limits,
    engine_waits,
    late_requests,
    protocol,
    saturation,
    waiting_requests,
)
from loadstone.audit.figures import (
    arithmetic,
    contradictory_summary,
    correlated_requests,
    imported,
    pinned_throughput,
    session_arithmetic,
    steadiness,
    stopped_early,
    timeline,
)
from loadstone.audit.machine import (
    cluster,
    engines_apart,
    neighbours,
    pressure_and_clock,
    shared_cpus,
    steal,
)
from loadstone.audit.service import (
    answers,
    contract,
    failures,
    ignored_sigterm,
    memory_growth,
    network_timer,
    other_callers,
    out_of_memory,
    periodic_stalls,
    restarts,
    service_stalls,
    startup_clock,
    throttling,
    unequal_users,
    waits_not_on_cpu,
    works_after_load,
)
from loadstone.audit.sessions import aborted, cookies, endings, feeds
from loadstone.audit.study import (
    machines,
    not_held,
    published_rows,
    revisions,
    run_order,
    runs,
    symmetry_connections,
    symmetry_failures,
    symmetry_mix,
    symmetry_settings,
    symmetry_versions,
)
from loadstone.audit.warmth import alike, compiling, late_step, still_warming
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.audit.warmth.model import Warmth
from loadstone.findings.model import Finding
from loadstone.results.assignments import Assignment
from loadstone.results.environment import Environment
from loadstone.results.read import StoredRun
from loadstone.results.record import RunRecord
from loadstone.results.window import WindowedRun
from loadstone.study.values.model import Plan
from loadstone.study.values.published import Published

RUN_RULES: tuple[Callable[[WindowedRun], Iterable[Finding]], ...] = (
    contract.contract,
    contract.unchecked_answers,
    contract.answers_not_held,
    protocol.wrong_protocol,
    arithmetic.conservation,
    session_arithmetic.session_conservation,
    timeline.timeline_gap,
    contradictory_summary.contradictory_summary,
    arithmetic.users_accounted_for,
    imported.contradicting_times,
    imported.failed_checks,
    imported.coarse_times,
    failures.failures,
    failures.unanswered,
    failures.not_accepted,
    answers.answers_differ,
    answers.answer_size_changed,
    aborted.sessions_aborted,
    aborted.captures_failing,
    endings.ended_early,
    endings.sessions_cut,
    endings.pace_not_held,
    feeds.feed_exhausted,
    feeds.feed_reused,
    cookies.cookies_ignored,
    cookies.cookies_dropped,
    connections.connections_missing,
    connections.connection_churn,
    busy_generator.busy_worker,
    busy_generator.busy_generator,
    engine_limits.cpu_used_up,
    engine_limits.stalls,
    busy_generator.rate_not_achieved,
    pinned_throughput.pinned_throughput,
    engine_waits.engine_waited,
    late_requests.late_requests,
    waiting_requests.waiting_for_connections,
    waiting_requests.waiting_for_streams,
    saturation.service_not_saturated,
    waits_not_on_cpu.waits_not_on_cpu,
    saturation.bench_cpu_busy,
    throttling.throttled,
    out_of_memory.out_of_memory,
    memory_growth.memory_grows,
    restarts.service_restarted,
    periodic_stalls.periodic_stalls,
    service_stalls.service_stalls,
    unequal_users.unequal_users,
    network_timer.network_timer,
    other_callers.cached_answers,
    other_callers.answers_by_caller,
    other_callers.coding_not_asked_for,
    works_after_load.works_after_load,
    dependency_use.dependency_idle,
    database_use.database_idle,
    costly_dependency.costly_dependency,
    costly_dependency.database_limited,
    shared_cpus.service_not_apart,
    steal.steal,
    steadiness.unsteady,
    timeline.short_window,
    correlated_requests.correlated_requests,
    neighbours.busy_neighbour,
    cluster.cluster_busy,
    cluster.wrong_priority,
    engines_apart.clock_apart,
    engines_apart.far_apart,
    engines_apart.engines_not_together,
    engines_apart.unequal_engines,
    engines_apart.generator_not_alone,
    engines_apart.network_full,
    pressure_and_clock.pressure,
    pressure_and_clock.clock_jump,
    stopped_early.stopped_early,
    ignored_sigterm.ignored_sigterm,
)
"""Over one completed run under load; in the order in which they are told."""

RECORD_RULES: tuple[Callable[[RunRecord], Iterable[Finding]], ...] = (
    startup_clock.coarse_startup_clock,
)
"""Over one completed run of any kind."""

CELL_RULES: tuple[Callable[[LoadedCell], Iterable[Finding]], ...] = (
    still_warming.still_warming,
    still_warming.warm_up_capped,
    compiling.compiling,
    late_step.late_steps,
    alike.warm_up_differs,
    alike.slower_cpu,
    growing_tables.growing_tables,
)
"""Over the completed runs of one arm under one load, or a run by itself."""

STUDY_RULES: tuple[Callable[[Sequence[StoredRun]], Iterable[Finding]], ...] = (
    runs.too_few_runs,
    runs.short_runs,
    not_held.not_held,
    dependency_use.dependency_skipped,
    database_use.statements_skipped,
    symmetry_failures.failures_differ,
    symmetry_mix.mix_differs,
    symmetry_connections.connections_differ,
    symmetry_connections.tls_differs,
    symmetry_settings.settings_differ,
    symmetry_versions.versions_differ,
    revisions.same_code,
    revisions.uncommitted_changes,
)
"""Over all planned runs of a study."""


PLAN_RULES: tuple[Callable[[Plan], Iterable[Finding]], ...] = (run_order.fixed_order,)
"""Over what a study set out to do."""


def audit_run(run: WindowedRun) -> tuple[Finding, ...]:
    """Every finding of one completed run under load."""
    found = (finding for rule in RUN_RULES for finding in rule(run))
    return (*found, *audit_record(run.record))


def audit_record(record: RunRecord) -> tuple[Finding, ...]:
    """Every finding of one completed run that needs no load."""
    return tuple(finding for rule in RECORD_RULES for finding in rule(record))


def audit_cell(cell: LoadedCell) -> tuple[Finding, ...]:
    """Every finding on the runs of one arm under one load together, or on the warmth of a run alone."""
    return tuple(finding for rule in CELL_RULES for finding in rule(cell))


def audit_warm_ups(
    stored: Sequence[StoredRun], warmth: Mapping[tuple[str, str], Warmth]
) -> tuple[Finding, ...]:
    """Every finding on how warm-ups were chosen, from whether arms under workloads were warm."""
    return tuple(runs.fixed_warm_up(stored, warmth))


def audit_study(stored: Sequence[StoredRun]) -> tuple[Finding, ...]:
    """Every finding on the runs as a whole, those without figures first."""
    failed = (finding for each in stored for finding in runs.failed_run(each))
    return (*failed, *(finding for rule in STUDY_RULES for finding in rule(stored)))


def audit_plan(plan: Plan, published: Published | None = None) -> tuple[Finding, ...]:
    """Every finding that needs no run; `published` is what stands beside the study's own figures."""
    beside = () if published is None else published_rows.published_doubts(plan, published)
    return (*(finding for rule in PLAN_RULES for finding in rule(plan)), *beside)


def audit_alone(record: RunRecord) -> tuple[Finding, ...]:
    """What is said of a run by itself that a study says of its arm."""
    return tuple(not_held.not_held_in_run(record))


def audit_machines(
    environment: Environment, assignments: Sequence[Assignment]
) -> tuple[Finding, ...]:
    """Every finding on the machines of a study that had several."""
    return (
        *machines.machines_lost(assignments),
        *machines.unequal_machines(environment.machines),
        *machines.clocks_apart(environment.machines),
    )
