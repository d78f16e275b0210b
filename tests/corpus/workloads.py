"""The workloads of the corpus: what a gateway is loaded with."""

from loadstone.study.values.arrivals import ExponentialThink, Rate, Stage, Users, steady
from loadstone.study.values.model import Check, Operation, Workload
from loadstone.study.values.payload import payload
from simulated_load import MILLISECOND_NS, SECOND_NS

SECONDS, WARM_UP_SECONDS = 40, 5
"""Of a load: enough for a series that can be judged."""


def load(
    users: int | None = None,
    rate: float | None = None,
    *,
    seconds: int = SECONDS,
    warm_up: int = WARM_UP_SECONDS,
    ramp: tuple[Stage, ...] = (),
    think_ms: float = 0,
    streams: int = 1,
    poisson: bool = False,
    connections: int = 50,
    operations: tuple[str, ...] = ("passthrough",),
    **changes: object,
) -> Workload:
    """A load of users who ask again after each answer, or of a rate."""
    arrivals: Users | Rate = (
        Users(stages=ramp or steady(users or 8))
        if rate is None
        else Rate(stages=ramp or steady(rate), connections=connections, poisson=poisson)
    )
    session = tuple(
        Operation(
            operation=name,
            method="POST",
            path="/passthrough",
            headers=(("content-type", "application/json"),),
            body=payload("array", 50),
            check=Check(status=200, body_contains="50B"),
        )
        for name in operations
    )
    return Workload(
        workload="load",
        group="callers",
        arrivals=arrivals,
        think=ExponentialThink(exponential_ns=round(think_ms * MILLISECOND_NS))
        if think_ms
        else None,
        streams=streams,
        session=session,
        duration_ns=seconds * SECOND_NS,
        warm_up_ns=warm_up * SECOND_NS,
        connect_timeout_ns=10 * SECOND_NS,
        timeout_ns=30 * SECOND_NS,
        grace_ns=5 * SECOND_NS,
        **changes,
    )
