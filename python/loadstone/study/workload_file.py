"""A workload's file: who loads, with what, for how long. One group, at a constant level.

Left out: stages, think time, feeds, stop rules and several groups, which are refused by name.
"""

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from loadstone.study.model import Rate, Users, Workload
from loadstone.study.operation_file import RawOperation, operation_of
from loadstone.study.raw import Name, Raw, WrongValueError, parse
from loadstone.study.units import Duration, DurationOrZero, WholeSeconds, WholeSecondsOrZero
from loadstone.study.yaml_source import Source, read_yaml

MOST_CONNECTIONS = 65_535
"""One target address has no more ports on the other side to connect from."""
MOST_SESSIONS_PER_SECOND = 1_000_000
"""Beyond what one machine sends; it bounds what a slip of the keyboard can ask for."""
MOST_OPERATIONS = 32
"""One-second intervals of more operations would make the records too large."""

SECOND_NS = 10**9
DEFAULT_CONNECT_TIMEOUT_NS = 10 * SECOND_NS
DEFAULT_TIMEOUT_NS = 30 * SECOND_NS
"""Both as in the published gateway benchmarks, and as the default of `loadstone bench`."""
DEFAULT_GRACE_NS = 5 * SECOND_NS
"""Enough for what is in flight; what takes longer is counted as unanswered."""


def _no_stages(typed: Any) -> Any:
    if isinstance(typed, dict):
        raise WrongValueError("stages are not supported yet", "write a whole number of users")
    return typed


class RawRate(Raw):
    """Sessions started at constant distance, over a shared pool of connections."""

    later: ClassVar = {
        "stages": "write per_second",
        "poisson": "starts are at constant distance: take it out",
    }

    per_second: Annotated[float, Field(gt=0, le=MOST_SESSIONS_PER_SECOND)]
    """Sessions started a second."""
    connections: Annotated[int, Field(ge=1, le=MOST_CONNECTIONS)]
    """Most connections that the sessions share."""


class RawWorkload(Raw):
    """A workload: one group of closed users, or one constant rate, that repeats a session."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": ["users"]}, {"required": ["rate"]}]}
    )
    later: ClassVar = {
        "groups": "write group, users or rate, and session at the top of the file",
        "think": "take it out: each next request follows its answer",
        "feed": "write the values into the requests",
        "stop": "the load ends after its duration",
    }

    workload: Name
    """Its name: the file's name without `.yaml`."""
    kind: Literal["load"]
    """`load`: requests over a time."""
    group: Name
    """Who loads, in one word."""
    users: Annotated[
        Annotated[int, Field(ge=1, le=MOST_CONNECTIONS)] | None, BeforeValidator(_no_stages)
    ] = None
    """Closed users, each with its own connection. Either users or rate."""
    rate: RawRate | None = None
    """Open arrivals. Either users or rate."""
    duration: WholeSeconds
    """How long requests are started, whole seconds."""
    warm_up: WholeSecondsOrZero = 0
    """The first part of `duration`, left out of the figures, whole seconds. Default 0s."""
    connect_timeout: Duration = DEFAULT_CONNECT_TIMEOUT_NS
    """Longest time to connect. Default 10s."""
    timeout: Duration = DEFAULT_TIMEOUT_NS
    """Longest time from a request to the end of its answer. Default 30s."""
    grace: DurationOrZero = DEFAULT_GRACE_NS
    """How long requests in flight are waited for after `duration`. Default 5s."""
    session: Annotated[list[RawOperation], Field(min_length=1)]
    """The requests that one user sends in turn, again and again."""


def read_workload(path: Path) -> Workload:
    """Read a workload. Raises InputError."""
    source = read_yaml(path)
    raw = parse(source, RawWorkload)
    if raw.workload != path.stem:
        raise source.error(
            ("workload",),
            f"is {raw.workload}, and the file is {path.name}",
            "give file and workload one name",
        )
    if raw.warm_up >= raw.duration:
        raise source.error(
            ("warm_up",),
            "must be shorter than duration: nothing would be measured",
            "shorten the warm-up or lengthen the duration",
        )
    if len(raw.session) > MOST_OPERATIONS:
        raise source.error(
            ("session",), f"has more than {MOST_OPERATIONS} operations", "split the workload"
        )
    names = [operation.operation for operation in raw.session]
    for position, name in enumerate(names):
        if name in names[:position]:
            raise source.error(
                ("session", position, "operation"),
                f"{name} is the name of an earlier operation",
                "give every operation a name of its own",
            )
    return Workload(
        workload=raw.workload,
        kind=raw.kind,
        group=raw.group,
        arrivals=_arrivals(source, raw),
        session=tuple(
            operation_of(source, ("session", position), operation)
            for position, operation in enumerate(raw.session)
        ),
        duration_ns=raw.duration,
        warm_up_ns=raw.warm_up,
        connect_timeout_ns=raw.connect_timeout,
        timeout_ns=raw.timeout,
        grace_ns=raw.grace,
    )


def _arrivals(source: Source, raw: RawWorkload) -> Users | Rate:
    if raw.users is not None and raw.rate is not None:
        raise source.error(
            ("rate",), "users and rate exclude each other", "keep users or rate, not both"
        )
    if raw.users is not None:
        return Users(users=raw.users)
    if raw.rate is not None:
        return Rate(rate_per_second=raw.rate.per_second, connections=raw.rate.connections)
    raise source.error(
        (),
        "users or rate is missing",
        "write `users: 50`, or `rate: {per_second: 1000, connections: 50}`",
    )
