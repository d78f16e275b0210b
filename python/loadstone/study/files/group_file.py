"""A group of users as a workload's file types it, by itself or at the top of the file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from loadstone.study.files.arrivals_file import RawPause, RawRate, RawUsers, think_of
from loadstone.study.files.feed_file import RawAnyFeed, feed_of
from loadstone.study.files.let_file import lets_of
from loadstone.study.files.operation_file import TextReader
from loadstone.study.files.raw import Name, Raw, ValueName
from loadstone.study.files.seed_file import Seed
from loadstone.study.files.session_file import Parts, SessionReader, captured_in
from loadstone.study.files.step_file import RawSteps
from loadstone.study.files.stop_file import RawStop, stop_rules_of
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.templates.flow import Flow
from loadstone.study.templates.names import Captured, Names
from loadstone.study.templates.resolve import Resolver
from loadstone.study.values.arrivals import Rate, Users
from loadstone.study.values.expressions import Let
from loadstone.study.values.feeds import Feed
from loadstone.study.values.groups import Group
from loadstone.study.values.steps import sends_in
from loadstone.text.typed_units import Duration, DurationOrZero, Fraction

MOST_REQUESTS = 10_000
"""In a session's steps, as they are written: records number them by 16 bits."""


class RawGroupKeys(Raw):
    """What a group says, or what all groups say together."""

    users: RawUsers | None = None
    """Closed users, each with its own connection: how many, or stages. Either users or rate."""
    rate: RawRate | None = None
    """Open arrivals. Either users or rate."""
    start_after: DurationOrZero | None = None
    """When the first stage begins, since the load began. Default 0s."""
    leave: Literal["after_session", "after_request"] | None = None
    """When a user goes whom a stage has no place for: with its session done, or with its request.
    Default after_session."""
    think: RawPause | None = None
    """Pause of a user after each request, or of an arrived session between its requests: a duration,
    or a distribution. Default: none.
    """
    pace: Duration | None = None
    """Least time between the beginnings of a user's sessions. Default: none."""
    feed: dict[ValueName, RawAnyFeed] | None = None
    """Where values come from: name to a CSV file, or to a file or range with what is taken of it."""
    let: dict[ValueName, str] | None = None
    """Values that are fixed when a session begins: name to template."""
    cookies: bool | None = None
    """Whether a session keeps cookies and sends them. Default false."""
    once: RawSteps | None = None
    """What a user does before its first session; captures and cookies stay."""
    session: RawSteps | None = None
    """What one user does in turn, again and again."""
    stop: RawStop | None = None
    """What ends the load before `duration`; of a group, what of it alone ends the whole load."""


class RawEachGroup(RawGroupKeys):
    """Keys for every group that lacks them; let and feed are joined by name."""

    elsewhere_message: ClassVar = "belongs to one group"
    elsewhere: ClassVar = {
        "group": "write it in groups, a name for each",
        "share": "write it in groups, a part for each",
    }


class RawGroup(RawGroupKeys):
    """Who loads, and with what."""

    group: Name
    """Its name, in one word."""
    share: Fraction | None = None
    """Its part of users or rate at the top, a percentage. Default: all groups have equal parts."""


@dataclass(frozen=True)
class GroupKeys:
    """The keys of one group, its own before those of every group."""

    places: tuple[tuple[KeyPath, RawGroupKeys], ...]

    @property
    def at(self) -> KeyPath:
        """Where the group itself stands."""
        return self.places[0][0]

    def find(self, key: str) -> tuple[KeyPath, Any]:
        """Where a key stands, and its value; the group itself and none where it is not there."""
        for at, raw in self.places:
            if key in raw.model_fields_set:
                return (*at, key), getattr(raw, key)
        return self.at, None

    def value(self, key: str) -> Any:
        """The value of a key; none where it is not there."""
        return self.find(key)[1]

    def named(self, key: str) -> dict[str, tuple[KeyPath, Any]]:
        """The members of a key that is joined by name."""
        found: dict[str, tuple[KeyPath, Any]] = {}
        for at, raw in self.places:
            for name, typed in (getattr(raw, key) or {}).items():
                found.setdefault(name, ((*at, key, name), typed))
        return found


