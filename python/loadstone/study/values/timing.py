"""How long a load lasts, and which part of it is measured."""

from typing import NamedTuple


class Timing(NamedTuple):
    """As a workload has it."""

    duration_ns: int
    warm_up_ns: int | None
    steady_within_ns: int | None
