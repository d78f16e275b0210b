"""One run's request times as the published procedure sees them, and what it does not ask."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loadstone.analysis.per_request_model import RequestSample
from loadstone.results.request_times import RequestTimes
from loadstone.stats.comparison.published_procedure import Sample, sample
from loadstone.stats.series.grouped import grouped
from loadstone.stats.series.intraclass import effective_count, intraclass_correlation
from loadstone.stats.values.normality import LEAST_VALUES


@dataclass(frozen=True, eq=False)
class Described:
    """Described once, and then compared with as many others as there are."""

    sample: Sample
    second_means_ns: NDArray[np.float64]
    """The mean of each second's requests."""
    told: RequestSample


def too_few(times: RequestTimes) -> str:
    """Why the procedure cannot be asked; empty where it can."""
    count = len(times.values_ns)
    return f"{count} ok requests, fewer than {LEAST_VALUES}" if count < LEAST_VALUES else ""


def described(times: RequestTimes, run: str) -> Described:
    """Describe the times of a run. `ValueError` where they are `too_few`."""
    own = sample(times.values_ns)
    seconds = grouped(times.values_ns, times.seconds)
    counts = seconds.counts.tolist()
    correlation = intraclass_correlation(counts, seconds.means.tolist(), seconds.variances.tolist())
    tested = own.normality
    return Described(
        own,
        seconds.means,
        RequestSample(
            run=run,
            requests=len(times.values_ns),
            is_exact=times.is_exact,
            median_ns=float(np.median(times.values_ns)),
            normality=None if tested is None else tested.test,
            normality_statistic=None if tested is None else tested.statistic,
            normality_p_value=None if tested is None else tested.p_value,
            is_normal=own.is_normal,
            skewness=own.skewness,
            is_symmetric=own.is_symmetric,
            seconds=len(counts),
            correlation=correlation,
            independent=None if correlation is None else effective_count(counts, correlation),
        ),
    )
