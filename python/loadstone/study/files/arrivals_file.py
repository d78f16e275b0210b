"""Arrivals and think time as a workload's file types them: a number, or stages one after another.

What holds for one value alone is judged by its shape; what several keys mean together, here.
"""

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from loadstone.study.files.raw import Raw
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.arrivals import (
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
from loadstone.text.typed_units import Duration, DurationOrZero

MOST_CONNECTIONS = 65_535
"""One target address has no more ports on the other side to connect from."""
MOST_SESSIONS_PER_SECOND = 1_000_000
"""Beyond what one machine sends; it bounds what a slip of the keyboard can ask for."""

STAGE_EXAMPLE = "write {to: 20, over: 10s}, {hold: 2m}, or {to: 100, over: 0s} for a step"


def _form(typed: Any) -> str:
    return "as a mapping" if isinstance(typed, dict) else "as a value"


class RawStage(Raw):
    """Users or a rate go in a straight line from where they are, or stay there."""

    to: Annotated[float, Field(ge=0, le=MOST_SESSIONS_PER_SECOND)] | None = None
    """Where they go: users, or sessions started a second. The first stage begins at 0."""
    over: DurationOrZero | None = None
    """How long that takes. 0s is a step."""
    hold: Duration | None = None
    """How long they stay as they are; instead of to and over."""


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


def users_of(source: YamlFile, raw: "int | RawStages", duration_ns: int) -> Users:
    """The users that were typed under `users`. Raises InputError."""
    if isinstance(raw, int):
        return Users(stages=steady(raw))
    at = ("users", "stages")
    for position, stage in enumerate(raw.stages):
        if stage.to is not None and not (stage.to.is_integer() and stage.to <= MOST_CONNECTIONS):
            raise source.error(
                (*at, position, "to"),
                f"must be a whole number of users up to {MOST_CONNECTIONS}, not {shown(stage.to)}",
                "write a whole number",
            )
    return Users(stages=_stages(source, at, raw.stages, duration_ns))


def rate_of(source: YamlFile, raw: RawRate, duration_ns: int) -> Rate:
    """The rate that was typed under `rate`. Raises InputError."""
    if (raw.per_second is None) == (raw.stages is None):
        raise source.error(
            ("rate",), "has either per_second or stages", "write per_second: 1000, or stages"
        )
    stages = (
        steady(raw.per_second)
        if raw.per_second is not None
        else _stages(source, ("rate", "stages"), raw.stages or [], duration_ns)
    )
    return Rate(stages=stages, connections=raw.connections, poisson=raw.poisson)


def think_of(source: YamlFile, raw: "int | RawThink | None") -> Think | None:
    """The pause that was typed under `think`. Raises InputError."""
    if raw is None:
        return None
    if isinstance(raw, int):
        return ConstantThink(constant_ns=raw)
    if len(raw.model_fields_set) != 1:
        raise source.error(
            ("think",),
            "has exactly one of constant, uniform and exponential",
            "write think: 500ms, {uniform: [100ms, 1s]} or {exponential: 500ms}",
        )
    if raw.uniform is not None:
        shortest_ns, longest_ns = raw.uniform
        if shortest_ns >= longest_ns:
            raise source.error(
                ("think", "uniform"),
                "the first must be shorter than the second",
                "write the shortest pause, then the longest",
            )
        return UniformThink(uniform_ns=(shortest_ns, longest_ns))
    if raw.exponential is not None:
        return ExponentialThink(exponential_ns=raw.exponential)
    return ConstantThink(constant_ns=raw.constant or 0)


def _stages(
    source: YamlFile, at: KeyPath, typed: list[RawStage], duration_ns: int
) -> tuple[Stage, ...]:
    stages: list[Stage] = []
    for position, stage in enumerate(typed):
        if stage.model_fields_set not in ({"to", "over"}, {"hold"}):
            raise source.error(
                (*at, position), "has either to and over, or hold alone", STAGE_EXAMPLE
            )
        if stage.hold is None:
            stages.append(Stage(to=stage.to or 0, over_ns=stage.over or 0))
        elif not stages:
            raise source.error(
                (*at, position, "hold"),
                "there is nothing to hold yet: the first stage begins at 0",
                "begin with a step: {to: 20, over: 0s}",
            )
        else:
            stages.append(Stage(to=stages[-1].to, over_ns=stage.hold))
    if not any(stage.to for stage in stages):
        raise source.error(at, "never rise above 0", STAGE_EXAMPLE)
    if sum(stage.over_ns for stage in stages) > duration_ns:
        raise source.error(
            at, "last longer than duration: the rest would never be", "lengthen the duration"
        )
    return tuple(stages)
