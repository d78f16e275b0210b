"""What each of several engines made of each arm's loads: a row for each machine of each arm."""

from dataclasses import dataclass

from loadstone.analysis.model import Analysis, EngineFigures
from loadstone.text import units

COLUMNS = (
    "runs",
    "requests",
    "mean service time",
    "round trip",
    "clock known to",
    "CPUs busy",
    "sent again",
)
READING = (
    "Engines on machines of their own, each apart: its share of the requests, the mean time of its "
    "ok answers, a datagram's way to the service and back on the idle network, how well its clock "
    "is known against the service's, how busy its machine was, and how many of its segments of TCP "
    "were lost. The service does not tell engines apart: what differs is the way, or a machine."
)
_UNKNOWN = "–"


@dataclass(frozen=True, slots=True)
class EngineRow:
    """One machine of one arm."""

    arm: str
    machine: str
    texts: tuple[str, ...]
    """As many as there are columns."""


@dataclass(frozen=True, slots=True)
class EngineTable:
    """One workload."""

    workload: str
    rows: tuple[EngineRow, ...]


def engine_table(analysis: Analysis, workload: str) -> EngineTable | None:
    """None where engines are with the services."""
    rows = tuple(
        EngineRow(cell.arm, each.machine, _texts(each))
        for cell in analysis.cells
        if cell.workload == workload
        for each in cell.engines
    )
    return EngineTable(workload, rows) if rows else None


def _texts(each: EngineFigures) -> tuple[str, ...]:
    busy, lost, time_ns = each.busy_share, each.retransmitted_share, each.service_time_ns
    return (
        units.count(each.runs),
        units.share(each.request_share),
        _UNKNOWN if time_ns is None else units.duration(round(time_ns)),
        units.duration(round(each.round_trip_ns)),
        units.duration(each.clock_bound_ns),
        _UNKNOWN if busy is None else units.share(busy),
        _UNKNOWN if lost is None else units.share(lost),
    )
