"""Stop rules as a workload's file types them."""

from typing import Literal

from pydantic import Field

from loadstone.study.files.raw import Raw
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.stop_rules import FailuresRule, MeanRule, P99Rule, StopRules
from loadstone.text.typed_units import Duration, Fraction, WholeSeconds


class RawMeanRule(Raw):
    """The mean response time stays above a limit."""

    above: Duration
    """The limit."""
    for_: WholeSeconds = Field(alias="for")
    """How long without a pause, whole seconds."""


class RawP99Rule(Raw):
    """The 99th percentile of the response times of a while is above a limit."""

    above: Duration
    """The limit."""
    for_: WholeSeconds = Field(alias="for")
    """How long the while is, whole seconds up to now."""


class RawFailuresRule(Raw):
    """The share of requests that do not end ok stays above a limit."""

    above: Fraction
    """The limit, less than 100%."""
    for_: WholeSeconds = Field(alias="for")
    """How long without a pause, whole seconds."""


class RawStop(Raw):
    """What ends the load before its duration. The record says which rule it was, and when."""

    mean_response_time: RawMeanRule | None = None
    """Answers became too slow."""
    p99: RawP99Rule | None = None
    """The slowest answers became too slow."""
    failures: RawFailuresRule | None = None
    """Too many requests failed."""
    first_timeout: bool = False
    """A request timed out. Default false."""
    first_failed_check: bool = False
    """An answer had another status or body than expected. Default false."""
    first_failure: bool = False
    """A request had any outcome but ok. Default false."""
    from_: Literal["start", "window"] = Field(default="start", alias="from")
    """`window`: the rules hold from the begin of the window on, so that what comes in the warm-up stops
    nothing. Default: from the start of the load on."""


def stop_rules_of(source: YamlFile, at: KeyPath, raw: RawStop) -> StopRules:
    """The rules that were typed at `at`. Raises InputError."""
    mean, p99, failures = raw.mean_response_time, raw.p99, raw.failures
    if failures is not None and failures.above >= 1:
        raise source.error(
            (*at, "failures", "above"),
            "there are never more failures than 100%",
            "write less, such as 50%",
        )
    rules = StopRules(
        mean_response_time=mean and MeanRule(above_ns=mean.above, for_ns=mean.for_),
        p99=p99 and P99Rule(above_ns=p99.above, for_ns=p99.for_),
        failures=failures and FailuresRule(above_share=failures.above, for_ns=failures.for_),
        first_timeout=raw.first_timeout,
        first_failed_check=raw.first_failed_check,
        first_failure=raw.first_failure,
    )
    if raw.from_ == "start":
        return rules
    if rules == StopRules():
        raise source.error(
            (*at, "from"), "says from when on, and there is no rule", "write a rule, or take it out"
        )
    return rules.model_copy(update={"holds_from": raw.from_})
