"""The one catalogue of metrics: name, unit, direction, scale and definition.

How a metric is read from a run is `figures.py`; nothing else names a metric by hand.
"""

from fnmatch import fnmatchcase

from loadstone.analysis.model import MetricInfo, WorkloadKind
from loadstone.errors import InputError
from loadstone.results.outcomes import Clock, ConnectionClock
from loadstone.results.service_facts import Mark

QUANTILES: dict[str, tuple[Clock, float]] = {
    "response_time.median": (Clock.RESPONSE_TIME, 0.5),
    "response_time.p90": (Clock.RESPONSE_TIME, 0.9),
    "response_time.p95": (Clock.RESPONSE_TIME, 0.95),
    "response_time.p99": (Clock.RESPONSE_TIME, 0.99),
    "response_time.p99.9": (Clock.RESPONSE_TIME, 0.999),
    "response_time.max": (Clock.RESPONSE_TIME, 1.0),
    "service_time.median": (Clock.SERVICE_TIME, 0.5),
    "service_time.p99": (Clock.SERVICE_TIME, 0.99),
    "first_byte.median": (Clock.FIRST_BYTE, 0.5),
    "first_byte.p99": (Clock.FIRST_BYTE, 0.99),
}
"""Every quantile over requests, as a fraction. The largest value is the quantile 1."""

CONNECTION_QUANTILES: dict[str, tuple[ConnectionClock, float]] = {
    "connect.median": (ConnectionClock.CONNECT, 0.5),
    "connect.p99": (ConnectionClock.CONNECT, 0.99),
    "tls.median": (ConnectionClock.TLS, 0.5),
    "tls.p99": (ConnectionClock.TLS, 0.99),
}
"""Every quantile over connections."""

MEANS: dict[str, Clock] = {
    "response_time.mean": Clock.RESPONSE_TIME,
    "service_time.mean": Clock.SERVICE_TIME,
    "first_byte.mean": Clock.FIRST_BYTE,
}

MARKS: dict[str, Mark] = {
    "pss.at_rest": "at_rest",
    "pss.after_first_request": "after_first_request",
    "pss.after_five_requests": "after_five_requests",
    "pss.under_load": "under_load",
    "pss.after_load": "after_load",
}
"""Every mark of a footprint."""

EVERY_KIND: tuple[WorkloadKind, ...] = ("load", "startup", "footprint")

_MARK_TEXT: dict[Mark, str] = {
    "at_rest": "at rest after the start",
    "after_first_request": "after one request",
    "after_five_requests": "after five requests",
    "under_load": "at half of the load",
    "after_load": "at rest after the load",
}

_CLOCK_TEXT = {
    Clock.RESPONSE_TIME: "from the intended time to the end of the answer",
    Clock.SERVICE_TIME: "from the time it was written to the end of the answer",
    Clock.FIRST_BYTE: "from the time it was written to the first byte of the answer",
}

_CONNECTION_TEXT = {
    ConnectionClock.CONNECT: "that establishing a TCP connection took, over all that were tried",
    ConnectionClock.TLS: "that a TLS handshake took, over all that were begun",
}


def _quantile(name: str) -> MetricInfo:
    clock, quantile = QUANTILES[name]
    which = "Largest time" if quantile == 1 else f"Quantile {quantile:g} of the time"
    return MetricInfo(
        name=name,
        unit="ns",
        direction="lower",
        scale="ratio",
        definition=f"{which} {_CLOCK_TEXT[clock]}, over all offered requests; every outcome "
        "other than ok ranks above every ok",
    )


def _connection_quantile(name: str) -> MetricInfo:
    clock, quantile = CONNECTION_QUANTILES[name]
    return MetricInfo(
        name=name,
        unit="ns",
        direction="lower",
        scale="ratio",
        definition=f"Quantile {quantile:g} of the time {_CONNECTION_TEXT[clock]} in the window; "
        "those that failed rank above those that did not",
    )


