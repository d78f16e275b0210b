"""A rule on lag: the part of a response time that passed before the request was written.

Every figure is held against the same figure of the lag. Where all connections of the pool were open
the service may have kept requests waiting for one, which belongs to its response time: then the
engine is not blamed. Closed users cannot be late for themselves, so the rule is for rates alone.
"""

from collections.abc import Iterator

from loadstone.analysis.catalogue import MEANS, QUANTILES
from loadstone.analysis.model import Finding, Severity
from loadstone.audit import scope
from loadstone.report import units
from loadstone.results.histograms import Histogram, merge
from loadstone.results.outcomes import Clock
from loadstone.results.window import WindowedRun
from loadstone.stats.quantile import quantile_over_offered, reached

CODE = "generator-late"

NOTICEABLE_SHARE = 0.1
"""Of the response time: from here on a figure is told to be the engine's in part."""

WITHHELD_SHARE = 0.5
"""Of the response time: from here on the figure says more of the engine than of the service. Below,
the same lag in both arms draws their ratio towards 1, and never makes a difference."""


def late_requests(run: WindowedRun) -> Iterator[Finding]:
    """Figures of the response time of a rate of which the lag is a large part."""
    if run.load.arrivals != "rate":
        return
    shares = _lag_shares(run)
    withheld = {name: share for name, share in shares.items() if share >= WITHHELD_SHARE}
    noticed = {
        name: share
        for name, share in shares.items()
        if share >= NOTICEABLE_SHARE and name not in withheld
    }
    if run.load.connections.opened >= run.load.connections.requested:
        noticed, withheld = withheld | noticed, {}
        advice = "allow more connections: requests may have waited for one; the service time stands"
    else:
        advice = (
            "use a quieter machine, or give the engine a CPU of its own; the service time stands"
        )
    for severity, found in ((Severity.WITHHOLD, withheld), (Severity.WARNING, noticed)):
        if found:
            yield Finding(
                code=CODE,
                severity=severity,
                scope=scope.run(run.record.run.id),
                metrics=tuple(found),
                evidence=_evidence(found, severity),
                advice=advice,
            )


def _evidence(found: dict[str, float], severity: Severity) -> str:
    worst = max(found, key=lambda name: found[name])
    limit = WITHHELD_SHARE if severity is Severity.WITHHOLD else NOTICEABLE_SHARE
    return (
        f"the lag before requests were written is {units.share(found[worst])} of {worst} "
        f"(below {units.percent(limit)})"
    )


def _lag_shares(run: WindowedRun) -> dict[str, float]:
    """Return metric to the lag's figure over the response time's, where the samples reach it.

    The largest response time is left out: it is one request, and its lag is in no other figure.
    """
    lag, response = _all(run, Clock.LAG), _all(run, Clock.RESPONSE_TIME)
    shares = {}
    for name, (clock, quantile) in QUANTILES.items():
        if clock is Clock.RESPONSE_TIME and quantile < 1 and reached(quantile, lag.count):
            shares[name] = _quantile(lag, quantile) / _quantile(response, quantile)
    lag_mean_ns, response_mean_ns = lag.mean_ns(), response.mean_ns()
    if lag_mean_ns is not None and response_mean_ns:
        means = (name for name, clock in MEANS.items() if clock is Clock.RESPONSE_TIME)
        shares |= dict.fromkeys(means, lag_mean_ns / response_mean_ns)
    return shares


def _all(run: WindowedRun, clock: Clock) -> Histogram:
    return merge([run.histogram(clock, ok=ok) for ok in (True, False)])


def _quantile(histogram: Histogram, quantile: float) -> float:
    found = quantile_over_offered(*histogram.recorded, failed=0, quantile=quantile)
    return float(found) if found is not None else 0.0
