"""Five times what the server can do, for half a minute: what is still done, lost, and kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import mean

from benchmarks.engine.generators.engine import Engine
from benchmarks.engine.judgement import Section, Table, at_least, at_most, number, within
from benchmarks.engine.load import Load
from benchmarks.engine.measure import measure
from benchmarks.engine.memory_watch import MEGABYTE, MemoryWatch
from benchmarks.engine.servers import Server, nginx, workbench_server
from benchmarks.engine.settings import Settings, say
from loadstone.errors import Unavailable

CONNECTIONS = 100
TIMES_CAPACITY = 5
SECONDS = 30
CAPACITY_SECONDS = 5
TIMEOUT_SECONDS = 1
"""What waits so long is not sent."""
THROUGHPUT_BAR = 0.95
SETTLED_SHARE = 0.5
GROWTH_BAR_BYTES = 5e6
"""In the second half: millions of requests are not sent meanwhile, so anything kept of them shows."""


def run(settings: Settings) -> Section:
    """Measure the closed maximum before and after, and the overload between."""
    engine = Engine(settings.engine)
    closed = []
    watch = MemoryWatch(SECONDS)
    with _server(settings) as server:
        full = Load(server.address, "h1c", CONNECTIONS, CAPACITY_SECONDS)
        say("overload: closed maximum")
        closed.append(measure(engine, full).observed.requests / CAPACITY_SECONDS)
        rate = round(closed[0] * TIMES_CAPACITY)
        say(f"overload: {rate:,}/s for {SECONDS} s")
        load = Load(
            server.address,
            "h1c",
            CONNECTIONS,
            SECONDS,
            rate=rate,
            timeout_seconds=TIMEOUT_SECONDS,
        )
        observed = measure(engine, load, disturbances=watch.looks()).observed
        say("overload: closed maximum again")
        closed.append(measure(engine, full).observed.requests / CAPACITY_SECONDS)
    share = observed.requests / SECONDS / mean(closed)
    offered = observed.requests + sum(observed.failures.values())
    growth = watch.growth_bytes(SETTLED_SHARE)
    peak = observed.details["engine"]["peak_rss_bytes"]
    section = Section(data={"closed_per_second": closed, "summary": observed.details})
    section.data["bytes_by_second"] = watch.bytes_by_second
    table = Table(
        f"{TIMES_CAPACITY} x capacity ({server.name}, {rate:,}/s) for {SECONDS} s",
        ["figure", "measured", "bar", "verdict"],
        notes=[f"Outcomes: ok {observed.requests:,}, {observed.failures}."],
    )
    table.rows = [
        [
            "throughput over the closed maximum",
            number(share, 3),
            number(THROUGHPUT_BAR),
            section.judge(at_least(share, THROUGHPUT_BAR)),
        ],
        [
            "planned requests without an outcome",
            number(rate * SECONDS - offered, 0),
            "0",
            section.judge(within(offered, rate * SECONDS, 0)),
        ],
        [
            "memory growth in the second half, MB",
            number(None if growth is None else growth / MEGABYTE),
            number(GROWTH_BAR_BYTES / MEGABYTE, 0),
            section.judge(at_most(growth, GROWTH_BAR_BYTES)),
        ],
        ["memory peak, MB", number(peak / MEGABYTE, 1), "–", "-"],
    ]
    section.tables.append(table)
    return section


@contextmanager
def _server(settings: Settings) -> Iterator[Server]:
    """Give nginx, whose capacity is below the engine's; else the minimal server."""
    try:
        with nginx("h1c") as server:
            yield server
    except Unavailable:
        with workbench_server(settings.workbench, "serve") as running:
            yield running.server
