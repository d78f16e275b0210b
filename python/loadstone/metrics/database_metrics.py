"""The metrics of databases: what each answer costs there, and how busy the CPUs were meanwhile.

A database belongs to what measures, and its work to the result: by none of these are arms compared.
"""

from loadstone.metrics.model import MetricGroup, MetricInfo
from loadstone.text.units import Unit


def _info(name: str, group: MetricGroup, unit: Unit, definition: str) -> MetricInfo:
    return MetricInfo(
        name=name,
        group=group,
        unit=unit,
        direction="none",
        scale="ratio" if unit == "ns" else "difference",  # all others may be 0
        definition=definition,
    )


_OF_THE_LOAD = "of the whole load, warm-up included, over all its requests that ended ok"

DATABASE_METRICS: tuple[MetricInfo, ...] = (
    _info(
        "database_cpu_per_ok",
        "database",
        "ns",
        "CPU time of the databases in the window over the requests that ended ok in it",
    ),
    _info(
        "database_statements_per_ok",
        "database",
        "count",
        f"SELECT, INSERT, UPDATE and DELETE statements {_OF_THE_LOAD}, by the database's counters",
    ),
    _info(
        "database_rows_per_ok",
        "database",
        "count",
        f"Rows that the statements read, {_OF_THE_LOAD}",
    ),
    _info(
        "database_other_commands_per_ok",
        "database",
        "count",
        "All else that the services asked of the databases (options, begin, commit and rollback, "
        f"prepares, pings), {_OF_THE_LOAD}",
    ),
    _info(
        "database_rows_added",
        "database",
        "count",
        "By how many rows the databases' tables grew under the whole load, warm-up included, all "
        "tables together",
    ),
)
"""In the order in which tables show them."""

CPU_SHARE_METRICS: tuple[MetricInfo, ...] = (
    _info(
        "service_cpu_share",
        "CPU",
        "share",
        "Share of the CPU time that the services could use in the window, by their CPUs and their "
        "quota, that they did use",
    ),
    _info(
        "bench_cpu_share",
        "CPU",
        "share",
        "Busy share in the window of the busiest CPU that engine, dependencies, services with the role "
        "bench and probe could use and the services that are measured could not",
    ),
)
"""In the order in which tables show them."""
