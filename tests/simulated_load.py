"""Workloads that loads of synthetic results are simulated under: of `echo` alone, or of groups."""

from loadstone.simulate.arrivals import SECOND_NS
from loadstone.simulate.behaviour import MILLISECOND_NS
from loadstone.study.values.arrivals import (
    ConstantThink,
    ExponentialThink,
    Rate,
    Stage,
    Think,
    Users,
    steady,
)
from loadstone.study.values.groups import Group
from loadstone.study.values.model import Check, Operation, Workload
from loadstone.study.values.steps import AnswerCheck, Capture, FromJson, Send, Step

__all__ = ["MILLISECOND_NS", "SECOND_NS", "closed", "group", "grouped", "rate", "step"]


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


def step(
    operation: str, *, think_ms: float = 0, or_end: int | None = None, captures: bool = False
) -> Send:
    """A request; a status may end its session, and later steps may need a value of its answer."""
    return Send(
        operation=operation,
        method="POST",
        path=f"/{operation}",
        check=AnswerCheck(status=(200,), or_end=() if or_end is None else (or_end,)),
        captures=(Capture(value="id", source=FromJson(pointer=("id",))),) if captures else (),
        think=_pause(think_ms),
    )


def group(
    name: str,
    *steps: Step,
    users: int | None = None,
    per_second: float | None = None,
    poisson: bool = False,
    ramp: tuple[Stage, ...] = (),
    **changes: object,
) -> Group:
    """Closed users, or sessions at a rate; without steps a session of `log-in` and `book`."""
    arrivals: Users | Rate = (
        Users(stages=ramp or steady(users or 4))
        if per_second is None
        else Rate(stages=ramp or steady(per_second), connections=50, poisson=poisson)
    )
    session = steps or (step("log-in", captures=True), step("book", or_end=409))
    return Group(group=name, arrivals=arrivals, session=session, **changes)


def grouped(
    *groups: Group, seconds: int = 20, warm_up: int = 5, name: str = "grouped", **changes: object
) -> Workload:
    """A load of several groups."""
    return Workload(
        workload=name,
        groups=groups,
        duration_ns=seconds * SECOND_NS,
        warm_up_ns=warm_up * SECOND_NS,
        connect_timeout_ns=10 * SECOND_NS,
        timeout_ns=30 * SECOND_NS,
        grace_ns=5 * SECOND_NS,
        **changes,
    )


def _pause(think_ms: float) -> Think | None:
    return ConstantThink(constant_ns=round(think_ms * MILLISECOND_NS)) if think_ms else None
