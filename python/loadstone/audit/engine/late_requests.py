"""A rule on the engine's own lag: the part of a response time by which it wrote a request too late.

Every figure is held against the same figure of that lag. Waiting for a connection or a stream is no
part of it (`waiting_requests.py`). The rule is for times that the plan sets: of a rate, and of users
after a pause. A user without one asks again as soon as the answer was read, which is never late.
"""

from collections.abc import Iterator
from typing import NamedTuple

from loadstone.audit.engine.engine_limits import limited
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.catalogue import MEANS, QUANTILES
from loadstone.metrics.outcomes import Clock, LimitCause
from loadstone.results.histograms import Histogram, merge
from loadstone.results.window import WindowedRun
from loadstone.stats.values.quantile import quantile_over_offered, reached
from loadstone.text import units

CODE = "generator-late"

NOTICEABLE_SHARE = 0.1
"""Of the response time: from here on a figure is told to be the engine's in part."""

WITHHELD_SHARE = 0.5
"""Of the response time: from here on the figure says more of the engine than of the service. Below,
the same lag in both arms draws their ratio towards 1, and never makes a difference."""

WITHHELD_LAG_NS = 1_000_000
"""What a general-purpose kernel may take to wake the engine on a busy CPU stays below this: bare
senders were measured at 100 to 200 us at the p99. Beyond it the engine was kept from its work."""


_ADVICE = "use a quieter machine, or give the engine a CPU of its own; the service time stands"


class _Lag(NamedTuple):
    lag_ns: float
    share: float
    """Of the same figure of the response time."""


def late_requests(run: WindowedRun) -> Iterator[Finding]:
    """Figures of the response time of which the engine's lag is a large part."""
    if run.load.arrivals == "users" and not run.users_pause:
        return
    lags = _lags(run)
    noticed = {name: lag for name, lag in lags.items() if lag.share >= NOTICEABLE_SHARE}
    withheld = {
        name: lag
        for name, lag in noticed.items()
        if lag.share >= WITHHELD_SHARE and lag.lag_ns >= WITHHELD_LAG_NS
    }
    only_noticed = {name: lag for name, lag in noticed.items() if name not in withheld}
    for severity, found in ((Severity.WITHHOLD, withheld), (Severity.WARNING, only_noticed)):
        if found:
            yield Finding(
                code=CODE,
                severity=severity,
                subject=scope.run(run.record.run),
                metrics=tuple(found),
                evidence=_evidence(found, severity),
                advice=_ADVICE,
            )
    marked = limited(run, LimitCause.LATE)
    if marked is not None and not noticed:
        yield Finding(
            code=CODE,
            severity=Severity.NOTE,
            subject=scope.run(run.record.run),
            metrics=("response_time.*",),
            evidence=f"the engine wrote requests late in {marked}; over the whole window that is "
            f"less than {units.percent(NOTICEABLE_SHARE)} of every figure",
            advice=_ADVICE,
        )


def _evidence(found: dict[str, _Lag], severity: Severity) -> str:
    worst = max(found, key=lambda name: found[name].share)
    limit = WITHHELD_SHARE if severity is Severity.WITHHOLD else NOTICEABLE_SHARE
    return (
        f"the engine wrote requests {units.duration(found[worst].lag_ns)} late, which is "
        f"{units.share(found[worst].share)} of {worst} (below {units.percent(limit)})"
    )


def _lags(run: WindowedRun) -> dict[str, _Lag]:
    """Return metric to the same figure of the engine's lag, where the samples reach it.

    The smallest and the largest response time are left out: each is one request, and its lag is in no
    other figure.
    """
    lag, response = _all(run, Clock.ENGINE_LAG), _all(run, Clock.RESPONSE_TIME)
    found = {
        name: (_quantile(lag, quantile), _quantile(response, quantile))
        for name, (clock, quantile) in QUANTILES.items()
        if clock is Clock.RESPONSE_TIME and 0 < quantile < 1 and reached(quantile, lag.count)
    }
    means = (lag.mean_ns() or 0.0, response.mean_ns() or 0.0)
    found |= {name: means for name, clock in MEANS.items() if clock is Clock.RESPONSE_TIME}
    return {
        name: _Lag(lag_ns, lag_ns / response_ns)
        for name, (lag_ns, response_ns) in found.items()
        if response_ns
    }


def _all(run: WindowedRun, clock: Clock) -> Histogram:
    return merge([run.histogram(clock, ok=ok) for ok in (True, False)])


def _quantile(histogram: Histogram, quantile: float) -> float:
    found = quantile_over_offered(*histogram.recorded, failed=0, quantile=quantile)
    return float(found) if found is not None else 0.0
