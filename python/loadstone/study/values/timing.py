"""How long a load lasts, and which part of it is measured."""

from typing import NamedTuple

SECOND_NS = 10**9


class Course(NamedTuple):
    """How the users and rates of all groups change."""

    changes_ns: int
    """From when on they stay the same, since the load began."""
    is_steady: bool
    """Whether they are the same from the first moment on."""


class Timing(NamedTuple):
    """As a workload has it."""

    duration_ns: int
    warm_up_ns: int | None
    steady_within_ns: int | None


def whole_seconds_ns(time_ns: float) -> int:
    """The nearest whole seconds, at least one: records have intervals of one second."""
    return max(1, round(time_ns / SECOND_NS)) * SECOND_NS
