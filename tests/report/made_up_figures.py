"""Figures, series and boxes of one arm for the report's tests: made up, of a plausible order."""

from statistics import stdev

from loadstone.analysis.chart_model import Box, RunSeries
from loadstone.analysis.model import ArmFigure, RunFigure
from loadstone.metrics.catalogue import metric as info

BLOCKS = 6
SECONDS = 10
# One value per metric for the first arm, in the catalogue's units.
BASE = {
    "response_time.mean": 1.31e6,
    "response_time.standard_deviation": 0.92e6,
    "response_time.min": 0.44e6,
    "response_time.median": 1.12e6,
    "response_time.p75": 1.48e6,
    "response_time.p90": 2.05e6,
    "response_time.p95": 2.61e6,
    "response_time.p98": 3.59e6,
    "response_time.p99": 4.83e6,
    "response_time.p99.9": 11.2e6,
    "response_time.p99.99": 19.4e6,
    "response_time.p99.999": 27.6e6,
    "response_time.max": 31.7e6,
    "service_time.mean": 1.22e6,
    "service_time.standard_deviation": 0.88e6,
    "service_time.min": 0.41e6,
    "service_time.median": 1.08e6,
    "service_time.p75": 1.35e6,
    "service_time.p90": 1.92e6,
    "service_time.p95": 2.44e6,
    "service_time.p98": 3.21e6,
    "service_time.p99": 4.31e6,
    "service_time.p99.9": 10.1e6,
    "service_time.p99.99": 18.2e6,
    "service_time.p99.999": 26.3e6,
    "service_time.max": 30.9e6,
    "first_byte.mean": 1.08e6,
    "first_byte.median": 0.87e6,
    "first_byte.p99": 3.64e6,
    "connect.median": 0.081e6,
    "connect.p99": 0.214e6,
    "tls.median": 0.93e6,
    "tls.p99": 2.71e6,
    "offered": 12_360.0,
    "throughput": 12_345.0,
    "failures": 0.0012,
    "bytes_received": 9_876_000.0,
    "bytes_sent": 1_234_000.0,
    "users_in_system": 16.2,
    "slowest_user": 1.4,
    "apdex": 0.964,
    "time_to_failure": 184e9,
    "users_before_failure": 1_840.0,
    "time_to_steady": 5e9,
    "requests_until_steady": 45_000.0,
    "warm_up_loss": 1.3e9,
    "compile_cpu": 2.2e9,
    "first_10s.throughput": 9_500.0,
    "first_10s.response_time.median": 1.7e6,
    "first_10s.response_time.p99": 24e6,
    "first_10s.cpu_per_ok": 84_000.0,
    "first_30s.throughput": 11_400.0,
    "first_30s.response_time.median": 1.3e6,
    "first_30s.response_time.p99": 11e6,
    "first_30s.cpu_per_ok": 68_000.0,
    "startup": 23.4e6,
    "startup_claimed": 18.1e6,
    "startup_cpu": 18.7e6,
    "startup_rss": 11.9 * 2**20,
    "first_request": 1.9e6,
    "build_time": 14.2e9,
    "artifact_size": 8.3 * 2**20,
    "rss_peak": 18.2 * 2**20,
    "heap_after_gc": 7.4 * 2**20,
    "cpu_per_ok": 61_300.0,
    "ok_per_cpu_second": 16_313.0,
    "database_cpu_per_ok": 22_000.0,
    "database_statements_per_ok": 1.0,
    "database_rows_per_ok": 6.0,
    "database_other_commands_per_ok": 0.0,
    "database_rows_added": 0.0,
    "store_cpu_per_ok": 9_400.0,
    "store_commands_per_ok": 2.0,
    "store_keys_added": 120.0,
    "store_memory": 1.3 * 2**20,
    "service_cpu_share": 0.97,
    "bench_cpu_share": 0.71,
    "dependency_cpu_per_ok": 12_400.0,
    "bench_service_cpu_per_ok": 8_900.0,
    "gc_share": 0.0031,
    "gc_cpu_share": 0.041,
    "load_average": 1.7,
}
SESSIONS = {
    "session.duration.mean": 3.31e9,
    "session.duration.median": 3.12e9,
    "session.duration.p90": 4.05e9,
    "session.duration.p95": 4.61e9,
    "session.duration.p99": 6.83e9,
    "session.duration.max": 9.7e9,
    "session.throughput": 36.0,
    "session.failures": 0.0008,
    "user.response_time.median": 1.32e6,
    "user.response_time.p90": 1.51e6,
    "user.response_time.max": 2.9e6,
}
"""Of a load whose sessions have several requests."""
TOTALS = {"begun": 2_160, "finished": 2_140, "ended_early": 12, "aborted": 2, "cut": 18}
OUTCOMES = {"ok": 740_000, "timeout": 801, "status": 88}
WOBBLE = (0.981, 1.013, 0.996, 1.022, 0.989, 1.004)
QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999)
CURVE = (0.41, 0.83, 1.0, 1.35, 1.83, 2.33, 4.3, 10.0, 28.3)


def figure(metric: str, factor: float = 1.0) -> ArmFigure:
    value = (BASE | SESSIONS)[metric] * factor
    runs = tuple(RunFigure(value=value * wobble, state="value") for wobble in WOBBLE)
    share = stdev(WOBBLE)
    return ArmFigure(
        metric=metric,
        value=value,
        state="value",
        low=value * min(WOBBLE),
        high=value * max(WOBBLE),
        deviation=share if info(metric).scale == "ratio" else value * share,
        runs=runs,
    )


def without_value(metric: str, state: str, reason: str) -> ArmFigure:
    run = RunFigure(value=None, state=state, reason=reason)
    return ArmFigure(metric=metric, value=None, state=state, reason=reason, runs=(run,) * BLOCKS)


def series(arm: str, workload: str, factor: float, first_index: int) -> tuple[RunSeries, ...]:
    return tuple(
        RunSeries(
            run=f"{first_index + block:03d}-{arm}-{workload}",
            block=block + 1,
            window_start_ns=2_000_000_000,
            steadiness="warm-up" if block else "flat",
            seconds=tuple(second + 0.5 for second in range(SECONDS)),
            response_time_mean_ns=level(BASE["response_time.mean"] * factor * wobble),
            response_time_p99_ns=level(BASE["response_time.p99"] * factor * wobble),
            throughput=level(BASE["throughput"] / factor * wobble),
            failures=tuple(float(second % 3) for second in range(SECONDS)),
            offered=level(1.05 * BASE["throughput"] / factor * wobble),
            users=(25.0, *[50.0] * (SECONDS - 1)),
            cpus_used=level(0.93 * wobble),
            rss_bytes=level(BASE["rss_peak"] * factor * wobble),
        )
        for block, wobble in enumerate(WOBBLE)
    )


def level(value: float) -> tuple[float, ...]:
    """That value each second, a little less in the first."""
    return (value * 0.8, *[value] * (SECONDS - 1))


def box(factor: float, operation: str = "pass-through") -> Box:
    median_ns = BASE["response_time.median"] * factor
    return Box(
        operation=operation,
        least_ns=round(median_ns * 0.4),
        p5_ns=round(median_ns * 0.6),
        p25_ns=round(median_ns * 0.83),
        median_ns=round(median_ns),
        p75_ns=round(median_ns * 1.35),
        p95_ns=round(median_ns * 2.33),
        most_ns=round(median_ns * 28),
        mean_ns=median_ns * 1.1,
    )
