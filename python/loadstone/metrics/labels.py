"""How metrics are called where people read them."""

from typing import get_args

from loadstone.metrics.marks import Mark
from loadstone.metrics.model import MetricGroup
from loadstone.metrics.session_metrics import SESSION_METRICS
from loadstone.metrics.warm_up_metrics import FIRST_QUANTILES, FIRST_SECONDS

_LONG = {
    "cpu_per_ok": "CPU per ok",
    "cpu_per_purpose": "CPU per purpose",
    "dependency_cpu_per_ok": "dependencies' CPU per ok",
    "bench_service_cpu_per_ok": "bench services' CPU per ok",
    "database_cpu_per_ok": "database's CPU per ok",
    "database_statements_per_ok": "statements per ok",
    "database_rows_per_ok": "rows read per ok",
    "database_other_commands_per_ok": "other commands per ok",
    "database_rows_added": "rows added",
    "store_cpu_per_ok": "store's CPU per ok",
    "store_commands_per_ok": "store commands per ok",
    "store_keys_added": "keys added",
    "store_memory": "store memory",
    "service_cpu_share": "service's CPU used",
    "bench_cpu_share": "bench's CPU busy",
    "rss_peak": "RSS peak",
    "startup": "start-up",
    "startup_claimed": "start-up as claimed",
    "startup_cpu": "CPU at start-up",
    "startup_rss": "RSS at start-up",
    **{
        f"{memory}.{mark}": f"{memory.upper()} {mark.replace('_', ' ')}"
        for memory in ("pss", "rss")
        for mark in get_args(Mark)
    },
    "ok_per_cpu_second": "ok per CPU second",
    "apdex": "Apdex",
    **{info.name: info.name.replace(".", " ").replace("_", " ") for info in SESSION_METRICS},
    "gc_share": "GC pauses",
    "gc_cpu_share": "CPU of GC",
    "heap_after_gc": "heap after GC",
    "tls.median": "TLS median",
    "tls.p99": "TLS p99",
    "warm_up_loss": "warm-up loss",
    "compile_cpu": "compilers' CPU",
    **{
        f"{part}.{name}": f"{label} in first {seconds} s"
        for part, seconds in FIRST_SECONDS.items()
        for name, label in (
            ("throughput", "throughput"),
            *(
                (quantile, quantile.replace(".", " ").replace("_", " "))
                for quantile in FIRST_QUANTILES
            ),
            ("cpu_per_ok", "CPU per ok"),
        )
    },
}


def metric_label(metric: str) -> str:
    """`response_time.p99` reads `response time p99`."""
    return _LONG.get(metric) or metric.replace(".", " ", 1).replace("_", " ")


def label_in(group: MetricGroup, metric: str) -> str:
    """The metric where the group stands above it: `p99` of the response times."""
    prefix = f"{group.replace(' ', '_')}."
    return (
        metric.removeprefix(prefix).replace("_", " ")
        if metric.startswith(prefix)
        else metric_label(metric)
    )


def column_label(metric: str) -> str:
    """The metric as a column of the result table, whose times are response times."""
    return label_in("response time", metric)
