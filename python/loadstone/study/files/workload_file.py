"""A workload's file: who loads, with what, for how long, and what ends it before.

Left out: feeds, captures and several groups, which are refused by name.
"""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, RootModel

from loadstone.study.files.arrivals_file import (
    RawPause,
    RawRate,
    RawUsers,
    rate_of,
    think_of,
    users_of,
)
from loadstone.study.files.operation_file import RawOperation, operation_of
from loadstone.study.files.raw import Name, judge_own_name, parse
from loadstone.study.files.startup_file import RawStartup, startup_of
from loadstone.study.files.stop_file import RawStop, stop_rules_of
from loadstone.study.files.timing_file import RawTiming, longest_ns, timing_of
from loadstone.study.files.yaml_file import YamlFile, read_yaml
from loadstone.study.values.arrivals import Rate, Users
from loadstone.study.values.model import AnyWorkload, Workload
from loadstone.text.typed_units import Duration, DurationOrZero

MOST_STREAMS = 1_000
"""Servers allow 100 to 250 by default (RFC 9113, section 6.5.2, recommends at least 100)."""
MOST_IN_FLIGHT = 1_000_000
"""As the engine bounds them."""
MOST_REDIRECTS = 20
"""As the Fetch standard bounds them."""
MOST_OPERATIONS = 32
"""One-second intervals of more operations would make the records too large."""

SECOND_NS = 10**9
DEFAULT_CONNECT_TIMEOUT_NS = 10 * SECOND_NS
DEFAULT_TIMEOUT_NS = 30 * SECOND_NS
"""Both as in the published gateway benchmarks, and as the default of `loadstone bench`."""
DEFAULT_GRACE_NS = 5 * SECOND_NS
"""Enough for what is in flight; what takes longer is counted as unanswered."""
DEFAULT_REST_NS = 5 * SECOND_NS
"""As in the published scripts that take a service's memory at rest."""


class RawWorkload(RawTiming):
    """A workload: one group, closed users or an arrival rate, that repeats a session."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": ["users"]}, {"required": ["rate"]}]}
    )
    later: ClassVar = {
        "groups": "write group, users or rate, and session at the top of the file",
        "feed": "write the values into the requests",
    }

    workload: Name
    """Its name: the file's name without `.yaml`."""
    kind: Literal["load", "footprint"]
    """`load`: requests over a time. `footprint`: memory at named marks before, in and after them."""
    rest: DurationOrZero | None = None
    """Only for a footprint: how long a service rests before its first mark, and after the load before
    its last. Default 5s.
    """
    group: Name
    """Who loads, in one word."""
    users: RawUsers | None = None
    """Closed users, each with its own connection: how many, or stages. Either users or rate."""
    rate: RawRate | None = None
    """Open arrivals. Either users or rate."""
    think: RawPause | None = None
    """Pause of a user after each request, or of an arrived session between its requests: a duration,
    or a distribution. Default: none.
    """
    streams: Annotated[int, Field(ge=1, le=MOST_STREAMS)] = 1
    """Requests in flight at most on one connection: streams of HTTP/2, or pipelined. Each closed user
    keeps so many in flight. Default 1.
    """
    new_connections: bool = False
    """Whether every request opens a connection of its own. Default false."""
    redirects: Annotated[int, Field(ge=0, le=MOST_REDIRECTS)] = 0
    """Redirects of one request that are followed at most, on the target alone. Default 0: a redirect
    is an answer like any other.
    """
    connect_timeout: Duration = DEFAULT_CONNECT_TIMEOUT_NS
    """Longest time to connect. Default 10s."""
    timeout: Duration = DEFAULT_TIMEOUT_NS
    """Longest time from a request to the end of its answer. Default 30s."""
    grace: DurationOrZero = DEFAULT_GRACE_NS
    """How long requests in flight are waited for after `duration`. Default 5s."""
    stop: RawStop = RawStop()
    """What ends the load before `duration`."""
    session: Annotated[list[RawOperation], Field(min_length=1)]
    """The requests that one user sends in turn, again and again."""


class RawAnyWorkload(RootModel[Annotated[RawWorkload | RawStartup, Field(discriminator="kind")]]):
    """A workload of any kind."""


def read_workload(path: Path) -> AnyWorkload:
    """Read a workload. Raises InputError."""
    source = read_yaml(path)
    is_startup = source.tree.get("kind") == "startup"
    raw = parse(source, RawStartup) if is_startup else parse(source, RawWorkload)
    judge_own_name(source, "workload", "file")
    return startup_of(raw) if isinstance(raw, RawStartup) else _load_of(source, raw)


def _load_of(source: YamlFile, raw: RawWorkload) -> Workload:
    if raw.rest is not None and raw.kind != "footprint":
        raise source.error(
            ("rest",), "is only for a footprint", "take it out, or write kind: footprint"
        )
    if raw.window is not None and raw.kind == "footprint":
        raise source.error(
            ("window",),
            "cannot follow a load whose memory is marked at times that are set",
            "write duration, and a warm_up of whole seconds",
        )
    if raw.new_connections and raw.streams > 1:
        raise source.error(
            ("streams",),
            "a connection for each request carries only one",
            "take streams or new_connections out",
        )
    arrivals = _arrivals(source, raw, longest_ns(source, raw))
    timing = timing_of(source, raw, arrivals)
    connections = arrivals.connections if isinstance(arrivals, Rate) else arrivals.highest
    if connections * raw.streams > MOST_IN_FLIGHT:
        raise source.error(
            ("streams",),
            f"with {connections:g} connections that is more than {MOST_IN_FLIGHT} requests in flight",
            "take fewer streams or connections",
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
        rest_ns=_rest_ns(raw),
        group=raw.group,
        arrivals=arrivals,
        think=think_of(source, raw.think),
        streams=raw.streams,
        new_connections=raw.new_connections,
        redirects=raw.redirects,
        session=tuple(
            operation_of(source, ("session", position), operation)
            for position, operation in enumerate(raw.session)
        ),
        duration_ns=timing.duration_ns,
        warm_up_ns=timing.warm_up_ns,
        steady_within_ns=timing.steady_within_ns,
        connect_timeout_ns=raw.connect_timeout,
        timeout_ns=raw.timeout,
        grace_ns=raw.grace,
        stop=stop_rules_of(source, raw.stop),
    )


def _rest_ns(raw: RawWorkload) -> int:
    if raw.kind != "footprint":
        return 0
    return DEFAULT_REST_NS if raw.rest is None else raw.rest


def _arrivals(source: YamlFile, raw: RawWorkload, most_ns: int) -> Users | Rate:
    if raw.users is not None and raw.rate is not None:
        raise source.error(
            ("rate",), "users and rate exclude each other", "keep users or rate, not both"
        )
    if raw.users is not None:
        return users_of(source, raw.users, most_ns)
    if raw.rate is not None:
        return rate_of(source, raw.rate, most_ns)
    raise source.error(
        (),
        "users or rate is missing",
        "write `users: 50`, or `rate: {per_second: 1000, connections: 50}`",
    )
