"""When the mean response time of the answers of a while first was above a limit.

The while is as long as the limit: an answer that took longer was asked for before it began. A published
stress test takes this moment for its time to failure, where its method asks for a mean that stays above
the limit for twice as long.
"""

from collections.abc import Iterable

import numpy as np

from loadstone.results.timeline import TimelineInterval


def slow_from_ns(timeline: Iterable[TimelineInterval], limit_ns: int) -> int | None:
    """Return the end of the first interval by which the mean of the answers of `limit_ns` is above it.

    Since the load began, what came in the grace period left out; none where it never was. Failed
    requests that have a time count, as they do for a stop rule.
    """
    whole = [each for each in timeline if not each.grace]
    ends = np.array([each.end_ns for each in whole])
    sums = np.array(
        [sum(of.response_time.sum_ns() for of in each.operations.values()) for each in whole]
    )
    counts = np.array(
        [sum(of.response_time.count() for of in each.operations.values()) for each in whole]
    )
    total_ns, total = np.concatenate(([0.0], sums.cumsum())), np.concatenate(([0], counts.cumsum()))
    # The intervals of the while are those that end behind its begin.
    first = np.searchsorted(ends, ends - limit_ns, side="right")
    last = np.arange(1, len(whole) + 1)
    answers = total[last] - total[first]
    is_slow = (answers > 0) & (total_ns[last] - total_ns[first] > limit_ns * answers)
    found = np.flatnonzero(is_slow)
    return int(ends[found[0]]) if found.size else None
