"""What ends a load before its time. The engine applies the rules; the record says which fired."""

from pydantic import Field

from loadstone.frozen import Frozen


class MeanRule(Frozen):
    """The mean response time stays above a limit."""

    above_ns: int = Field(gt=0)
    """The limit."""
    for_ns: int = Field(gt=0)
    """How long without a pause, whole seconds."""


class FailuresRule(Frozen):
    """The share of requests that did not end ok stays above a limit."""

    above_share: float = Field(gt=0, lt=1)
    """The limit."""
    for_ns: int = Field(gt=0)
    """How long without a pause, whole seconds."""


class StopRules(Frozen):
    """What ends a load before its time."""

    mean_response_time: MeanRule | None = None
    """It became too slow."""
    failures: FailuresRule | None = None
    """It failed too often."""
    first_timeout: bool = False
    """A request timed out."""
    first_failed_check: bool = False
    """An answer had another status or body than expected."""
