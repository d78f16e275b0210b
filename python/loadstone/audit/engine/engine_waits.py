"""Rule on the engine's threads that could have run and had no CPU: what came meanwhile was read late.

A service time that waited in the engine is not the service's. Waits below a millisecond are those of
any kernel, and left out. Lateness in writing, as far as a plan sets the time of a request, is told in
`late_requests.py`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.catalogue import MEANS, QUANTILES
from loadstone.metrics.outcomes import Clock
from loadstone.results.histograms import Histogram, merge
from loadstone.results.wait_facts import ThrottledFacts, WaitFacts
from loadstone.results.window import WindowedRun
from loadstone.stats.values.quantile import quantile_over_offered, reached
from loadstone.text import units
from loadstone.text.words import counted

NOTICEABLE_SHARE, WITHHELD_SHARE = 0.1, 0.5
"""Of a figure, as in `late_requests.py`: from here on it is told, and says more of the engine."""
FAR_TAIL = 0.999
"""Quantiles beyond it rest on a handful of requests. That they were touched is worth a note: some waits
come on any machine whose CPUs engine and service share."""


class _Waits(NamedTuple):
    waits: WaitFacts
    share: float
    """Of the threads' time."""
    answers_share: float
    """Of the answers, that came in a long wait."""
    seconds: int
    """Intervals with a long wait."""

    @property
    def length_ns(self) -> float:
        return self.waits.long_waited_ns / self.waits.long_waits


def engine_waited(run: WindowedRun) -> Iterator[Finding]:
    """Figures that long waits of the engine reach, and of which such a wait is a large part."""
    found = _waits(run)
    if found is None:
        return
    shares = _shares(run, found)
    withheld = tuple(name for name, share in shares.items() if share >= WITHHELD_SHARE)
    noticed = tuple(
        name for name, share in shares.items() if NOTICEABLE_SHARE <= share < WITHHELD_SHARE
    )
    lesser = Severity.NOTE if all(map(_is_far_tail, noticed)) else Severity.WARNING
    for severity, names in ((Severity.WITHHOLD, withheld), (lesser, noticed)):
        if names:
            yield Finding(
                code="engine-waited",
                severity=severity,
                subject=scope.run(run.record.run),
                metrics=names,
                evidence=_evidence(run, found, names, shares, severity),
                advice="give the engine a CPU of its own, or a larger quota to what it runs in: an "
                "answer that comes while it waits is read late",
            )


def _is_far_tail(metric: str) -> bool:
    return metric in QUANTILES and QUANTILES[metric][1] > FAR_TAIL


def _waits(run: WindowedRun) -> _Waits | None:
    """The waits of the window; none where there were no long ones, or nobody tells."""
    told = [each.waits for each in run.inside if each.waits is not None]
    engine = run.load.engine
    service = _all(run, Clock.SERVICE_TIME)
    long = [each for each in told if each.long_waits]
    if engine is None or not engine.workers or not long or not service.count:
        return None
    waits = WaitFacts(
        waited_ns=sum(each.waited_ns for each in told),
        long_waits=sum(each.long_waits for each in told),
        long_waited_ns=sum(each.long_waited_ns for each in told),
    )
    threads_ns = run.inside_ns * len(engine.workers)
    share = min(1.0, waits.long_waited_ns / threads_ns)
    # Answers come in a wait as at any time, though not more than are in flight: as many as come in the
    # mean time of one.
    in_flight_share = waits.long_waits * (service.mean_ns() or 0.0) / threads_ns
    answers_share = min(share, in_flight_share)
    return _Waits(waits, share, answers_share, len(long))


def _shares(run: WindowedRun, found: _Waits) -> dict[str, float]:
    """Return metric to the share of it that a long wait is, where so many answers met one.

    The smallest and the largest time are left out: each is one request. Of a mean it is the share of
    the time in which the engine waited, since all that is in flight then takes longer.
    """
    shares = {}
    for name, (clock, quantile) in QUANTILES.items():
        if not 0 < quantile < 1 or found.answers_share < 1 - quantile:
            continue
        times = _all(run, clock)
        if times.count and reached(quantile, times.count):
            at_ns = quantile_over_offered(*times.recorded, failed=0, quantile=quantile)
            if at_ns:
                shares[name] = min(1.0, found.length_ns / at_ns)
    means = dict.fromkeys(MEANS, found.share)
    closed = {"throughput": found.share} if run.load.arrivals != "rate" else {}
    return shares | means | closed


def _evidence(
    run: WindowedRun,
    found: _Waits,
    names: tuple[str, ...],
    shares: dict[str, float],
    severity: Severity,
) -> str:
    worst = max(names, key=lambda name: shares[name])
    limit = WITHHELD_SHARE if severity is Severity.WITHHOLD else NOTICEABLE_SHARE
    return (
        f"the engine waited for a CPU {units.share(found.share)} of the window, "
        f"{counted(found.waits.long_waits, 'time')} in {counted(found.seconds, 'interval')}, for "
        f"{units.duration(found.length_ns)} in the mean. About {units.share(found.answers_share)} of "
        f"the answers came meanwhile and were read late: {_part(worst, shares[worst])} (below "
        f"{units.percent(limit)}){_quota(run)}"
    )


def _part(name: str, share: float) -> str:
    what = "such a wait" if name in QUANTILES else "time in which it waited"
    return f"{units.share(share)} of {name} is {what}"


def _quota(run: WindowedRun) -> str:
    told = [each.throttled for each in run.inside if each.throttled is not None]
    sums = ThrottledFacts(
        periods=sum(each.periods for each in told),
        throttled_ns=sum(each.throttled_ns for each in told),
    )
    if not sums.periods:
        return ""
    return (
        f"; the CPU quota that it runs in was used up in {counted(sums.periods, 'period')}, "
        f"for {units.duration(sums.throttled_ns)}"
    )


def _all(run: WindowedRun, clock: Clock) -> Histogram:
    return merge([run.histogram(clock, ok=ok) for ok in (True, False)])
