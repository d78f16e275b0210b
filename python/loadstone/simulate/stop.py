"""When a simulated load ends: at its end, or by the first of its stop rules that fires.

The rules are the engine's: a first timeout or failed check stops at once; a mean or a share of failures
that stays above its limit stops at the end of a second, and a p99 of the last while that is above its
limit. A second without an end breaks a row.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from loadstone.metrics.outcomes import Outcome
from loadstone.results.load_facts import StopFacts, StopReason, StopRule
from loadstone.simulate.arrivals import SECOND_NS, Stay
from loadstone.simulate.requests import Requests
from loadstone.stats.values.quantile import rank
from loadstone.study.values.stop_rules import P99Rule, StopRules

Flags = NDArray[np.bool_]


class Judged(NamedTuple):
    """Rules, and the requests that they look at."""

    group: str | None
    """Whose they are; none: of all groups."""
    rules: StopRules
    requests: Requests


class _Fired(NamedTuple):
    at_ns: int
    reason: StopReason
    group: str | None


def stop_of(
    duration_ns: int,
    judged: Sequence[Judged],
    stays: Mapping[str, Sequence[Stay]],
    exhausted_ns: int | None = None,
    window_ns: int = 0,
) -> StopFacts:
    """Return why and when a load stops whose requests are known to their ends.

    Rules that hold from the window on do so from `window_ns`. `stays` are those of the groups that have
    users; `exhausted_ns` is when a feed had no row for a session.
    """
    fired = [
        _Fired(at_ns, rule, each.group)
        for each in judged
        for rule, at_ns in _rules(each, duration_ns, window_ns if each.rules.from_window else 0)
        if at_ns is not None and at_ns < duration_ns
    ]
    if exhausted_ns is not None and exhausted_ns < duration_ns:
        fired.append(_Fired(exhausted_ns, "feed_exhausted", None))
    first = min(fired, default=_Fired(duration_ns, "duration", None), key=lambda each: each[:2])
    users = {
        name: sum(stay.holds(first.at_ns) for stay in of_group) for name, of_group in stays.items()
    }
    return StopFacts(
        reason=first.reason,
        at_ns=first.at_ns,
        users=sum(users.values()) if users else None,
        rule_group=first.group,
        users_by_group=users,
    )


def _rules(judged: Judged, duration_ns: int, from_ns: int) -> list[tuple[StopRule, int | None]]:
    """When each fires that looks at what ends from a moment on, a whole second."""
    rules, requests = judged.rules, judged.requests
    found: list[tuple[StopRule, int | None]] = []
    if rules.first_timeout:
        found.append(("first_timeout", _first(requests, from_ns, Outcome.TIMEOUT)))
    if rules.first_failed_check:
        found.append(
            ("first_failed_check", _first(requests, from_ns, Outcome.STATUS, Outcome.CHECK))
        )
    if rules.first_failure:
        failures = [outcome for outcome in Outcome if outcome is not Outcome.OK]
        found.append(("first_failure", _first(requests, from_ns, *failures)))
    if rules.p99 is not None:
        found.append(("p99", _p99_above(requests, rules.p99, duration_ns, from_ns)))
    seconds = duration_ns // SECOND_NS
    second = np.minimum(requests.done_ns // SECOND_NS, seconds)
    ended = np.maximum(np.bincount(second, minlength=seconds + 1)[:seconds], 1)
    if (mean := rules.mean_response_time) is not None:
        times = (requests.done_ns - requests.intended_ns).astype(np.float64)
        sums = np.bincount(second, times, seconds + 1)[:seconds]
        found.append(
            ("mean_response_time", _lasting(sums / ended > mean.above_ns, mean.for_ns, from_ns))
        )
    if (share := rules.failures) is not None:
        failed = (requests.outcome != Outcome.OK).astype(np.float64)
        sums = np.bincount(second, failed, seconds + 1)[:seconds]
        found.append(
            ("failures", _lasting(sums / ended > share.above_share, share.for_ns, from_ns))
        )
    return found


def _first(requests: Requests, from_ns: int, *outcomes: Outcome) -> int | None:
    """Return when the first request ends with one of some outcomes, from a moment on."""
    at = requests.done_ns[np.isin(requests.outcome, outcomes) & (requests.done_ns >= from_ns)]
    return int(at[0]) if at.size else None


def _p99_above(requests: Requests, rule: P99Rule, duration_ns: int, from_ns: int) -> int | None:
    """Return the end of the first second at which the p99 of the last while is above its limit."""
    times = requests.done_ns - requests.intended_ns
    for end_ns in range(from_ns + rule.for_ns, duration_ns + 1, SECOND_NS):
        first, behind = np.searchsorted(requests.done_ns, (end_ns - rule.for_ns, end_ns))
        recent = np.sort(times[first:behind])
        if recent.size and recent[rank(0.99, recent.size) - 1] > rule.above_ns:
            return end_ns
    return None


def _lasting(above: Flags, for_ns: int, from_ns: int) -> int | None:
    """Return the end of the first row of seconds above a limit that is long enough."""
    row = 0
    first = from_ns // SECOND_NS
    for second, is_above in enumerate(above[first:].tolist(), start=first + 1):
        row = row + 1 if is_above else 0
        if row * SECOND_NS >= for_ns:
            return second * SECOND_NS
    return None
