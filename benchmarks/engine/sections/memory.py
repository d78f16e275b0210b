"""What 10,000 connections cost the engine in memory, and whether that grows at full speed."""

from benchmarks.engine.generators.engine import Engine
from benchmarks.engine.judgement import Section, Table, at_most, number
from benchmarks.engine.load import Load
from benchmarks.engine.measure import measure
from benchmarks.engine.memory_watch import MEGABYTE, MemoryWatch
from benchmarks.engine.servers import workbench_server
from benchmarks.engine.settings import Settings

CONNECTIONS = 10_000
BAR_BYTES = 80e6
FLAT_BYTES = 1e6
"""Growth that still counts as flat: ten minutes are some 90 million requests, so a leak of one byte
in a hundred requests would show as almost this much.
"""
SETTLED_SHARE = 0.1
"""Of the time, after which memory should have stopped growing: the first of ten minutes."""


def run(settings: Settings) -> Section:
    """Load with as many users as connections for the memory run's time."""
    watch = MemoryWatch(settings.memory_seconds)
    with workbench_server(settings.workbench, "serve") as running:
        load = Load(running.server.address, "h1c", CONNECTIONS, settings.memory_seconds)
        measured = measure(Engine(settings.engine), load, disturbances=watch.looks())
    summary = measured.observed.details
    peak = summary["engine"]["peak_rss_bytes"]
    growth = watch.growth_bytes(SETTLED_SHARE)
    section = Section(data={"summary": summary, "bytes_by_second": watch.bytes_by_second})
    table = Table(
        f"Engine memory, {CONNECTIONS:,} h1c connections at full speed",
        ["figure", "MB", "bar", "verdict"],
    )
    table.rows = [
        ["peak", number(peak / MEGABYTE, 1), "80", section.judge(at_most(peak, BAR_BYTES))],
        [
            f"growth in the last {1 - SETTLED_SHARE:.0%} of {settings.memory_seconds} s",
            number(None if growth is None else growth / MEGABYTE),
            "1",
            section.judge(at_most(growth, FLAT_BYTES)),
        ],
    ]
    opened, answered = summary["connections"]["opened"], measured.observed.requests
    table.notes.append(f"{opened:,} connections were opened, {answered:,} requests answered.")
    if measured.observed.failures:
        table.notes.append(f"Not answered: {measured.observed.failures}.")
    section.tables.append(table)
    return section
