"""How long runs last before they fail, where some did not fail while they were watched.

Kaplan & Meier, "Nonparametric Estimation from Incomplete Observations", Journal of the American
Statistical Association 53(282), 1958; intervals with Greenwood's variance on the log-log scale, which
stay between 0 and 1 and hold their level with few runs (Borgan & Liestol, "A note on confidence
intervals and bands for the survival function based on transformations", Scandinavian Journal of
Statistics 17(1), 1990). Intervals hold at each time by itself, not for the whole curve.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from loadstone.stats.comparison.estimate import require_finite

_HALF = 0.5 + 1e-12
"""A product of shares that is one half may miss it by its rounding."""


@dataclass(frozen=True)
class Survival:
    """One entry for each time at which a run failed, ascending; all empty where none did."""

    times: tuple[float, ...]
    probabilities: tuple[float, ...]
    """Of lasting longer than that time."""
    low: tuple[float, ...]
    high: tuple[float, ...]
    """Where all runs have failed, the interval has no formula: it goes from 0 to the upper end of the
    time before, which bounds all later ones, or to 1 where there is none."""
    median: float | None
    """The first time by which half have failed, as quantiles are defined here; None where that was not
    reached."""


def survival(times: Sequence[float], failed: Sequence[bool], level: float = 0.95) -> Survival:
    """Of runs that failed at their time or, where `failed` is False, were only watched until then.

    `ValueError` for no runs, another number of `failed`, a time that is negative or not finite, and
    for a level outside ]0, 1[.
    """
    require_runs(times, failed)
    if not 0 < level < 1:
        raise ValueError(f"a level lies between 0 and 1, not at {level}")
    seen = np.asarray(times, dtype=float)
    ends, failures = np.unique(seen[np.asarray(failed, dtype=bool)], return_counts=True)
    if not len(ends):
        return Survival((), (), (), (), None)
    watched = (seen[:, None] >= ends).sum(axis=0)
    shares = np.cumprod(1 - failures / watched)
    all_failed = watched[-1] == failures[-1]
    inner = slice(0, len(ends) - 1 if all_failed else None)
    scale = np.log(shares[inner])
    greenwood = np.cumsum(failures[inner] / (watched[inner] * (watched[inner] - failures[inner])))
    reach = np.exp(ndtri((1 + level) / 2) * np.sqrt(greenwood) / -scale)
    low, high = np.exp(scale * reach).tolist(), np.exp(scale / reach).tolist()
    probabilities = shares.tolist()
    if all_failed:
        low.append(0.0)
        high.append(high[-1] if high else 1.0)
    median = next(
        (time for time, share in zip(ends.tolist(), probabilities, strict=True) if share <= _HALF),
        None,
    )
    return Survival(tuple(ends.tolist()), tuple(probabilities), tuple(low), tuple(high), median)


def require_runs(times: Sequence[float], failed: Sequence[bool]) -> None:
    """`ValueError` as `survival` says."""
    if len(times) != len(failed):
        raise ValueError(f"{len(times)} times cannot have {len(failed)} ends")
    if not times:
        raise ValueError("no runs, no survival")
    require_finite([*times])
    if min(times) < 0:
        raise ValueError(f"a time is 0 or more, not {min(times)}")
