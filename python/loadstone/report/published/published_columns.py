"""The columns of the table of published rows: which metric each is, and its unit as published."""

from collections.abc import Iterable

from loadstone.study.values.published import PublishedRow

IN_UNIT = {
    "failures": ("failures_percent", 1e-2),
    "throughput": ("throughput_per_second", 1.0),
    "response_time.mean": ("mean_ms", 1e6),
    "response_time.standard_deviation": ("standard_deviation_ms", 1e6),
    "response_time.min": ("min_ms", 1e6),
    "response_time.median": ("median_ms", 1e6),
    "response_time.p90": ("p90_ms", 1e6),
    "response_time.p95": ("p95_ms", 1e6),
    "response_time.p99": ("p99_ms", 1e6),
    "response_time.max": ("max_ms", 1e6),
    "gc_share": ("gc_throughput_percent", 1e-2),
    "heap_after_gc": ("memory_after_full_gc_mib", 2.0**20),
}
"""Metric to its field of a published row, and the size of that field's unit in the catalogue's."""

_LABELS = {
    "failures": "failures",
    "throughput": "throughput",
    "response_time.mean": "mean",
    "response_time.standard_deviation": "standard deviation",
    "response_time.min": "smallest",
    "response_time.median": "median",
    "response_time.p90": "p90",
    "response_time.p95": "p95",
    "response_time.p99": "p99",
    "response_time.max": "largest",
    "gc_share": "GC throughput",
    "heap_after_gc": "memory after full GC",
}
_WHERE_PUBLISHED = frozenset(
    f"response_time.{name}" for name in ("min", "median", "p90", "p95", "max")
)
"""Shown only where some published row has them: not every table does."""
PLACE = "place by throughput"


def metrics_of(rows: Iterable[PublishedRow]) -> tuple[str, ...]:
    """The metrics of the columns of a table with these rows, in its order; GC throughput is what is
    left of the GC share.
    """
    known = tuple(rows)
    return tuple(
        name
        for name, (field, _) in IN_UNIT.items()
        if name not in _WHERE_PUBLISHED or any(getattr(row, field) is not None for row in known)
    )


def columns_of(metrics: Iterable[str]) -> tuple[str, ...]:
    """Their headings; the place, which no published table has, last."""
    return (*(_LABELS[name] for name in metrics), PLACE)
