"""Arrivals, think time and stop rules as one word on a command line.

A file has a key for each part (`arrivals_file.py`, `stop_file.py`); here one text holds them all.
Each reader raises WrongValueError, which says what to write.
"""

import re
from collections.abc import Sequence

from loadstone.errors import WrongValueError
from loadstone.study.values.arrivals import (
    ConstantThink,
    ExponentialThink,
    Stage,
    Think,
    UniformThink,
    steady,
)
from loadstone.study.values.stop_rules import FailuresRule, MeanRule, P99Rule, StopRules
from loadstone.text.typed_units import duration_ns, duration_or_zero_ns, fraction, whole_seconds_ns

_LEVEL = r"[0-9]{1,9}(?:\.[0-9]{1,9})?"
_STAGE = re.compile(rf"(?:({_LEVEL})\.\.)?({_LEVEL})/(.+)")
_STOP = re.compile(r"(failures|mean|p99)>([^/]+)/(.+)")

_STAGES = "write TO/TIME or FROM..TO/TIME, such as 10..100/30s,100/1m; TIME 0s is a step"
_THINKS = "write 500ms, uniform:100ms..1s or exponential:500ms"
_STOPS = "write timeout, failed-check, failure, failures>50%/10s, mean>30s/60s or p99>1s/10s"


def stages_of(text: str, begin: float = 0.0) -> tuple[Stage, ...]:
    """`10..100/30s,100/1m`: from 10 to 100 in 30 s, then as many for 1 min.

    Without FROM a stage begins where the one before ended, the first at `begin`.
    """
    stages = list(steady(begin)) if begin else []
    level = begin
    for part in text.split(","):
        found = _STAGE.fullmatch(part.strip())
        if found is None:
            raise WrongValueError(f"{part.strip()!r} is not a stage", _STAGES)
        start, to, time = found.groups()
        if start is not None and float(start) != level:
            stages.append(Stage(to=float(start), over_ns=0))
        level = float(to)
        stages.append(Stage(to=level, over_ns=duration_or_zero_ns(time)))
    if not any(stage.to for stage in stages):
        raise WrongValueError(f"{text!r} never rises above 0", _STAGES)
    return tuple(stages)


def think_of(text: str) -> Think:
    """`500ms`, `uniform:100ms..1s`, `exponential:500ms`."""
    kind, colon, value = text.partition(":")
    if not colon:
        return ConstantThink(constant_ns=duration_ns(text))
    if kind == "exponential":
        return ExponentialThink(exponential_ns=duration_ns(value))
    shortest, dots, longest = value.partition("..")
    if kind != "uniform" or not dots:
        raise WrongValueError(f"{text!r} is not a think time", _THINKS)
    limits = duration_or_zero_ns(shortest), duration_ns(longest)
    if limits[0] >= limits[1]:
        raise WrongValueError(f"{text!r}: the first must be shorter than the second", _THINKS)
    return UniformThink(uniform_ns=limits)


def stop_rules_of(texts: Sequence[str]) -> StopRules:
    """One text for each rule."""
    rules: dict[str, object] = {}
    for text in texts:
        name, rule = _stop_rule(text)
        if name in rules:
            raise WrongValueError(f"{text!r} is a second rule of its kind", "keep one of the two")
        rules[name] = rule
    return StopRules.model_validate(rules)


def _stop_rule(text: str) -> tuple[str, object]:
    if text == "timeout":
        return "first_timeout", True
    if text == "failed-check":
        return "first_failed_check", True
    if text == "failure":
        return "first_failure", True
    found = _STOP.fullmatch(text)
    if found is None:
        raise WrongValueError(f"{text!r} is not a stop rule", _STOPS)
    kind, limit, time = found.groups()
    for_ns = whole_seconds_ns(time)
    if kind == "mean":
        return "mean_response_time", MeanRule(above_ns=duration_ns(limit), for_ns=for_ns)
    if kind == "p99":
        return "p99", P99Rule(above_ns=duration_ns(limit), for_ns=for_ns)
    share = fraction(limit)
    if share >= 1:
        raise WrongValueError(f"{text!r}: there are never more failures than 100%", _STOPS)
    return "failures", FailuresRule(above_share=share, for_ns=for_ns)
