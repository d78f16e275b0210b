"""Arrivals and think time as a workload's file types them: a number, or stages one after another.

What holds for one value alone is judged by its shape; what several keys mean together, here.
"""

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from loadstone.study.files.raw import Raw
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.arrivals import (
    DEFAULT_SESSIONS,
    ConstantThink,
    ExponentialThink,
    Rate,
    Stage,
    Think,
    UniformThink,
    Users,
    steady,
)
from loadstone.text.quoted import shown
from loadstone.text.typed_units import Duration, DurationOrZero, Fraction

MOST_CONNECTIONS = 65_535
"""One target address has no more ports on the other side to connect from."""
MOST_SESSIONS_PER_SECOND = 1_000_000
"""Beyond what one machine sends; it bounds what a slip of the keyboard can ask for."""

MOST_SESSIONS = 1_000_000
"""As many requests as the engine has in flight at most."""
MOST_TIMES = 1000
"""Of one stage."""

STAGE_EXAMPLE = "write {to: 20, over: 10s}, {hold: 2m}, or {to: 100, over: 0s} for a step"


def _form(typed: Any) -> str:
    return "as a mapping" if isinstance(typed, dict) else "as a value"


RawUp = Annotated[
    Annotated[float, Field(gt=0, le=MOST_SESSIONS_PER_SECOND), Tag("as a number")]
    | Annotated[Fraction, Tag("as a share")],
    Discriminator(lambda typed: "as a share" if isinstance(typed, str) else "as a number"),
]


class RawStage(Raw):
    """Users or a rate go in a straight line from where they are, or stay there; or both, again and
    again."""

    to: Annotated[float, Field(ge=0, le=MOST_SESSIONS_PER_SECOND)] | None = None
    """Where they go: users, or sessions started a second. The first stage begins at 0."""
    over: DurationOrZero | None = None
    """How long that takes. 0s is a step."""
    up: RawUp | None = None
    """How many more there are than before, or `10%` more; instead of to."""
    hold: Duration | None = None
    """How long they stay as they are; instead of to and over, or behind up and over."""
    times: Annotated[int, Field(ge=1, le=MOST_TIMES)] | None = None
    """How often they go up, each time from where they are. Default 1."""


class RawStages(Raw):
    """A number that changes."""

    stages: Annotated[list[RawStage], Field(min_length=1)]
    """One after another; after the last, its end stays."""


class RawRate(Raw):
    """Sessions started at planned times, over a shared pool of connections."""

    per_second: Annotated[float, Field(gt=0, le=MOST_SESSIONS_PER_SECOND)] | None = None
    """Sessions started a second. Either per_second or stages."""
    stages: Annotated[list[RawStage], Field(min_length=1)] | None = None
    """Sessions started a second, one stage after another. Either per_second or stages."""
    connections: Annotated[int, Field(ge=1, le=MOST_CONNECTIONS)]
    """Most connections that the sessions share."""
    poisson: bool = False
    """Whether sessions start independently of each other; else at even distances. Default false."""
    sessions: Annotated[int, Field(ge=1, le=MOST_SESSIONS)] = DEFAULT_SESSIONS
    """Most sessions that are open at once; one more is not sent. Default 100000."""
    own_connections: bool = False
    """Whether each session has a connection of its own, `connections` at most; else the requests of all
    share them. Default false."""


class RawThink(Raw):
    """A pause of one of three distributions."""

    constant: Duration | None = None
    """Always as long."""
    uniform: Annotated[list[DurationOrZero], Field(min_length=2, max_length=2)] | None = None
    """The shortest and the longest; each between them is as likely."""
    exponential: Duration | None = None
    """The mean of an exponential distribution."""


RawUsers = Annotated[
    Annotated[int, Field(ge=1, le=MOST_CONNECTIONS), Tag("as a value")]
    | Annotated[RawStages, Tag("as a mapping")],
    Discriminator(_form),
]
RawPause = Annotated[
    Annotated[Duration, Tag("as a value")] | Annotated[RawThink, Tag("as a mapping")],
    Discriminator(_form),
]


def users_of(source: YamlFile, at: KeyPath, raw: "int | RawStages", room_ns: int) -> Users:
    """The users that were typed at `at`, whose stages have so long. Raises InputError."""
    if isinstance(raw, int):
        return Users(stages=steady(raw))
    at = (*at, "stages")
    for position, stage in enumerate(raw.stages):
        if stage.to is not None:
            _judge_users(source, (*at, position, "to"), stage.to)
        if isinstance(stage.up, float) and not _is_share(source, (*at, position, "up")):
            _judge_users(source, (*at, position, "up"), stage.up)
    stages = _stages(source, at, raw.stages, room_ns, whole=True)
    if max(stage.to for stage in stages) > MOST_CONNECTIONS:
        raise source.error(at, f"rise above {MOST_CONNECTIONS} users", "rise less, or less often")
    return Users(stages=stages)


