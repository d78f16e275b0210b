"""Response time by percentile, as points for a chart: a fixed, bounded grid of quantiles."""

import math

from loadstone.analysis.chart_model import CurvePoint
from loadstone.results.histograms import Histogram
from loadstone.stats.values.quantile import quantile_over_offered, reached

_HALVINGS = 17
"""The last step passes 99.999 %."""

_STEPS = 3
"""Points in each half of the distance that is left to 100 %, as HdrHistogram's plots have them."""

GRID = tuple(
    1 - math.ldexp(1 - step / (2 * _STEPS), -halving)
    for halving in range(_HALVINGS)
    for step in range(_STEPS)
)
"""Quantiles from 0 on, 51 of them."""


def curve(ok: Histogram, offered: int) -> tuple[CurvePoint, ...]:
    """Over all offered requests, up to where the samples or the ok requests end."""
    values, counts = ok.recorded
    points = []
    for quantile in GRID:
        if not offered or not reached(quantile, offered):
            break
        found_ns = quantile_over_offered(values, counts, offered - ok.count, quantile)
        if found_ns is None:
            break
        points.append(CurvePoint(quantile=quantile, value_ns=found_ns))
    return tuple(points)
