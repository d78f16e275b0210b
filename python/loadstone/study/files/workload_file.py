"""A workload's file: who loads, with what, for how long, and what ends it before."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Discriminator, Field, RootModel, Tag

from loadstone.study.files.arrivals_file import MOST_CONNECTIONS
from loadstone.study.files.faults_file import FAULTS, Faults, faults_of
from loadstone.study.files.first_file import RawFirstRequests, first_of
from loadstone.study.files.group_file import (
    GroupContext,
    GroupKeys,
    RawEachGroup,
    RawGroup,
    RawGroupKeys,
    group_of,
)
from loadstone.study.files.like_file import with_like
from loadstone.study.files.raw import Name, judge_own_name, parse
from loadstone.study.files.rows_file import judge_rows
from loadstone.study.files.seed_file import seed_of, sizes_of
from loadstone.study.files.session_file import EACH_GROUP
from loadstone.study.files.share_file import EXAMPLE, arrivals_of, own_arrivals
from loadstone.study.files.startup_file import RawStartup, startup_of
from loadstone.study.files.step_file import RawSteps
from loadstone.study.files.stop_file import RawStop, stop_rules_of
from loadstone.study.files.timing_file import RawTiming, RawWarmed, longest_ns, timing_of
from loadstone.study.files.warmed_file import judge_warmed
from loadstone.study.files.yaml_file import KeyPath, YamlFile, read_yaml
from loadstone.study.templates.names import NO_SEED
from loadstone.study.values.groups import Group
from loadstone.study.values.model import AnyWorkload, Workload
from loadstone.study.values.stop_rules import StopRules
from loadstone.study.values.timing import Course
from loadstone.text.quoted import suggestion
from loadstone.text.typed_units import Duration, DurationOrZero

MOST_STREAMS = 1_000
"""Servers allow 100 to 250 by default (RFC 9113, section 6.5.2, recommends at least 100)."""
MOST_IN_FLIGHT = 1_000_000
"""As the engine bounds them."""
MOST_REDIRECTS = 20
"""As the Fetch standard bounds them."""
MOST_CELLS = 32
"""One-second intervals of more operations and statuses would make the records too large."""
MOST_GROUPS = 32
"""Each has a cell at least."""

SECOND_NS = 10**9
DEFAULT_CONNECT_TIMEOUT_NS = 10 * SECOND_NS
DEFAULT_TIMEOUT_NS = 30 * SECOND_NS
"""Both as in the published gateway benchmarks, and as the default of `loadstone bench`."""
DEFAULT_GRACE_NS = 5 * SECOND_NS
"""Enough for what is in flight; what takes longer is counted as unanswered."""
DEFAULT_REST_NS = 5 * SECOND_NS
"""As in the published scripts that take a service's memory at rest."""

_BESIDE_GROUPS = ("users", "rate", "stop")
"""Keys of a group that may stand at the top beside groups."""


class RawWorkload(RawTiming, RawGroupKeys):
    """A workload: groups of closed users or arrivals, each of which repeats its session."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [{"required": ["kind"]}, {"required": ["like"]}],
            "not": {"required": ["users", "rate"]},
        }
    )

    workload: Name
    """Its name: the file's name without `.yaml`."""
    like: Name | None = None
    """Another workload of the system, whose keys hold where this file has none: those of each_group one
    by one, and how sessions begin (users, rate, share, start_after, pace, leave) as a whole."""
    kind: Literal["load", "footprint"] | None = None
    """`load`: requests over a time. `footprint`: memory at named marks before, in and after them."""
    rest: DurationOrZero | None = None
    """Only for a footprint: how long a service rests before its first mark, and after the load before
    its last. Default 5s.
    """
    first: RawFirstRequests | None = None
    """Only for a footprint: the requests that a service gets before the load, in turn, each once. The
    data that they leave is what the load finds. Default: five of the session."""
    seed: Name | None = None
    """Size of the system's seed that `seed.X` and files of feeds are of. Default: the only one."""
    group: Name | None = None
    """Who loads, in one word, where there is one group: its keys then stand beside it."""
    groups: Annotated[list[RawGroup], Field(min_length=1, max_length=MOST_GROUPS)] | None = None
    """Who loads. Either group or groups. Users or a rate at the top are dealt among them by share."""
    each_group: RawEachGroup | None = None
    """Keys for every group that lacks them."""
    parts: dict[Name, RawSteps] | None = None
    """Steps that groups share, by name; put in by `part: NAME`."""
    purpose: Name | None = None
    """The operation that sessions are for: what each success of it costs is told. Default: none is."""
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
    warmed: RawWarmed | None = None
    """Only for closed users who pause: before the load they ask without pauses, 32 of a group at most
    and over other connections, until the service is steady. Nothing of that is measured, and data are
    reset behind it. Default: the load is the first that the service sees."""
    connect_timeout: Duration = DEFAULT_CONNECT_TIMEOUT_NS
    """Longest time to connect. Default 10s."""
    timeout: Duration = DEFAULT_TIMEOUT_NS
    """Longest time from a request to the end of its answer. Default 30s."""
    grace: DurationOrZero = DEFAULT_GRACE_NS
    """How long requests in flight are waited for after `duration`. Default 5s."""
    faults: Faults | None = None
    """What is done to the system while it is loaded, and when. Default: nothing."""


