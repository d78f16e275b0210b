"""Whether and from when on a load was steady, by all its series together; and the window that follows.

Each series has a tolerance of its own: within it, levels are the same.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from loadstone.results.seconds import Seconds, Series
from loadstone.stats.series.steady_state import (
    LEAST_POINTS,
    LEAST_STEADY_SHARE,
    TOLERANCE,
    Kind,
    Steadiness,
    steadiness,
)

SeriesName = Literal["throughput", "response_time.p99", "cpu_per_ok"]

P99_TOLERANCE = 0.25
"""Of a second's p99: it rests on the slowest hundredth of one second's requests, so its level varies
several times more than a mean does."""
LEAST_WINDOW_POINTS = 10
"""Of a window: of fewer, half is no longer than a disturbance may be."""


@dataclass(frozen=True)
class SteadyLoad:
    """What each series is, and all together."""

    series: dict[SeriesName, Steadiness]
    bias: dict[SeriesName, float]
    """Of the series that came to a level: by which share the mean from the begin that was asked for is
    off the mean of the points that have it."""
    reached_ns: dict[SeriesName, int]
    """Since the load began: when each of the series that have a level came to it."""

    @property
    def steady_from_ns(self) -> int | None:
        """When the last of the series came to its level; none where one never did."""
        return None if self.unsteady else max(self.reached_ns.values(), default=0)

    @property
    def kind(self) -> Kind:
        """The gravest of the series' classes."""
        kinds = {each.kind for each in self.series.values()}
        gravest: tuple[Kind, ...] = ("no steady state", "slow-down", "warm-up")
        return next((kind for kind in gravest if kind in kinds), "flat")

    @property
    def unsteady(self) -> tuple[SeriesName, ...]:
        """The series that never came to a level."""
        return tuple(name for name in self.series if name not in self.reached_ns)


def steady_load(seconds: Seconds, from_ns: int = 0, alike_from_ns: int = 0) -> SteadyLoad | None:
    """Classify a load from `from_ns` on; none where that is fewer than `LEAST_WINDOW_POINTS`.

    Where it is fewer than `LEAST_POINTS`, so many of the load's last points tell together; none where
    there are fewer since `alike_from_ns`, before which load or CPUs were others.
    """
    begin = int((seconds.ends_ns <= from_ns).sum())
    count = len(seconds.ends_ns)
    others = int((np.append(0, seconds.ends_ns[:-1]) < alike_from_ns).sum())
    if count - others < LEAST_POINTS or count - begin < LEAST_WINDOW_POINTS:
        return None
    first = min(begin, count - LEAST_POINTS)
    known: dict[SeriesName, tuple[Series | None, bool, float]] = {
        "throughput": (seconds.throughput, True, TOLERANCE),
        "response_time.p99": (seconds.response_time_p99_ns, False, P99_TOLERANCE),
        "cpu_per_ok": (seconds.cpu_per_ok_ns, False, TOLERANCE),
    }
    series: dict[SeriesName, Steadiness] = {}
    bias: dict[SeriesName, float] = {}
    reached_ns: dict[SeriesName, int] = {}
    first_ns = from_ns if first == begin else int(seconds.ends_ns[first - 1]) if first else 0
    starts_ns = [first_ns, *seconds.ends_ns[first:].astype(int).tolist()]
    for name, (values, higher, tolerance) in known.items():
        if values is None:
            continue
        points = values[first:]
        found = steadiness(
            points.tolist(),
            higher_is_better=higher,
            tolerance=tolerance,
            least_steady_share=LEAST_STEADY_SHARE * (count - begin) / len(points),
        )
        series[name] = found
        if found.steady_from is not None:
            level = float(points[max(found.steady_from, begin - first) :].mean())
            reached_ns[name] = starts_ns[found.steady_from]
            bias[name] = float(values[begin:].mean()) / level - 1 if level else 0.0
    return SteadyLoad(series, bias, reached_ns)
