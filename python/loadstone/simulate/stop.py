"""When a simulated load ends: at its end, or by the first of its stop rules that fires.

The rules are the engine's: a first timeout or failed check stops at once; a mean or a share of failures
that stays above its limit stops at the end of a second. A second without an end breaks their row.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from loadstone.metrics.outcomes import Outcome
from loadstone.results.load_facts import StopFacts, StopRule
from loadstone.simulate.arrivals import SECOND_NS, Stay
from loadstone.simulate.requests import Requests
from loadstone.study.values.model import Workload

Flags = NDArray[np.bool_]


def stop_of(workload: Workload, requests: Requests, stays: Sequence[Stay] | None) -> StopFacts:
    """Return why and when a load stops whose requests are known to their ends."""
    fired = [
        (at_ns, rule)
        for rule, at_ns in _fired(workload, requests)
        if at_ns is not None and at_ns < workload.duration_ns
    ]
    at_ns, rule = min(fired, default=(workload.duration_ns, None))
    users = None if stays is None else sum(stay.holds(at_ns) for stay in stays)
    return StopFacts(reason=rule or "duration", at_ns=at_ns, users=users)


def _fired(workload: Workload, requests: Requests) -> list[tuple[StopRule, int | None]]:
    rules = workload.stop
    found: list[tuple[StopRule, int | None]] = []
    if rules.first_timeout:
        found.append(("first_timeout", _first(requests, Outcome.TIMEOUT)))
    if rules.first_failed_check:
        found.append(("first_failed_check", _first(requests, Outcome.STATUS)))
    seconds = workload.duration_ns // SECOND_NS
    second = np.minimum(requests.done_ns // SECOND_NS, seconds)
    ended = np.maximum(np.bincount(second, minlength=seconds + 1)[:seconds], 1)
    if (mean := rules.mean_response_time) is not None:
        times = (requests.done_ns - requests.intended_ns).astype(np.float64)
        sums = np.bincount(second, times, seconds + 1)[:seconds]
        found.append(("mean_response_time", _lasting(sums / ended > mean.above_ns, mean.for_ns)))
    if (share := rules.failures) is not None:
        failed = (requests.outcome != Outcome.OK).astype(np.float64)
        sums = np.bincount(second, failed, seconds + 1)[:seconds]
        found.append(("failures", _lasting(sums / ended > share.above_share, share.for_ns)))
    return found


def _first(requests: Requests, outcome: Outcome) -> int | None:
    """Return when the first request ends with an outcome."""
    at = requests.done_ns[requests.outcome == outcome]
    return int(at[0]) if at.size else None


def _lasting(above: Flags, for_ns: int) -> int | None:
    """Return the end of the first row of seconds above a limit that is long enough."""
    row = 0
    for second, is_above in enumerate(above.tolist(), start=1):
        row = row + 1 if is_above else 0
        if row * SECOND_NS >= for_ns:
            return second * SECOND_NS
    return None