def _kind(typed: Any) -> str:
    is_startup = isinstance(typed, dict) and typed.get("kind") == "startup"
    return "as starts" if is_startup else "as a load"


class RawAnyWorkload(
    RootModel[
        Annotated[
            Annotated[RawWorkload, Tag("as a load")] | Annotated[RawStartup, Tag("as starts")],
            Discriminator(_kind),
        ]
    ]
):
    """A workload of any kind."""


def read_workload(path: Path) -> AnyWorkload:
    """Read a workload. Raises InputError."""
    source = read_yaml(path)
    if source.tree.get("kind") == "startup":
        starts = parse(source, RawStartup)
        judge_own_name(source, "workload", "file")
        return startup_of(starts)
    source = with_like(source)
    raw = parse(source, RawWorkload)
    judge_own_name(source, "workload", "file")
    return _load_of(source, raw)


def _load_of(source: YamlFile, raw: RawWorkload) -> Workload:
    if raw.kind is None:
        raise source.error(("kind",), "is missing", "write kind: load")
    for key in ("rest", "first"):
        if getattr(raw, key) is not None and raw.kind != "footprint":
            raise source.error(
                (key,), "is only for a footprint", "take it out, or write kind: footprint"
            )
    if raw.window is not None and raw.kind == "footprint":
        raise source.error(
            ("window",),
            "cannot follow a load whose memory is marked at times that are set",
            "write duration, and a warm_up of whole seconds",
        )
    if raw.faults is not None and raw.kind == "footprint":
        raise source.error(
            (FAULTS,), "is only for a load", "take it out: a footprint is of one system at rest"
        )
    if raw.new_connections and raw.streams > 1:
        raise source.error(
            ("streams",),
            "a connection for each request carries only one",
            "take streams or new_connections out",
        )
    most_ns = longest_ns(source, raw)
    groups = _groups(source, raw, most_ns)
    timing = timing_of(
        source,
        raw,
        Course(max(group.changes_ns for group in groups), all(group.is_steady for group in groups)),
    )
    workload = Workload(
        workload=raw.workload,
        kind=raw.kind,
        rest_ns=_rest_ns(raw),
        first=first_of(source, ("first",), raw.first or ()),
        groups=groups,
        is_flat=raw.groups is None,
        streams=raw.streams,
        new_connections=raw.new_connections,
        redirects=raw.redirects,
        **timing._asdict(),
        warmed_within_ns=None if raw.warmed is None else raw.warmed.at_most,
        connect_timeout_ns=raw.connect_timeout,
        timeout_ns=raw.timeout,
        grace_ns=raw.grace,
        stop=stop_rules_of(source, ("stop",), raw.stop or RawStop()),
        purpose=raw.purpose,
    )
    _judge_purpose(source, workload)
    if raw.warmed is not None:
        judge_warmed(source, ("warmed",), workload)
    _judge_stops(source, workload)
    _judge_size(source, workload)
    judge_rows(source, workload, most_ns)
    faults = faults_of(source, raw.faults or (), workload.window_ns)
    return workload.model_copy(update={"faults": faults})


