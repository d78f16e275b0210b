"""Rule on a service that hardly computes while all of its users wait: they wait for something else.

One run shows that. What it is shows a second one with less in flight (`RunRecord.second_step`), by the
asymptotic bounds of closed systems (Denning & Buzen, ACM Computing Surveys 10(3), 1978): what is done
one at a time, or so many at a time, has a throughput of its own, whatever is in flight; a wait
that each request has for itself has a response time of its own.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from loadstone.audit import touched_metrics
from loadstone.audit.engine.saturation import is_to_saturate
from loadstone.audit.engine.unexplained_wait import IDLE_SHARE, Wait, unexplained_wait
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.second_step import SecondStep
from loadstone.results.window import WindowedRun
from loadstone.text import units
from loadstone.text.words import counted_users

CODE = "waits-not-on-cpu"

NEARER_SHARE = 0.25
"""Of the way from one bound to the other, on the scale of logarithms: what lies in the middle half is
some of both."""


class _Told(NamedTuple):
    severity: Severity
    what: str
    advice: str


_ONE_RUN = _Told(
    Severity.WARNING,
    "",
    "look for a lock, a pool of connections or threads, a sleep or a slow upstream: `loadstone bench` "
    "with four users or more, or as many streams, tells by a second step whether it is one at a time",
)
_IN_TURN = _Told(
    Severity.WARNING,
    "throughput stayed, so that requests are taken one at a time, or so many at a time",
    "look for a lock, a pool of connections or threads, or a single worker that waits: more users only "
    "wait longer",
)
_EACH_ITS_OWN = _Told(
    Severity.NOTE,
    "the response time stayed, so that each request waits for itself: a sleep, or a slow upstream",
    "read the throughput as that of so many users, and add users for what the service can do; see what "
    "it calls",
)
_BOTH = _Told(
    Severity.WARNING,
    "throughput and response time both fell, so that some of the wait is for others and some is not",
    "load it with more users and with fewer: look for a pool that some number of them fills",
)


def waits_not_on_cpu(run: WindowedRun) -> Iterator[Finding]:
    """Closed users who wait for a service that is idle, with nothing full that is watched."""
    wait = unexplained_wait(run) if is_to_saturate(run) else None
    if wait is None:
        return
    step = run.record.second_step
    told = _ONE_RUN if step is None else _judged(run, wait, step)
    yield Finding(
        code=CODE,
        severity=told.severity,
        subject=scope.run(run.record.run),
        metrics=("throughput", *touched_metrics.TIMES),
        evidence="; ".join((_one_run(run, wait), *_second(step, told))),
        advice=told.advice,
    )


def _one_run(run: WindowedRun, wait: Wait) -> str:
    return (
        f"{counted_users(run.load.users or 0, run.load.streams or 1)} waited "
        f"{units.duration(wait.seen.response_ns)} for each answer "
        f"while the service used {units.share(wait.cpu_share)} of its CPU time (at least "
        f"{units.percent(IDLE_SHARE)} if it is what they wait for), and nothing else that was "
        "watched was full: they wait for something that is not CPU"
    )


def _second(step: SecondStep | None, told: _Told) -> tuple[str, ...]:
    if step is None:
        return ()
    return (
        f"a second step of {step.length_ns / 1e9:g} s with "
        f"{counted_users(step.users, step.streams)}: "
        f"{units.rate(step.throughput_per_second)}, {units.duration(step.response_mean_ns)} for each "
        f"answer: {told.what}",
    )


def _judged(run: WindowedRun, wait: Wait, step: SecondStep) -> _Told:
    """By where the throughput lies between what it was and its share of what was in flight."""
    in_flight = (run.load.users or step.users) * (run.load.streams or 1)
    fewer = step.users * step.streams
    before = wait.seen.completed / wait.seen.length_ns * 1e9
    if not step.throughput_per_second or in_flight <= fewer:
        return _ONE_RUN
    way = math.log(before / step.throughput_per_second) / math.log(in_flight / fewer)
    if way <= NEARER_SHARE:
        return _IN_TURN
    return _EACH_ITS_OWN if way >= 1 - NEARER_SHARE else _BOTH
