"""Rule on closed users who pause most of the time: their number and their script set the throughput.

X = N / (R + Z), by Little's law. Where R is a small part of the cycle, two services that differ by half
their response time have the same throughput, and a comparison of it says that they are alike.
"""

from collections.abc import Iterator

from loadstone.audit.figures.user_cycle import Cycle, cycles
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.stats.comparison.verdict import USUAL_MARGIN
from loadstone.text import units

FASTER = 2.0
"""A service so many times as fast should be told by its throughput, if anything is."""


def pinned_throughput(run: WindowedRun) -> Iterator[Finding]:
    """Users, group by group, of whose time the service has so little that it hardly changes their
    throughput.
    """
    for seen in cycles(run):
        if seen.completed and seen.pause_ns:
            yield from _pinned(run, seen)


def _pinned(run: WindowedRun, seen: Cycle) -> Iterator[Finding]:
    gain = _gain(seen)
    if gain >= USUAL_MARGIN:
        return
    yield Finding(
        code="pinned-throughput",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=("throughput",),
        evidence=f"users{seen.whose} pause {units.share(1 - seen.response_share)} of the time "
        f"({units.duration(seen.pause_ns)} after each answer, for which they wait "
        f"{units.duration(seen.response_ns)}): a service {FASTER:g} times as fast would have "
        f"{units.share(gain)} more throughput (below {units.percent(USUAL_MARGIN)})",
        advice="compare response times; for the throughput of the service take the pause out, or add "
        "users until its CPU is full",
    )


def _gain(seen: Cycle) -> float:
    """By how much the throughput would grow: (R + Z) / (R / `FASTER` + Z) - 1."""
    return seen.mean_ns / (seen.response_ns / FASTER + seen.pause_ns) - 1