def _groups(source: YamlFile, raw: RawWorkload, most_ns: int) -> tuple[Group, ...]:
    _judge_places(source, raw)
    sizes = sizes_of(source.path.parent)
    context = GroupContext(
        source=source,
        seed=seed_of(source, raw.seed),
        no_seed=f"its seed has the sizes {', '.join(sizes)}" if sizes else NO_SEED,
        parts=raw.parts or {},
        is_only_group=raw.groups is None or len(raw.groups) == 1,
    )
    if raw.groups is None:
        if raw.group is None:
            raise source.error(
                (), "group or groups is missing", "write `group: users`, for example"
            )
        if raw.users is None and raw.rate is None:
            raise source.error((), "users or rate is missing", EXAMPLE)
        keys = GroupKeys((((), raw),))
        arrivals = own_arrivals(source, keys, most_ns)
        return (group_of(context, raw.group, keys, arrivals, has_stop=False),)
    shared = () if raw.each_group is None else (((EACH_GROUP,), raw.each_group),)
    found = [
        (each, GroupKeys(((("groups", position), each), *shared)))
        for position, each in enumerate(raw.groups)
    ]
    names = [each.group for each in raw.groups]
    for position, name in enumerate(names):
        if name in names[:position]:
            raise source.error(
                ("groups", position, "group"),
                f"{name} is the name of an earlier group",
                "give every group a name of its own",
            )
    all_arrivals = arrivals_of(source, raw, raw.each_group, found, most_ns)
    return tuple(
        group_of(context, each.group, keys, arrivals, has_stop=True)
        for (each, keys), arrivals in zip(found, all_arrivals, strict=True)
    )


def _judge_places(source: YamlFile, raw: RawWorkload) -> None:
    """Refuse keys of a group at the top beside groups, and what only groups have without them."""
    if raw.groups is None:
        if raw.each_group is not None:
            raise source.error(
                (EACH_GROUP,),
                "stands beside no groups",
                "write its keys at the top, or write groups",
            )
        return
    if raw.group is not None:
        raise source.error(("groups",), "stands beside group", "keep one of the two")
    for key in RawGroupKeys.model_fields:
        if key in raw.model_fields_set and key not in _BESIDE_GROUPS:
            raise source.error(
                (key,), "stands beside groups", "write it into each_group, or into one of groups"
            )


def _judge_purpose(source: YamlFile, workload: Workload) -> None:
    known = tuple(dict.fromkeys(operation.operation for operation in workload.session))
    if workload.purpose is not None and workload.purpose not in known:
        raise source.error(
            ("purpose",),
            f"{workload.purpose} is no operation of {workload.workload}",
            suggestion(workload.purpose, known),
        )


def _judge_stops(source: YamlFile, workload: Workload) -> None:
    """A window whose begin is found afterwards cannot be what rules wait for."""
    if workload.warm_up_ns is not None or workload.steady_within_ns is not None:
        return
    groups = () if workload.is_flat else enumerate(workload.groups)
    places: list[tuple[KeyPath, StopRules]] = [
        (("stop",), workload.stop),
        *((("groups", position, "stop"), group.stop) for position, group in groups),
    ]
    for at, rules in places:
        if rules.from_window:
            raise source.error(
                (*at, "from"),
                "waits for a window that is found when the load is over, by `warm_up: detected`",
                "write warm_up as whole seconds, or `warm_up: steady` with a window",
            )


def _judge_size(source: YamlFile, workload: Workload) -> None:
    connections = workload.connections
    if connections > MOST_CONNECTIONS:
        raise source.error(
            ("groups",),
            f"have {connections} connections together, {MOST_CONNECTIONS} at most",
            "take fewer users or connections",
        )
    if connections * workload.streams > MOST_IN_FLIGHT:
        raise source.error(
            ("streams",),
            f"with {connections:g} connections that is more than {MOST_IN_FLIGHT} requests in flight",
            "take fewer streams or connections",
        )
    cells = len(workload.cells)
    if cells > MOST_CELLS:
        raise source.error(
            ("session",) if workload.is_flat else ("groups",),
            f"has {cells} cells, {MOST_CELLS} at most",
            "split the workload, or expect fewer statuses: each operation has a cell, and each "
            "further status",
        )


def _rest_ns(raw: RawWorkload) -> int:
    if raw.kind != "footprint":
        return 0
    return DEFAULT_REST_NS if raw.rest is None else raw.rest
