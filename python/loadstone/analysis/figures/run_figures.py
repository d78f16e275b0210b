"""The figures of one run: each metric of the catalogue as a value, or as the reason for none."""

from collections.abc import Iterable

from loadstone.analysis.figures.collector_figures import collector_figures
from loadstone.analysis.figures.database_figures import (
    cpu_share_figures,
    database_work_figures,
    no_database,
)
from loadstone.analysis.figures.failure_figures import failure_figures
from loadstone.analysis.figures.figure_states import no_service, not_measured, untold, value
from loadstone.analysis.figures.first_seconds import first_figures
from loadstone.analysis.figures.load_figures import load_figures, offered_figure
from loadstone.analysis.figures.quantile_figure import NOTHING_ENDED, quantile_figure
from loadstone.analysis.figures.service_figures import service_figures
from loadstone.analysis.figures.session_figures import session_figures
from loadstone.analysis.figures.store_figures import no_store, store_work_figures
from loadstone.analysis.figures.user_figures import slowest_user_figure, user_figures
from loadstone.analysis.figures.warm_up_figures import warm_up_figures
from loadstone.analysis.model import ApdexThresholds, RunFigure
from loadstone.metrics.catalogue import CONNECTION_QUANTILES, DEVIATIONS, MEANS, METRICS, QUANTILES
from loadstone.metrics.outcomes import Clock, ConnectionClock, Outcome
from loadstone.metrics.session_metrics import SESSION_METRICS
from loadstone.results.histograms import Histogram, merge
from loadstone.results.parts import Part
from loadstone.results.record import ASKED_ROLES
from loadstone.results.window import WindowedRun
from loadstone.stats.values.apdex import apdex
from loadstone.stats.values.moments import moments

OPERATION_METRICS = tuple(
    info.name
    for info in METRICS
    if info.name in (*MEANS, *DEVIATIONS, *QUANTILES)
    or info.name
    in ("throughput", "failures", "bytes_received", "bytes_sent", "users_in_system", "apdex")
)
"""What can be said of one operation; the rest belongs to the process."""

GROUP_METRICS = tuple(
    info.name
    for info in METRICS
    if info.name in OPERATION_METRICS or info in SESSION_METRICS or info.name == "slowest_user"
)
"""What can be said of one group."""

USUAL_APDEX = ApdexThresholds()


def run_figures(
    run: WindowedRun, thresholds: ApdexThresholds = USUAL_APDEX
) -> dict[str, RunFigure]:
    """Every metric that a run of its kind has, over all its operations together."""
    loaded = group_figures(run, None, thresholds)
    cpu_per_ok = _cpu_per_ok(run)
    process = {
        **service_figures(run.record),
        **collector_figures(run.record),
        **failure_figures(run),
        "offered": offered_figure(run),
        "rss_peak": _rss_peak(run),
        "cpu_per_ok": cpu_per_ok,
        "ok_per_cpu_second": _ok_per_cpu_second(cpu_per_ok),
        "cpu_per_purpose": _cpu_per_purpose(run),
        "dependency_cpu_per_ok": _dependency_cpu_per_ok(run),
        "bench_service_cpu_per_ok": _bench_service_cpu_per_ok(run),
        "database_cpu_per_ok": _database_cpu_per_ok(run),
        **database_work_figures(run),
        "store_cpu_per_ok": no_store(run) or _per_ok(run, run.store_cpu_ns),
        **store_work_figures(run),
        **cpu_share_figures(run),
        "load_average": _load_average(run),
    }
    connections = {
        name: connection_figure([run], clock, quantile)
        for name, (clock, quantile) in CONNECTION_QUANTILES.items()
    }
    found = loaded | connections | process | _until_steady(run)
    return {info.name: found[info.name] for info in METRICS if run.record.kind in info.kinds}


def group_figures(
    run: WindowedRun, part: Part | None, thresholds: ApdexThresholds = USUAL_APDEX
) -> dict[str, RunFigure]:
    """`GROUP_METRICS` of one group, or of all together."""
    figures = {
        **operation_figures(run, part, thresholds),
        **session_figures(run, part),
        **user_figures(run, part),
        "slowest_user": slowest_user_figure(run, part),
    }
    return {name: figures[name] for name in GROUP_METRICS}


def operation_figures(
    run: WindowedRun, part: Part | None, thresholds: ApdexThresholds = USUAL_APDEX
) -> dict[str, RunFigure]:
    """`OPERATION_METRICS` of some operations, or of all together."""
    outcomes = run.outcomes(part)
    offered = sum(outcomes.values())
    clocks = {clock: run.histogram(clock, ok=True, part=part) for clock in CLOCKS}
    figures = {name: mean_figure(clocks[clock], offered) for name, clock in MEANS.items()}
    for name, clock in DEVIATIONS.items():
        figures[name] = deviation_figure(clocks[clock], offered)
    for name, (clock, quantile) in QUANTILES.items():
        figures[name] = quantile_figure(clocks[clock], offered, quantile)
    figures |= load_figures(run, part)
    figures["apdex"] = apdex_figure(clocks[Clock.RESPONSE_TIME], offered, thresholds)
    figures["failures"] = (
        value((offered - outcomes[Outcome.OK]) / offered) if offered else NOTHING_ENDED
    )
    return {name: figures[name] for name in OPERATION_METRICS}


