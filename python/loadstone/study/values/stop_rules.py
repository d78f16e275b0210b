"""What ends a load before its time. The engine applies the rules; the record says which fired."""

from typing import Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.study.values.timing import whole_seconds_ns


class MeanRule(Frozen):
    """The mean response time stays above a limit."""

    above_ns: int = Field(gt=0)
    """The limit."""
    for_ns: int = Field(gt=0)
    """How long without a pause, whole seconds."""


class P99Rule(Frozen):
    """The 99th percentile of the response times of a while stays above a limit."""

    above_ns: int = Field(gt=0)
    """The limit."""
    for_ns: int = Field(gt=0)
    """How long the while is that is looked at each second, whole seconds."""


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
    p99: P99Rule | None = None
    """Its slowest became too slow."""
    failures: FailuresRule | None = None
    """It failed too often."""
    first_timeout: bool = False
    """A request timed out."""
    first_failed_check: bool = False
    """An answer had another status or body than expected."""
    first_failure: bool = False
    """A request did not end ok, whatever became of it."""
    holds_from: Literal["start", "window"] = "start"
    """From when on they hold: what comes in a warm-up stops nothing where it is the window."""

    @property
    def from_window(self) -> bool:
        """Whether what comes before the window stops nothing."""
        return self.holds_from == "window"

    def in_shorter_time(self, share: float) -> "StopRules":
        """The same rules of a load whose times are so much shorter; whole seconds stay whole."""
        changes: dict[str, Frozen] = {}
        if self.failures is not None:
            for_ns = whole_seconds_ns(self.failures.for_ns * share)
            changes["failures"] = self.failures.model_copy(update={"for_ns": for_ns})
        for name in ("mean_response_time", "p99"):
            rule: MeanRule | P99Rule | None = getattr(self, name)
            if rule is not None:
                shorter = {
                    "above_ns": max(1, round(rule.above_ns * share)),
                    "for_ns": whole_seconds_ns(rule.for_ns * share),
                }
                changes[name] = rule.model_copy(update=shorter)
        return self.model_copy(update=changes)
