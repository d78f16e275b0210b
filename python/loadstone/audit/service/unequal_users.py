"""Rule on users who are served several times slower than the others, or get far less.

In a closed loop such a user sends little, so that no quantile over requests shows it. Users of one
group are held against each other, since those of another do other work. Of a rate nothing is told: its
busy moments use connections that its quiet ones leave alone.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Clock
from loadstone.results.users import UserColumns
from loadstone.results.window import WindowedRun
from loadstone.stats.values.few_answers import few_answers
from loadstone.stats.values.quantile import quantile_over_offered, reached
from loadstone.stats.values.slow_members import FEWEST_MEMBERS, slow_members
from loadstone.text import units
from loadstone.text.words import counted

TIMES_MEDIAN = 2.0
"""What the median user's geometric mean is multiplied by at least: less comes of an order in which
answers to all of them are written."""

SHARE = 0.01
"""Of the users: fewer are odd ones out, unless there are so few that one is more."""

LEAST_SHARE = 0.5
"""Of the median user's ok answers, that a user had: with fewer it had no part in the same load."""
FEWEST_OF_MEDIAN = 20
"""Ok answers of the median user: of fewer, half is no more than chance."""

TIMES_P99 = 10.0
"""What the p99 over requests is multiplied by: a user whose mean lies so far beyond is in no quantile
that is looked at."""

_ADVICE = (
    "see what is apart for those users: a worker, a shard, a lock; quantiles over requests hide "
    "them, since slow users send less"
)


class _Group(NamedTuple):
    """Closed users of one group who were there throughout."""

    whose: str
    """`of bookers`, with a blank before it, where there are several groups."""
    numbers: NDArray[np.int64]
    counts: NDArray[np.int64]
    """Ok answers of each."""
    mean_ns: NDArray[np.float64]
    """Its mean service time; 0 without an answer."""
    log2_mean: NDArray[np.float64]
    log2_variance: NDArray[np.float64]
    waits_ns: NDArray[np.float64]
    """Its mean response time, as far as that is told; 0 without an answer."""
    p99_ns: float | None
    """Over the requests of the group; none where too few ended ok."""


def unequal_users(run: WindowedRun) -> Iterator[Finding]:
    """Closed users, there throughout, whose answers took longer than those of the median user, who had
    far fewer of them, or who waited far longer than any quantile tells.
    """
    users = run.users
    if users is None:
        return
    for name, places in run.users_throughout.items():
        if not places.size:
            continue
        group = _group(run, users, name, places)
        evidence = _slow(group) or _few(group) or _waiting(group)
        if evidence:
            yield Finding(
                code="unequal-users",
                severity=Severity.WARNING,
                subject=scope.run(run.record.run),
                metrics=("throughput", "response_time.*", "service_time.*", "first_byte.*"),
                evidence=evidence,
                advice=_ADVICE,
            )


def _group(run: WindowedRun, users: UserColumns, name: str, places: NDArray[np.int64]) -> _Group:
    part = run.groups.get(name)
    ok = run.histogram(Clock.RESPONSE_TIME, ok=True, part=part)
    is_told = reached(0.99, ok.count)
    return _Group(
        whose=f" of {name}" if len(run.groups) > 1 else "",
        numbers=np.array(users.user)[places],
        counts=np.array(users.answers)[places],
        mean_ns=np.array(users.mean_ns)[places],
        log2_mean=np.array(users.log2_mean)[places],
        log2_variance=np.array(users.log2_variance)[places],
        waits_ns=np.array(users.mean_response_ns or users.mean_ns)[places],
        p99_ns=quantile_over_offered(*ok.recorded, failed=0, quantile=0.99) if is_told else None,
    )


def _slow(group: _Group) -> str:
    slow = slow_members(group.counts, group.log2_mean, group.log2_variance, TIMES_MEDIAN)
    if slow.size < max(1.0, SHARE * group.counts.size):
        return ""
    mean_ns = group.mean_ns
    slowest = int(slow[np.argmax(mean_ns[slow])])
    median_ns = float(np.median(mean_ns))
    had = counted(int(group.counts[slowest]), "answer")
    return (
        f"{slow.size} of {counted(group.counts.size, 'user')}{group.whose} "
        f"{'was' if slow.size == 1 else 'were'} served more than {TIMES_MEDIAN:g} times slower "
        f"than the median user: the slowest one, number {group.numbers[slowest]}, had {had} of "
        f"{units.duration(mean_ns[slowest])} in the mean, the median user "
        f"{np.median(group.counts):g} of {units.duration(median_ns)}"
    )


def _few(group: _Group) -> str:
    """The user who had the fewest ok answers, though they took no longer than those of others."""
    few = few_answers(group.counts, group.counts * group.mean_ns, LEAST_SHARE, FEWEST_OF_MEDIAN)
    if few.size < max(1.0, SHARE * group.counts.size):
        return ""
    least = int(few[np.argmin(group.counts[few])])
    return (
        f"{few.size} of {counted(group.counts.size, 'user')}{group.whose} had fewer than "
        f"{units.percent(LEAST_SHARE)} of the ok answers of the median user, which took no longer: the "
        f"least one, number {group.numbers[least]}, had {group.counts[least]}, the median user "
        f"{np.median(group.counts):g}"
    )


def _waiting(group: _Group) -> str:
    """The user who waited the longest in the mean."""
    most = int(np.argmax(group.waits_ns))
    if group.p99_ns is None or group.counts.size < FEWEST_MEMBERS:
        return ""
    if group.waits_ns[most] < TIMES_P99 * group.p99_ns:
        return ""
    return (
        f"user number {group.numbers[most]}{group.whose} waited "
        f"{units.duration(float(group.waits_ns[most]))} for each answer in the mean, "
        f"{group.waits_ns[most] / group.p99_ns:.3g} times the p99 of all requests, "
        f"{units.duration(group.p99_ns)} (below {TIMES_P99:g} times)"
    )
