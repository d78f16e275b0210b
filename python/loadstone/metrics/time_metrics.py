"""The metrics that are statistics of times: of requests, by clock, and of opening connections."""

from loadstone.metrics.model import MetricGroup, MetricInfo
from loadstone.metrics.outcomes import Clock, ConnectionClock

_LEVELS: dict[str, float] = {
    "min": 0.0,
    "median": 0.5,
    "p75": 0.75,
    "p90": 0.9,
    "p95": 0.95,
    "p98": 0.98,
    "p99": 0.99,
    "p99.9": 0.999,
    "p99.99": 0.9999,
    "p99.999": 0.99999,
    "max": 1.0,
}

QUANTILES: dict[str, tuple[Clock, float]] = {
    **{f"response_time.{name}": (Clock.RESPONSE_TIME, level) for name, level in _LEVELS.items()},
    **{f"service_time.{name}": (Clock.SERVICE_TIME, level) for name, level in _LEVELS.items()},
    "first_byte.median": (Clock.FIRST_BYTE, 0.5),
    "first_byte.p99": (Clock.FIRST_BYTE, 0.99),
}
"""Every quantile over requests, as a fraction. The smallest value is the quantile 0, the largest 1."""

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

DEVIATIONS: dict[str, Clock] = {
    "response_time.standard_deviation": Clock.RESPONSE_TIME,
    "service_time.standard_deviation": Clock.SERVICE_TIME,
}
"""Standard deviations over requests."""

_GROUPS: dict[Clock, MetricGroup] = {
    Clock.RESPONSE_TIME: "response time",
    Clock.SERVICE_TIME: "service time",
    Clock.FIRST_BYTE: "first byte",
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

_EXTREMES = {0.0: "Smallest time", 1.0: "Largest time"}


def _quantile(name: str) -> MetricInfo:
    clock, quantile = QUANTILES[name]
    which = _EXTREMES.get(quantile) or f"Quantile {quantile:g} of the time"
    return MetricInfo(
        name=name,
        group=_GROUPS[clock],
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
        group="connections",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition=f"Quantile {quantile:g} of the time {_CONNECTION_TEXT[clock]} in the window; "
        "those that failed rank above those that did not",
    )


def _mean(name: str) -> MetricInfo:
    clock = MEANS[name]
    return MetricInfo(
        name=name,
        group=_GROUPS[clock],
        unit="ns",
        direction="lower",
        scale="ratio",
        definition=f"Mean time {_CLOCK_TEXT[clock]}, over ok requests only",
    )


def _deviation(name: str) -> MetricInfo:
    clock = DEVIATIONS[name]
    return MetricInfo(
        name=name,
        group=_GROUPS[clock],
        unit="ns",
        direction="lower",
        scale="difference",
        definition=f"Standard deviation of the time {_CLOCK_TEXT[clock]}, over ok requests only and "
        "between them, not between runs",
        made_of=tuple(mean for mean, of in MEANS.items() if of is clock),
    )


def _of_clock(clock: Clock) -> tuple[MetricInfo, ...]:
    return (
        *(_mean(name) for name, of in MEANS.items() if of is clock),
        *(_deviation(name) for name, of in DEVIATIONS.items() if of is clock),
        *(_quantile(name) for name, (of, _) in QUANTILES.items() if of is clock),
    )


TIME_METRICS: tuple[MetricInfo, ...] = (
    *_of_clock(Clock.RESPONSE_TIME),
    *_of_clock(Clock.SERVICE_TIME),
    *_of_clock(Clock.FIRST_BYTE),
    *(_connection_quantile(name) for name in CONNECTION_QUANTILES),
)
"""In the order in which tables show them."""
