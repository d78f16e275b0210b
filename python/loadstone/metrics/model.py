"""One metric as the catalogue describes it."""

from typing import Literal

from loadstone.frozen import Frozen
from loadstone.text.units import Unit

WorkloadKind = Literal["load", "startup", "footprint"]

MetricGroup = Literal[
    "response time",
    "service time",
    "first byte",
    "sessions",
    "users",
    "connections",
    "load",
    "from start to steady",
    "start-up and build",
    "memory",
    "CPU",
    "database",
    "store",
    "machine",
]


class MetricInfo(Frozen):
    """One row of the metric catalogue."""

    name: str
    """Its name everywhere."""
    group: MetricGroup
    """What it is shown with."""
    unit: Unit
    """Of its value in files."""
    direction: Literal["lower", "higher", "none"]
    """Which way is better; by a metric that is neither better nor worse no arms are compared."""
    scale: Literal["ratio", "difference"]
    """How two arms are compared: metrics that can be 0 use differences."""
    definition: str
    """What it is."""
    kinds: tuple[WorkloadKind, ...] = ("load", "footprint")
    """The kinds of workload that measure it."""
    made_of: tuple[str, ...] = ()
    """Metrics that it is computed from: what takes one of them away takes it away, too."""
    of_build: bool = False
    """Whether all runs of an arm share one observation, that of its build: how it varies is unknown."""
