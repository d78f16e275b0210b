"""The metrics of a cold service: what users bear from the load's begin until it is steady.

Their names are their own, so that a finding on a window that was not warm leaves them alone.
"""

from loadstone.metrics.model import MetricGroup, MetricInfo
from loadstone.text.units import Unit

FIRST_SECONDS: dict[str, int] = {"first_10s": 10, "first_30s": 30}
"""How long each of the first parts of a load lasts. It begins with the load, whatever its users or rate
do then: of a ramp it has the part that came in time.
"""

FIRST_QUANTILES: dict[str, float] = {"response_time.median": 0.5, "response_time.p99": 0.99}
"""Quantiles of each first part."""

_GROUP: MetricGroup = "from start to steady"


def _first(part: str, name: str, unit: Unit, definition: str) -> MetricInfo:
    return MetricInfo(
        name=f"{part}.{name}",
        group=_GROUP,
        unit=unit,
        direction="higher" if name == "throughput" else "lower",
        scale="ratio",
        definition=definition.format(f"the first {FIRST_SECONDS[part]} s of the load"),
        kinds=("load",),
    )


def _first_part(part: str) -> tuple[MetricInfo, ...]:
    return (
        _first(part, "throughput", "1/s", "Requests that ended ok in {}, a second"),
        *(
            _first(
                part,
                name,
                "ns",
                f"Quantile {quantile:g} of the time from the intended time to the end of the "
                "answer, over all requests that ended in {}; every outcome other than ok ranks "
                "above every ok",
            )
            for name, quantile in FIRST_QUANTILES.items()
        ),
        _first(
            part,
            "cpu_per_ok",
            "ns",
            "CPU time of the service in {} over the requests that ended ok in them",
        ),
    )


WARM_UP_METRICS: tuple[MetricInfo, ...] = (
    MetricInfo(
        name="time_to_steady",
        group=_GROUP,
        unit="ns",
        direction="lower",
        scale="ratio",
        definition="From the load's begin to where the decision that the service is steady began "
        "to look: 10 s before the window where its compile threads were idle or its runtime never "
        "compiles, else a third of the warm-up before it, at least 20 s; not reached where the warm-up "
        "lasted as long as it may",
        kinds=("load",),
    ),
    MetricInfo(
        name="requests_until_steady",
        group=_GROUP,
        unit="count",
        direction="lower",
        scale="ratio",
        definition="Requests that ended ok before time_to_steady: as many have to be sent until the "
        "service is warm",
        kinds=("load",),
    ),
    MetricInfo(
        name="warm_up_loss",
        group=_GROUP,
        unit="ns",
        direction="lower",
        scale="difference",
        definition="Time of work that the warm-up cost: the sum over its seconds of what the "
        "throughput was short of the window's, as a share of that; of closed users alone",
        kinds=("load",),
    ),
    MetricInfo(
        name="compile_cpu",
        group=_GROUP,
        unit="ns",
        direction="lower",
        scale="ratio",
        definition="CPU time of the service's compile threads from the load's begin to the window's "
        "end",
        kinds=("load",),
    ),
    *(info for part in FIRST_SECONDS for info in _first_part(part)),
)
"""In the order in which tables show them."""