def _judge_users(source: YamlFile, at: KeyPath, typed: float) -> None:
    if not (typed.is_integer() and typed <= MOST_CONNECTIONS):
        raise source.error(
            at,
            f"must be a whole number of users up to {MOST_CONNECTIONS}, not {shown(typed)}",
            "write a whole number",
        )


def rate_of(source: YamlFile, at: KeyPath, raw: RawRate, room_ns: int) -> Rate:
    """The rate that was typed at `at`, whose stages have so long. Raises InputError."""
    if (raw.per_second is None) == (raw.stages is None):
        raise source.error(
            at, "has either per_second or stages", "write per_second: 1000, or stages"
        )
    if raw.sessions < raw.connections:
        raise source.error(
            (*at, "sessions"),
            "must not be less than connections",
            f"write {raw.connections} or more, or leave it out",
        )
    stages = (
        steady(raw.per_second)
        if raw.per_second is not None
        else _stages(source, (*at, "stages"), raw.stages or [], room_ns, whole=False)
    )
    return Rate(
        stages=stages,
        connections=raw.connections,
        poisson=raw.poisson,
        sessions=raw.sessions,
        own_connections=raw.own_connections,
    )


def think_of(source: YamlFile, at: KeyPath, raw: "int | RawThink | None") -> Think | None:
    """The pause that was typed at `at`. Raises InputError."""
    if raw is None:
        return None
    if isinstance(raw, int):
        return ConstantThink(constant_ns=raw)
    if len(raw.model_fields_set) != 1:
        raise source.error(
            at,
            "has exactly one of constant, uniform and exponential",
            "write think: 500ms, {uniform: [100ms, 1s]} or {exponential: 500ms}",
        )
    if raw.uniform is not None:
        shortest_ns, longest_ns = raw.uniform
        if shortest_ns >= longest_ns:
            raise source.error(
                (*at, "uniform"),
                "the first must be shorter than the second",
                "write the shortest pause, then the longest",
            )
        return UniformThink(uniform_ns=(shortest_ns, longest_ns))
    if raw.exponential is not None:
        return ExponentialThink(exponential_ns=raw.exponential)
    return ConstantThink(constant_ns=raw.constant or 0)


def _stages(
    source: YamlFile, at: KeyPath, typed: list[RawStage], room_ns: int, *, whole: bool
) -> tuple[Stage, ...]:
    stages: list[Stage] = []
    for position, stage in enumerate(typed):
        keys = stage.model_fields_set
        here = (*at, position)
        if keys not in ({"to", "over"}, {"hold"}) and not _goes_up(keys):
            raise source.error(
                here, "has either to and over, or up and over, or hold alone", STAGE_EXAMPLE
            )
        level = stages[-1].to if stages else 0.0
        if stage.up is not None:
            stages += _steps_up(source, here, stage, level, whole=whole)
        elif stage.hold is None:
            stages.append(Stage(to=stage.to or 0, over_ns=stage.over or 0))
        elif not stages:
            raise source.error(
                (*here, "hold"),
                "there is nothing to hold yet: the first stage begins at 0",
                "begin with a step: {to: 20, over: 0s}",
            )
        else:
            stages.append(Stage(to=level, over_ns=stage.hold))
    if not any(stage.to for stage in stages):
        raise source.error(at, "never rise above 0", STAGE_EXAMPLE)
    if sum(stage.over_ns for stage in stages) > room_ns:
        raise source.error(
            at, "last longer than duration: the rest would never be", "lengthen the duration"
        )
    return tuple(stages)


def _goes_up(keys: set[str]) -> bool:
    return {"up", "over"} <= keys <= {"up", "over", "hold", "times"}


def _steps_up(
    source: YamlFile, at: KeyPath, stage: RawStage, level: float, *, whole: bool
) -> Iterator[Stage]:
    """So many more than before, and stay, so often."""
    up = stage.up or 0.0
    is_share = _is_share(source, (*at, "up"))
    if is_share and not level:
        raise source.error(
            (*at, "up"),
            "there is nothing yet to be more than: the first stage begins at 0",
            "begin with a number: {to: 20, over: 0s}",
        )
    for _ in range(stage.times or 1):
        more = level * up if is_share else up
        level += max(1, round(more)) if whole else more
        yield Stage(to=level, over_ns=stage.over or 0)
        if stage.hold:
            yield Stage(to=level, over_ns=stage.hold)


def _is_share(source: YamlFile, at: KeyPath) -> bool:
    """Whether a percentage was typed there: both are numbers once they are read."""
    return isinstance(source.at(at), str)
