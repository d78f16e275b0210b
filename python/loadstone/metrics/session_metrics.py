"""The metrics of sessions, and of users: what many requests of one person come to.

Quantiles over requests say little of either: a slow user sends few requests, and what fails early in a
session is never followed by the rest of it.
"""

from loadstone.metrics.model import MetricInfo

SESSION_QUANTILES: dict[str, float] = {
    "session.duration.median": 0.5,
    "session.duration.p90": 0.9,
    "session.duration.p95": 0.95,
    "session.duration.p99": 0.99,
    "session.duration.max": 1.0,
}
"""Every quantile over sessions."""

USER_QUANTILES: dict[str, float] = {
    "user.response_time.median": 0.5,
    "user.response_time.p90": 0.9,
    "user.response_time.max": 1.0,
}
"""Every quantile over users."""

_DURATION = (
    "from the intended time of a session's first request to the end of its last answer, without what "
    "a user does once before its first session"
)


def _quantile(name: str, quantile: float) -> MetricInfo:
    which = "Largest time" if quantile == 1 else f"Quantile {quantile:g} of the time"
    return MetricInfo(
        name=name,
        group="sessions",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition=f"{which} {_DURATION}, over the sessions that finished or were aborted in the "
        "window; the aborted rank above the finished, and those that were cut are left out",
        made_of=(f"response_time.{name.rpartition('.')[2]}",),
    )


def _user_quantile(name: str, quantile: float) -> MetricInfo:
    which = "Largest" if quantile == 1 else f"Quantile {quantile:g}"
    return MetricInfo(
        name=name,
        group="users",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition=f"{which} of the users' mean response times: each closed user counts once, "
        "however many requests it had ok, of those who were there from the begin of the window on "
        "and never went; users without an ok answer rank above the others",
        made_of=("response_time.mean",),
    )


SESSION_METRICS: tuple[MetricInfo, ...] = (
    MetricInfo(
        name="session.duration.mean",
        group="sessions",
        unit="ns",
        direction="lower",
        scale="ratio",
        definition=f"Mean time {_DURATION}, over the sessions that finished in the window only",
        made_of=("response_time.mean",),
    ),
    *(_quantile(name, quantile) for name, quantile in SESSION_QUANTILES.items()),
    MetricInfo(
        name="session.throughput",
        group="sessions",
        unit="1/s",
        direction="higher",
        scale="ratio",
        definition="Sessions that finished in the window, a second; those that an answer ended as "
        "their step allows are among them",
        made_of=("throughput",),
    ),
    MetricInfo(
        name="session.failures",
        group="sessions",
        unit="share",
        direction="lower",
        scale="difference",
        definition="Share of the sessions that finished or were aborted in the window, that a failed "
        "request aborted",
        made_of=("failures",),
    ),
    *(_user_quantile(name, quantile) for name, quantile in USER_QUANTILES.items()),
)
"""In the order in which tables show them."""