def _mark(name: str) -> MetricInfo:
    return MetricInfo(
        name=name,
        unit="bytes",
        direction="lower",
        scale="ratio",
        definition="Memory of the service's processes, shared pages divided among their users, "
        f"{_MARK_TEXT[MARKS[name]]}",
        kinds=("footprint",),
    )


def _mean(name: str) -> MetricInfo:
    return MetricInfo(
        name=name,
        unit="ns",
        direction="lower",
        scale="ratio",
        definition=f"Mean time {_CLOCK_TEXT[MEANS[name]]}, over ok requests only",
    )


METRICS: tuple[MetricInfo, ...] = (
    _mean("response_time.mean"),
    *(_quantile(name) for name in QUANTILES if name.startswith("response_time.")),
    _mean("service_time.mean"),
    *(_quantile(name) for name in QUANTILES if name.startswith("service_time.")),
    _mean("first_byte.mean"),
    *(_quantile(name) for name in QUANTILES if name.startswith("first_byte.")),
    *(_connection_quantile(name) for name in CONNECTION_QUANTILES),
    MetricInfo(
        name="throughput",
        unit="1/s",
        direction="higher",
        scale="ratio",
        definition="Requests that ended ok in the window, a second",
    ),
    MetricInfo(
        name="failures",
        unit="share",
        direction="lower",
        scale="difference",
        definition="Share of the offered requests whose outcome was not ok",
    ),
    MetricInfo(
        name="startup",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition="From the spawn of the service's process to its first correct response, "
        "by the external probe",
        kinds=EVERY_KIND,
    ),
    MetricInfo(
        name="startup_cpu",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition="CPU time of the service from its spawn to its first correct response",
        kinds=EVERY_KIND,
    ),
    MetricInfo(
        name="startup_rss",
        unit="bytes",
        direction="lower",
        scale="ratio",
        definition="Resident memory of the service at its first correct response",
        kinds=EVERY_KIND,
    ),
    MetricInfo(
        name="first_request",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition="Time of the first request that was answered correctly, connecting included",
        kinds=EVERY_KIND,
    ),
    *(_mark(name) for name in MARKS),
    MetricInfo(
        name="rss_peak",
        unit="bytes",
        direction="lower",
        scale="ratio",
        definition="Highest resident memory of the service's processes together during the load",
    ),
    MetricInfo(
        name="cpu_per_ok",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition="CPU time of the service in the window over the requests that ended ok in it",
    ),
    MetricInfo(
        name="time_to_steady",
        unit="ns",
        direction="lower",
        scale="difference",
        definition="From the first request to the second in which the last of throughput, p99 and CPU "
        "per ok came to the level that it then held",
        kinds=("load",),
    ),
    MetricInfo(
        name="gc_share",
        unit="share",
        direction="lower",
        scale="difference",
        definition="Share of the window in which the garbage collector kept every thread of the "
        "service waiting, by the runtime's own log",
    ),
    MetricInfo(
        name="heap_after_gc",
        unit="bytes",
        direction="lower",
        scale="ratio",
        definition="Heap in use after a full collection that was asked for when the load was over",
    ),
)
"""In the order in which tables show them."""

_BY_NAME = {info.name: info for info in METRICS}


def metric(name: str) -> MetricInfo:
    """The catalogue's row; `InputError` with the known names where there is none."""
    try:
        return _BY_NAME[name]
    except KeyError:
        known = ", ".join(_BY_NAME)
        raise InputError(f"unknown metric {name!r}", remedy=f"one of: {known}") from None


def covers(patterns: tuple[str, ...], name: str) -> bool:
    """Whether a finding's metrics touch `name`; a trailing `.*` means all below."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def is_time(name: str) -> bool:
    """Whether less of it is called faster: durations that somebody waits for."""
    return name in ("startup", "first_request", "time_to_steady") or name.startswith(
        ("response_time.", "service_time.", "first_byte.", "connect.", "tls.")
    )
