"""Workloads of one operation, `echo`, that loads of synthetic results are simulated under."""

from loadstone.simulate.arrivals import SECOND_NS
from loadstone.simulate.behaviour import MILLISECOND_NS
from loadstone.study.values.arrivals import ExponentialThink, Rate, Stage, Users, steady
from loadstone.study.values.model import Check, Operation, Workload

__all__ = ["MILLISECOND_NS", "SECOND_NS", "closed", "rate"]


def closed(
    users: int = 4,
    *,
    seconds: int = 10,
    warm_up: int = 2,
    name: str = "closed",
    think_ms: int = 0,
    streams: int = 1,
    ramp: tuple[Stage, ...] = (),
) -> Workload:
    """Closed users: so many, or those of a ramp that only rises; an exponential pause if any."""
    return _workload(
        name,
        Users(stages=ramp or steady(users)),
        seconds,
        warm_up,
        think=ExponentialThink(exponential_ns=think_ms * MILLISECOND_NS) if think_ms else None,
        streams=streams,
    )


def rate(
    per_second: float = 100.0, *, seconds: int = 10, warm_up: int = 2, name: str = "rate"
) -> Workload:
    """Evenly spaced requests."""
    return _workload(name, Rate(stages=steady(per_second), connections=50), seconds, warm_up)


def _workload(
    name: str, arrivals: Users | Rate, seconds: int, warm_up: int, **changes: object
) -> Workload:
    return Workload(
        **changes,
        workload=name,
        group="callers",
        arrivals=arrivals,
        session=(
            Operation(operation="echo", method="POST", path="/echo", check=Check(status=200)),
        ),
        duration_ns=seconds * SECOND_NS,
        warm_up_ns=warm_up * SECOND_NS,
        connect_timeout_ns=10 * SECOND_NS,
        timeout_ns=30 * SECOND_NS,
        grace_ns=2 * SECOND_NS,
    )
