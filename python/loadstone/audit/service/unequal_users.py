"""Rule on users who are served several times slower than the others.

In a closed loop such a user sends little, so that no quantile over requests shows it. Of a rate nothing
is told: its busy moments use connections that its quiet ones leave alone.
"""

from collections.abc import Iterator

import numpy as np

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.results.window import WindowedRun
from loadstone.stats.values.slow_members import slow_members
from loadstone.text import units
from loadstone.text.words import counted

TIMES_MEDIAN = 2.0
"""What the median user's geometric mean is multiplied by at least: less comes of an order in which
answers to all of them are written."""

SHARE = 0.01
"""Of the users: fewer are odd ones out, unless there are so few that one is more."""


def unequal_users(run: WindowedRun) -> Iterator[Finding]:
    """Closed users, there throughout, whose answers took longer than those of the median user."""
    users, places = run.users, run.users_throughout
    if users is None or not places.size:
        return
    counts = np.array(users.answers)[places]
    log2_means = np.array(users.log2_mean)[places]
    slow = slow_members(counts, log2_means, np.array(users.log2_variance)[places], TIMES_MEDIAN)
    if slow.size < max(1.0, SHARE * places.size):
        return
    mean_ns = np.array(users.mean_ns)[places]
    slowest = int(slow[np.argmax(mean_ns[slow])])
    median_ns = float(np.median(mean_ns))
    number, had = users.user[int(places[slowest])], counted(int(counts[slowest]), "answer")
    yield Finding(
        code="unequal-users",
        severity=Severity.WARNING,
        subject=scope.run(run.record.run),
        metrics=("throughput", "response_time.*", "service_time.*", "first_byte.*"),
        evidence=f"{slow.size} of {counted(places.size, 'user')} "
        f"{'was' if slow.size == 1 else 'were'} served more than {TIMES_MEDIAN:g} times slower than "
        f"the median user: the slowest one, number {number}, had {had} of "
        f"{units.duration(mean_ns[slowest])} in the mean, the median user {np.median(counts):g} of "
        f"{units.duration(median_ns)}",
        advice="see what is apart for those users: a worker, a shard, a lock; quantiles over requests "
        "hide them, since slow users send less",
    )
