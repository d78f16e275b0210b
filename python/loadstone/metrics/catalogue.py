"""The catalogue of metrics: the name, unit, direction, scale and definition of each.

`analysis/figures/run_figures.py` computes their values from a run.
"""

from fnmatch import fnmatchcase
from typing import get_args

from loadstone.errors import InputError
from loadstone.metrics.database_metrics import CPU_SHARE_METRICS, DATABASE_METRICS
from loadstone.metrics.marks import Mark
from loadstone.metrics.model import MetricInfo, WorkloadKind
from loadstone.metrics.session_metrics import SESSION_METRICS, SESSION_QUANTILES, USER_QUANTILES
from loadstone.metrics.store_metrics import STORE_METRICS
from loadstone.metrics.time_metrics import (
    CONNECTION_QUANTILES,
    DEVIATIONS,
    MEANS,
    QUANTILES,
    TIME_METRICS,
)
from loadstone.metrics.warm_up_metrics import FIRST_SECONDS, WARM_UP_METRICS

__all__ = [
    "CONNECTION_QUANTILES",
    "DEVIATIONS",
    "MEANS",
    "QUANTILES",
    "SESSION_QUANTILES",
    "USER_QUANTILES",
]

MARKS: dict[str, Mark] = {
    f"{memory}.{mark}": mark for memory in ("pss", "rss") for mark in get_args(Mark)
}
"""Memory at every mark of a footprint: PSS and RSS."""

EVERY_KIND: tuple[WorkloadKind, ...] = ("load", "startup", "footprint")

_MARK_TEXT: dict[Mark, str] = {
    "at_rest": "at rest after the start",
    "after_first_request": "after one request",
    "after_five_requests": "after five requests",
    "after_ten_requests": "after ten requests",
    "under_load": "at half of the load",
    "after_load": "at rest after the load",
}


_MEMORY_TEXT = {
    "pss": "Memory of the service's processes, shared pages divided among their users",
    "rss": "Resident memory of the service's processes, shared pages in full for each of them",
}


def _mark(name: str) -> MetricInfo:
    return MetricInfo(
        name=name,
        group="memory",
        unit="bytes",
        direction="lower",
        scale="ratio",
        definition=f"{_MEMORY_TEXT[name.partition('.')[0]]}, {_MARK_TEXT[MARKS[name]]}",
        kinds=("footprint",),
    )