CLOCKS = tuple(dict.fromkeys(MEANS.values()))


_NOTHING_OPENED = {
    ConnectionClock.CONNECT: not_measured("no connection was opened in the window"),
    ConnectionClock.TLS: not_measured("no TLS handshake ended in the window"),
}


def connection_figure(
    runs: Iterable[WindowedRun], clock: ConnectionClock, quantile: float
) -> RunFigure:
    """A quantile over the connections of runs, those that failed ranked above the others."""
    read = list(runs)
    ok, failed = (merge([run.histogram(clock, ok=ok) for run in read]) for ok in (True, False))
    tried = ok.count + failed.count
    sources = [run.record.source for run in read if run.record.source is not None]
    if not tried and sources:
        return untold(sources[0], "connections")
    return quantile_figure(ok, tried, quantile, "connections") if tried else _NOTHING_OPENED[clock]


def mean_figure(ok: Histogram, offered: int) -> RunFigure:
    """The mean over ok requests only."""
    if offered == 0:
        return NOTHING_ENDED
    mean_ns = ok.mean_ns()
    if mean_ns is None:
        return RunFigure(value=None, state="failed", reason="no request was ok")
    return value(mean_ns)


def deviation_figure(ok: Histogram, offered: int) -> RunFigure:
    """The standard deviation over ok requests only."""
    if offered == 0:
        return NOTHING_ENDED
    found = moments(*ok.middles)
    if found is None:
        return RunFigure(value=None, state="failed", reason="no request was ok")
    if found.deviation is None:
        reason = f"{found.count} requests were ok, 2 needed"
        return RunFigure(value=None, state="too few samples", reason=reason)
    return value(found.deviation)


def apdex_figure(ok: Histogram, offered: int, thresholds: ApdexThresholds) -> RunFigure:
    """Apdex of the response time over all offered requests."""
    if offered == 0:
        return NOTHING_ENDED
    satisfied_ns, tolerated_ns = thresholds.satisfied_ns, thresholds.tolerated_ns
    # Files that contradict each other are found, and the figure withheld, by the audit.
    requests = max(offered, ok.count)
    return value(apdex(*ok.middles, satisfied_ns, tolerated_ns, requests))


def _until_steady(run: WindowedRun) -> dict[str, RunFigure]:
    """What only a load has: a footprint's load is there for its marks."""
    return warm_up_figures(run) | first_figures(run) if run.record.kind == "load" else {}


def _rss_peak(run: WindowedRun) -> RunFigure:
    used = run.service_resources
    if used is None:
        return no_service(run.record)
    if used.rss_peak_bytes is None:
        return not_measured("the probe could not read it")
    return value(used.rss_peak_bytes)


def _cpu_per_ok(run: WindowedRun) -> RunFigure:
    """CPU time a second over ok requests a second: the window may end within an interval."""
    used = run.service_resources
    if used is None:
        return no_service(run.record)
    return _per_ok(run, used.cpu_ns)


def _dependency_cpu_per_ok(run: WindowedRun) -> RunFigure:
    if run.record.source is not None:
        return untold(run.record.source, "dependencies")
    if not any(each.role == "dependency" for each in run.record.processes):
        return not_measured("the lab started no dependency for it")
    return _per_ok(run, run.dependency_cpu_ns)


def _bench_service_cpu_per_ok(run: WindowedRun) -> RunFigure:
    if run.record.source is not None:
        return untold(run.record.source, "dependencies")
    if not run.record.bench_services:
        return not_measured("no service of it has the role bench")
    return _per_ok(run, run.bench_service_cpu_ns)


def _database_cpu_per_ok(run: WindowedRun) -> RunFigure:
    return no_database(run) or _per_ok(run, run.database_cpu_ns)


def _cpu_per_purpose(run: WindowedRun) -> RunFigure:
    if run.purpose is None:
        return not_measured("its workload names no purpose")
    used = run.service_resources
    if used is None:
        return no_service(run.record)
    asks = any(each.role in ASKED_ROLES for each in run.record.processes)
    asked_ns = run.asked_cpu_ns if asks else 0
    whole_ns = None if used.cpu_ns is None or asked_ns is None else used.cpu_ns + asked_ns
    return _per_ok(run, whole_ns, run.purpose)


def _per_ok(run: WindowedRun, cpu_ns: int | None, part: Part | None = None) -> RunFigure:
    if cpu_ns is None:
        return not_measured("the probe could not read it")
    ok = run.ok_inside(part)
    if ok == 0:
        return not_measured("no request was ok in the window")
    window_ns = run.window.end_ns - run.window.start_ns
    return value(cpu_ns / window_ns * run.inside_ns / ok)


def _ok_per_cpu_second(cpu_per_ok: RunFigure) -> RunFigure:
    if cpu_per_ok.value is None:
        return cpu_per_ok
    if not cpu_per_ok.value:
        return not_measured("the service used less CPU time than the kernel counts")
    return value(1e9 / cpu_per_ok.value)


def _load_average(run: WindowedRun) -> RunFigure:
    machine = run.record.machine
    if machine is None:
        source = run.record.source
        return untold(source, "machine") if source else not_measured("the machine was not probed")
    return value(machine.load_1)
