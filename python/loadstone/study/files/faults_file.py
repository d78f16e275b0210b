"""Faults of a workload's file: what is done to the system while it is loaded, and when."""

import re
from collections.abc import Sequence
from typing import Annotated, get_args

from pydantic import AfterValidator, Field

from loadstone.errors import WrongValueError
from loadstone.study.files.raw import Name, Raw
from loadstone.study.files.yaml_file import YamlFile
from loadstone.study.values.faults import ENDING, LASTING, Fault, FaultKind
from loadstone.text import units
from loadstone.text.quoted import shortened
from loadstone.text.typed_units import Duration, DurationOrZero

MOST_FAULTS = 32
"""More than one can be told apart in a chart."""
FAULTS = "faults"

_PART = re.compile(r"[a-z0-9][a-z0-9-]{0,47}(\.[1-9][0-9]?)?")


def _is_part(text: str) -> str:
    if not _PART.fullmatch(text):
        raise WrongValueError(
            f"{shortened(text)!r} is not the name of a part",
            "write a service, a dependency, or a further instance such as users.2",
        )
    return text


Part = Annotated[str, AfterValidator(_is_part)]


class RawFault(Raw):
    """What is done to one part of the system while it is loaded: one of kill to stop."""

    at: DurationOrZero
    """When, since the window began."""
    kill: Part | None = None
    """A process of a service, which ends at once and for good: `users`, or `users.2`."""
    remove: Part | None = None
    """A process of a service, which is told to end, and is gone for good."""
    add: Name | None = None
    """A service that gets one more process."""
    freeze: Part | None = None
    """A process or a dependency, which does nothing for a while and keeps its connections open."""
    stop: Name | None = None
    """A dependency, which is ended in order and started again after a while."""
    for_: Duration | None = Field(default=None, alias="for")
    """How long it lasts. Only for freeze and stop, and needed there."""


Faults = Annotated[list[RawFault], Field(min_length=1, max_length=MOST_FAULTS)]


def faults_of(
    source: YamlFile, typed: Sequence[RawFault], window_ns: int | None
) -> tuple[Fault, ...]:
    """The faults of a load whose window is so long; none: it is found when the load is over.

    Raises InputError for those that no load can have.
    """
    if typed and window_ns is None:
        raise source.error(
            (FAULTS,),
            "count from a window that is found when the load is over, by `warm_up: detected`",
            "write warm_up as whole seconds, or `warm_up: steady` with a window",
        )
    found: list[Fault] = []
    for position, each in enumerate(typed):
        fault = _fault(source, position, each)
        if fault.end_ns > (window_ns or 0):
            raise source.error(
                (FAULTS, position),
                f"ends {units.duration(fault.end_ns)} after the window began, which lasts "
                f"{units.duration(window_ns or 0)}",
                "let it come or end earlier, or the load last longer",
            )
        if any(_overlaps(fault, other) for other in found):
            raise source.error(
                (FAULTS, position),
                f"finds {fault.part} in an earlier fault",
                "let it begin behind the end of that one",
            )
        found.append(fault)
    return tuple(sorted(found, key=lambda fault: fault.at_ns))


def _fault(source: YamlFile, position: int, typed: RawFault) -> Fault:
    kinds: tuple[FaultKind, ...] = get_args(FaultKind)
    named = [kind for kind in kinds if getattr(typed, kind) is not None]
    if len(named) != 1:
        raise source.error(
            (FAULTS, position),
            "must have one of kill, remove, add, freeze and stop",
            "write such as `{at: 10s, kill: users.2}`",
        )
    (kind,) = named
    if (kind in LASTING) != (typed.for_ is not None):
        raise source.error(
            (FAULTS, position),
            f"{kind} must say for how long" if kind in LASTING else f"{kind} does not end",
            "write such as `for: 5s`" if kind in LASTING else "take `for` out",
        )
    return Fault(fault=kind, part=getattr(typed, kind), at_ns=typed.at, for_ns=typed.for_)


def _overlaps(one: Fault, other: Fault) -> bool:
    """Whether both are about the same part at the same time; nothing is done to what is gone."""
    if one.part != other.part or "add" in (one.fault, other.fault):
        return False
    first, second = sorted((one, other), key=lambda fault: fault.at_ns)
    return first.fault in ENDING or second.at_ns <= first.end_ns