@dataclass(frozen=True)
class GroupContext:
    """What the groups of a workload share."""

    source: YamlFile
    seed: Seed | None
    no_seed: str
    """Why there is no seed."""
    parts: Parts
    is_only_group: bool


def group_of(
    context: GroupContext,
    name: str,
    keys: GroupKeys,
    arrivals: Users | Rate,
    *,
    has_stop: bool,
) -> Group:
    """The group of these keys. Raises InputError."""
    if isinstance(arrivals, Rate):
        _judge_rate(context.source, keys)
    names = Names(
        name,
        has_users=isinstance(arrivals, Users),
        seed=None if context.seed is None else context.seed.constants,
        no_seed=context.no_seed,
    )
    reader = SessionReader(context.source, names, context.parts, context.is_only_group)
    for let, (at, _) in keys.named("let").items():
        if taken := names.taken_by(let):
            raise context.source.error(at, taken, "give the let another name")
    names.lets.update(keys.named("let"))
    feeds = tuple(_feeds(context, keys, names))
    once_at, once = keys.find("once")
    at, session = keys.find("session")
    if session is None:
        raise context.source.error(
            at, "session is missing", "write the steps that one user performs"
        )
    captured = {*captured_in(once or (), context.parts), *captured_in(session, context.parts)}
    lets = tuple(_lets(context, keys, names, reader, captured))
    for each in captured - names.lets - names.feeds:
        names.values[each] = Captured()
    flow = Flow()
    before = reader.steps(once_at, once or (), flow)
    reader.once = frozenset(flow.sure | flow.maybe.keys())
    steps = reader.steps(at, session, flow)
    count = sum(1 for _ in sends_in((*before, *steps)))
    if count > MOST_REQUESTS:
        raise context.source.error(
            at,
            f"has {count} requests, {MOST_REQUESTS} at most",
            "repeat steps in place of writing them",
        )
    stop = keys.find("stop")
    think = keys.find("think")
    return Group(
        group=name,
        arrivals=arrivals,
        start_ns=keys.value("start_after") or 0,
        leave=keys.value("leave") or "after_session",
        think=think_of(context.source, *think),
        pace_ns=keys.value("pace"),
        cookies=bool(keys.value("cookies")),
        feeds=feeds,
        lets=lets,
        once=before,
        session=steps,
        stop=stop_rules_of(context.source, stop[0], stop[1] if has_stop and stop[1] else RawStop()),
    )


def _judge_rate(source: YamlFile, keys: GroupKeys) -> None:
    """Refuse what only users do. Raises InputError."""
    for key, message, remedy in (
        ("leave", "nobody leaves a rate", "take it out, or write users"),
        ("pace", "a rate paces its sessions", "take it out, or write users"),
        ("once", "an arrived session has no past", "put its steps into session, or write users"),
    ):
        at, typed = keys.find(key)
        if typed is not None:
            raise source.error(at, message, remedy)


def _feeds(context: GroupContext, keys: GroupKeys, names: Names) -> Iterator[Feed]:
    for name, (at, typed) in keys.named("feed").items():
        if taken := names.taken_by(name):
            raise context.source.error(at, taken, "give the feed another name")
        feed, known = feed_of(context.source, at, name, typed, context.seed, names)
        names.feeds.add(name)
        names.values.update(known)
        yield feed


def _lets(
    context: GroupContext, keys: GroupKeys, names: Names, reader: SessionReader, captured: set[str]
) -> Iterator[Let]:
    lets = keys.named("let")
    readers = {
        name: TextReader(context.source, Resolver(names, _unasked), reader.told(at))
        for name, (at, _) in lets.items()
    }
    return lets_of(readers, lets, names, captured)


def _unasked(name: str) -> None:
    """Of lets no capture is asked for: those that name one are refused before."""
    raise AssertionError(name)