METRICS: tuple[MetricInfo, ...] = (
    *TIME_METRICS,
    *SESSION_METRICS,
    MetricInfo(
        name="offered",
        group="load",
        unit="1/s",
        direction="none",
        scale="ratio",
        definition="Requests that ended in the window or after it with any outcome, less those "
        "that were in flight when it began, a second of the window",
        made_of=("failures",),
    ),
    MetricInfo(
        name="throughput",
        group="load",
        unit="1/s",
        direction="higher",
        scale="ratio",
        definition="Requests that ended ok in the window, a second",
    ),
    MetricInfo(
        name="failures",
        group="load",
        unit="share",
        direction="lower",
        scale="difference",
        definition="Share of the offered requests whose outcome was not ok",
    ),
    MetricInfo(
        name="bytes_received",
        group="load",
        unit="bytes/s",
        direction="none",
        scale="ratio",
        definition="Bytes read from the sockets in the window, heads included, a second",
        made_of=("throughput",),
    ),
    MetricInfo(
        name="bytes_sent",
        group="load",
        unit="bytes/s",
        direction="none",
        scale="ratio",
        definition="Bytes written to the sockets in the window, heads included, a second",
        made_of=("throughput",),
    ),
    MetricInfo(
        name="users_in_system",
        group="load",
        unit="count",
        direction="none",
        scale="ratio",
        definition="Mean number of requests that were due and not yet answered, by Little's law: "
        "the response times of all requests that ended in the window and have one, ok "
        "or not, together over its length",
        made_of=("response_time.mean", "throughput"),
    ),
    MetricInfo(
        name="slowest_user",
        group="load",
        unit="index",
        direction="lower",
        scale="ratio",
        definition="Mean service time of the slowest closed user over that of the median user, of "
        "those who were there from the begin of the window on and never went; of several groups that "
        "of the one where it is most",
        made_of=("service_time.mean",),
    ),
    MetricInfo(
        name="apdex",
        group="load",
        unit="index",
        direction="higher",
        scale="difference",
        definition="Share of the offered requests that ended ok within the time that satisfies, "
        "plus half of those that did within the time that is tolerated; every other "
        "outcome counts as frustrated",
        made_of=("response_time.mean",),
    ),
    MetricInfo(
        name="time_to_failure",
        group="load",
        unit="ns",
        direction="higher",
        scale="ratio",
        definition="From the first request until a stop rule of the workload ended the load; not "
        "reached where it ended otherwise",
        kinds=("load",),
        made_of=("failures",),
    ),
    MetricInfo(
        name="time_to_slow_mean",
        group="load",
        unit="ns",
        direction="higher",
        scale="ratio",
        definition="From the first request until the mean response time of the answers of a while was "
        "above the limit that a stop rule has for it; the while is as long as the limit. Not reached "
        "where it never was",
        kinds=("load",),
        made_of=("failures",),
    ),
    MetricInfo(
        name="users_before_failure",
        group="load",
        unit="count",
        direction="higher",
        scale="ratio",
        definition="Most users that were active at once until a stop rule of the workload ended "
        "the load; not reached where it ended otherwise",
        kinds=("load",),
        made_of=("failures",),
    ),
    *WARM_UP_METRICS,
    MetricInfo(
        name="startup",
        group="start-up and build",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition="From the spawn of the service's process to its first correct response, "
        "by the external probe",
        kinds=EVERY_KIND,
    ),
    MetricInfo(
        name="startup_claimed",
        group="start-up and build",
        unit="ns",
        direction="none",
        scale="ratio",
        definition="What the service's own log says of its start-up: from whenever its runtime begins "
        "to count to whatever it calls started. Published tables have it; it never stands for startup",
        kinds=EVERY_KIND,
    ),
    MetricInfo(
        name="startup_cpu",
        group="start-up and build",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition="CPU time of the service from its spawn to its first correct response",
        kinds=EVERY_KIND,
    ),
    MetricInfo(
        name="startup_rss",
        group="start-up and build",
        unit="bytes",
        direction="lower",
        scale="ratio",
        definition="Resident memory of the service at its first correct response",
        kinds=EVERY_KIND,
    ),
    MetricInfo(
        name="first_request",
        group="start-up and build",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition="Time of the first request that was answered correctly, connecting included",
        kinds=EVERY_KIND,
    ),
    MetricInfo(
        name="build_time",
        group="start-up and build",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition="Time that building took all services of the arm when their artifacts were "
        "made, training runs included",
        kinds=EVERY_KIND,
        of_build=True,
    ),
    MetricInfo(
        name="artifact_size",
        group="start-up and build",
        unit="bytes",
        direction="lower",
        scale="ratio",
        definition="What building added to the sources of all services of the arm, files of "
        "training runs included",
        kinds=EVERY_KIND,
        of_build=True,
    ),
    *(_mark(name) for name in MARKS),
    MetricInfo(
        name="rss_peak",
        group="memory",
        unit="bytes",
        direction="lower",
        scale="ratio",
        definition="Highest resident memory of the service's processes together during the load",
    ),
    MetricInfo(
        name="heap_after_gc",
        group="memory",
        unit="bytes",
        direction="lower",
        scale="ratio",
        definition="Heap in use after a full collection that was asked for when the load was over",
    ),
    MetricInfo(
        name="cpu_per_ok",
        group="CPU",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition="CPU time of the service in the window over the requests that ended ok in it",
    ),
    MetricInfo(
        name="ok_per_cpu_second",
        group="CPU",
        unit="1/s",
        direction="higher",
        scale="ratio",
        definition="Requests that ended ok in the window over the CPU time of the service in it: "
        "the inverse of cpu_per_ok",
        made_of=("cpu_per_ok",),
    ),
    MetricInfo(
        name="cpu_per_purpose",
        group="CPU",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition="CPU time in the window of the service and of all that it asks, databases among "
        "them, over the requests of the workload's `purpose` that ended ok in it",
        made_of=("cpu_per_ok",),
    ),
    MetricInfo(
        name="dependency_cpu_per_ok",
        group="CPU",
        unit="ns",
        direction="none",
        scale="ratio",
        definition="CPU time of all dependencies in the window over the requests that ended ok in it",
    ),
    MetricInfo(
        name="bench_service_cpu_per_ok",
        group="CPU",
        unit="ns",
        direction="none",
        scale="ratio",
        definition="CPU time of the services with the role bench in the window over the requests that "
        "ended ok in it",
    ),
    *CPU_SHARE_METRICS,
    MetricInfo(
        name="gc_share",
        group="CPU",
        unit="share",
        direction="lower",
        scale="difference",
        definition="Share of the window in which the garbage collector kept every thread of the "
        "service waiting, by the runtime's own log: pauses alone, not what it computes beside them",
    ),
    MetricInfo(
        name="gc_cpu_share",
        group="CPU",
        unit="share",
        direction="lower",
        scale="difference",
        definition="CPU time of the collections that began in the window over the CPU time of the "
        "service in it, in pauses and beside running threads; not every runtime tells it",
    ),
    *DATABASE_METRICS,
    *STORE_METRICS,
    MetricInfo(
        name="load_average",
        group="machine",
        unit="count",
        direction="none",
        scale="difference",
        definition="The kernel's load average over one minute when the window ended: of the whole "
        "machine, engine and dependencies included",
    ),
)
"""In the order in which tables show them."""

_BY_NAME = {info.name: info for info in METRICS}

COMPARED = tuple(info.name for info in METRICS if info.direction != "none")
"""Metrics that are better or worse, so that arms are compared by them."""


def metric(name: str) -> MetricInfo:
    """The catalogue's row; `InputError` with the known names where there is none."""
    try:
        return _BY_NAME[name]
    except KeyError:
        known = ", ".join(_BY_NAME)
        raise InputError(f"unknown metric {name!r}", remedy=f"one of: {known}") from None


def compared_metric(name: str) -> MetricInfo:
    """The row of a metric that is better or worse. `InputError` for an unknown name, and for a
    metric by which no arms are compared.
    """
    info = metric(name)
    if info.direction == "none":
        raise InputError(
            f"{name} is neither better nor worse: no arms are compared by it",
            remedy=f"one of: {', '.join(COMPARED)}",
        )
    return info


def covers(patterns: tuple[str, ...], name: str) -> bool:
    """Whether a finding's metrics touch `name` or what it is made of; `.*` means all below."""
    made_of = _BY_NAME[name].made_of if name in _BY_NAME else ()
    return any(fnmatchcase(each, pattern) for each in (name, *made_of) for pattern in patterns)


def is_time(name: str) -> bool:
    """Whether less of it is called faster: durations that somebody waits for."""
    if name in DEVIATIONS:
        return False
    return name in ("startup", "first_request", "time_to_steady", "build_time") or name.startswith(
        (
            "response_time.",
            "service_time.",
            "first_byte.",
            "connect.",
            "tls.",
            "session.duration.",
            "user.response_time.",
            *(f"{part}.response_time." for part in FIRST_SECONDS),
        )
    )
