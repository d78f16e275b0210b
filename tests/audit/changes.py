"""Changes to what was observed of a run, and ticks of the probe that were never taken."""

import dataclasses
from collections.abc import Callable, Mapping

import polars as pl

from loadstone.measure.loading.probe import SCHEMA
from loadstone.results import folder
from loadstone.results.record import ProcessFacts
from loadstone.results.resource_facts import MachineFacts
from loadstone.results.service_facts import ConfinementFacts
from loadstone.results.window import WindowedRun

TICK_NS = 200_000_000

MACHINE = MachineFacts(
    runnable_mean=1,
    load_1=1,
    load_5=1,
    load_15=1,
    cpu_pressure_share=0.5,
    memory_pressure_share=0,
    io_pressure_share=0,
    disk_bytes=0,
    network_bytes=0,
    frequency_hz=None,
)
"""A machine with memory to spare, whose CPUs are wanted."""

OfSecond = Callable[[float], float]
"""A counter's course over the seconds of a load."""


def with_record(run: WindowedRun, **changes: object) -> WindowedRun:
    """The run with other facts in its record."""
    return dataclasses.replace(run, record=run.record.model_copy(update=changes))


def with_process(run: WindowedRun, name: str, **changes: object) -> WindowedRun:
    """The run with other facts of one process."""
    processes = tuple(
        each.model_copy(update=changes) if each.name == name else each
        for each in run.record.processes
    )
    return with_record(run, processes=processes)


def with_use(run: WindowedRun, name: str, **changes: object) -> WindowedRun:
    """The run with another use of one process group."""
    resources = run.record.resources
    return with_record(
        run, resources={**resources, name: resources[name].model_copy(update=changes)}
    )


def held(**changes: object) -> dict[str, ConfinementFacts]:
    """Changes of a process: what its control group was told and counted."""
    facts = ConfinementFacts(isolation="cgroup v2", cpus=None, memory_bytes=None)
    return {"confinement": facts.model_copy(update=changes)}


def service_of(run: WindowedRun) -> ProcessFacts:
    """The gateway."""
    service = run.service
    assert service is not None
    return service


def with_ticks(run: WindowedRun, of_service: Mapping[str, OfSecond]) -> WindowedRun:
    """The run with a tick every 200 ms, its columns functions of the second since the load began."""
    began_ns = run.load.started_unix_ns
    rows = [
        {
            "unix_ns": began_ns + at_ns,
            "kind": "process",
            "name": service_of(run).name,
            **{column: round(of(at_ns / 1e9)) for column, of in of_service.items()},
        }
        for at_ns in range(0, run.load.load_ns + 1, TICK_NS)
    ]
    pl.DataFrame(rows, schema=SCHEMA).write_parquet(run.directory / folder.RESOURCES)
    return dataclasses.replace(run)
