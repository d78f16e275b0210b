"""The file of a simulation: behaviours by arm, with one for every arm that is not named."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from loadstone.metrics.outcomes import LimitCause
from loadstone.simulate.behaviour import Behaviour
from loadstone.study.files.raw import Raw, Text, parse
from loadstone.study.files.yaml_file import YamlFile, read_yaml
from loadstone.text.typed_units import Duration, DurationOrZero, Fraction, Size, WholeSeconds

DEFAULT = "default"
"""Stands for every arm that the file does not name."""

Spread = Annotated[float, Field(ge=0, le=3)]
"""Beyond 3 one time in a thousand is ten thousand times the median."""
Number = Annotated[float, Field(ge=0, le=1e9)]
Blocks = list[Annotated[int, Field(ge=1)]]


class RawBehaviour(Raw):
    """How one arm behaves. A key that is left out is as a healthy service has it."""

    median: Duration | None = None
    """Of the service time. Default 20ms."""
    spread: Spread | None = None
    """Standard deviation of its logarithm, within a run. Default 0.3."""
    run_spread: Spread | None = None
    """The same of the runs' medians. Default 0.01."""
    failing_share: Fraction | None = None
    """Of the requests that come back with a wrong status. Default: none."""
    missing_values: Fraction | None = None
    """Of the answers from which a value is captured, that have none. Default: none."""
    ending: Fraction | None = None
    """Of the answers whose status may end their session, that do. Default: none."""
    fails_after: Duration | None = None
    """From when on every answer has a wrong status. Default: never."""
    failing_blocks: Blocks | None = None
    """Blocks in which the service does not start."""
    engine_failing_blocks: Blocks | None = None
    """Blocks in which the engine fails in the load."""
    hung_users: Annotated[int, Field(ge=0)] | None = None
    """Closed users whose first request is neither answered nor ever given up. Default 0."""
    lag: DurationOrZero | None = None
    """By which the engine writes each request too late. Default 0.05ms."""
    wait: DurationOrZero | None = None
    """That each request waits for a free connection. Default 0s."""
    still: DurationOrZero | None = None
    """For how long the service stands still. Default 0s."""
    still_every: Duration | None = None
    """How often that is. Default 10s."""
    warm_up: WholeSeconds | None = None
    """How long a warm-up until steady lasts. Default 12s."""
    late_step: Fraction | None = None
    """By which CPU time for each ok request falls behind the window. Default: none."""
    late_step_after: WholeSeconds | None = None
    """How long behind it that is. Default 30s."""
    steady_by: Literal["idle", "level", "no-sign"] | None = None
    """Why it ends then. Default idle."""
    startup: Duration | None = None
    """Until the first correct response. Default 50ms."""
    claimed: Duration | None = None
    """What its log says of it. Default: nothing."""
    cpu_per_ok: DurationOrZero | None = None
    """CPU time of each service for each ok request. Default 0.1ms."""
    dependency_cpu_per_ok: DurationOrZero | None = None
    """The same of each dependency, and of each service with the role bench. Default 0.02ms."""
    statements: Number | None = None
    """That each ok request has a database perform. Default 1."""
    rows_read: Number | None = None
    """That those statements read. Default 6."""
    other_commands: Number | None = None
    """What a database is asked beside them for each ok request. Default 0."""
    rss: Size | None = None
    """Resident memory of each service. Default 64M."""
    worker_cpu_share: Fraction | None = None
    """Share of the load in which the engine computes. Default 30%."""
    steal_share: Fraction | None = None
    """Share of the load in which the hypervisor keeps the engine's CPU. Default: none."""
    limits: dict[str, Annotated[int, Field(ge=0)]] | None = None
    """By what the engine is the limit, and in which second, from 0."""
    stall: DurationOrZero | None = None
    """The engine's longest stall in each second. Default 1ms."""
    broken_clauses: list[Text] | None = None
    """What the sampled responses do not keep of the contract."""


def _as(name: str, divisor: float) -> tuple[str, Callable[[Any], Any]]:
    return name, lambda typed: typed / divisor


_MEANT: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    **{
        key: _as(f"{key}_ms", 1e6)
        for key in ("median", "fails_after", "lag", "wait", "still", "startup", "claimed", "stall")
    },
    "still_every": _as("still_every_s", 1e9),
    "warm_up": _as("warm_up_s", 1e9),
    "late_step": _as("late_step_share", 1),
    "late_step_after": _as("late_step_after_s", 1e9),
    "missing_values": _as("missing_value_share", 1),
    "ending": _as("ending_share", 1),
    "cpu_per_ok": _as("cpu_per_ok_us", 1e3),
    "dependency_cpu_per_ok": _as("dependency_cpu_us", 1e3),
    "statements": _as("statements_per_ok", 1),
    "rows_read": _as("rows_per_ok", 1),
    "other_commands": _as("other_commands_per_ok", 1),
    "rss": _as("rss_mib", 2**20),
    "failing_blocks": ("failing_blocks", tuple),
    "engine_failing_blocks": ("engine_failing_blocks", tuple),
    "broken_clauses": ("broken_clauses", tuple),
}
"""Key to the field of a Behaviour and how it comes to its value; the others are as typed."""


def read_behaviours(path: Path, arms: Collection[str]) -> dict[str, Behaviour]:
    """Return the behaviour of every arm. Raises InputError, also for an arm that there is not."""
    source = read_yaml(path)
    names = dict.fromkeys((DEFAULT, *arms))
    fields: dict[str, Any] = {
        f"arm_{index}": (RawBehaviour, Field(default=RawBehaviour(), alias=name))
        for index, name in enumerate(names)
    }
    shape = create_model("RawSimulation", __base__=Raw, **fields)
    raw = parse(source, shape)
    typed = {name: getattr(raw, field) for field, name in zip(fields, names, strict=True)}
    return {
        arm: _behaviour_of(
            source, *((arm, typed[arm]) if arm in source.tree else (DEFAULT, typed[DEFAULT]))
        )
        for arm in arms
    }


def _behaviour_of(source: YamlFile, name: str, raw: RawBehaviour) -> Behaviour:
    meant: dict[str, Any] = {}
    for key in raw.model_fields_set:
        typed = getattr(raw, key)
        if key == "limits":
            meant[key] = tuple(
                (_cause(source, name, each), second) for each, second in typed.items()
            )
        else:
            field, meaning = _MEANT.get(key, (key, lambda value: value))
            meant[field] = meaning(typed)
    return Behaviour(**meant)


def _cause(source: YamlFile, name: str, typed: str) -> LimitCause:
    try:
        return LimitCause(typed)
    except ValueError:
        raise source.error(
            (name, "limits", typed),
            "is nothing that limits the engine",
            f"write one of: {', '.join(LimitCause)}",
        ) from None
