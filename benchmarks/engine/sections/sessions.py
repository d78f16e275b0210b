"""Sessions whose values go from answers into requests: what a step costs the engine and k6, in memory,
too, and what plain requests cost beside an earlier engine.

Steps are what the server counted. The server's own cost is shown and not judged: k6 never keeps it
busy, so each of its requests wakes the server anew.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.engine.generators.engine import Engine
from benchmarks.engine.judgement import (
    Section,
    Table,
    Verdict,
    at_least,
    at_most,
    number,
    plain,
    within,
)
from benchmarks.engine.load import Generator, Load
from benchmarks.engine.measure import measure
from benchmarks.engine.memory_watch import MEGABYTE, MemoryWatch
from benchmarks.engine.pairing import PairedRounds, Round, Side, Spread, engine_first, spread
from benchmarks.engine.peers import program
from benchmarks.engine.servers import workbench_server
from benchmarks.engine.sessions.allocations import allocations_per_step
from benchmarks.engine.sessions.generators import EngineSessions, K6Sessions
from benchmarks.engine.sessions.server import counted, session_server
from benchmarks.engine.settings import Settings, say
from loadstone.errors import LoadstoneError

PROTOCOLS = ("h1c", "h2c", "h2")
WITHOUT_K6 = "h2c"
"""k6 speaks HTTP/2 over TLS alone."""
USERS = 64
STEP_BAR_US = 7.0
"""Of the engine's CPU for a step over h1c."""
RATIO_BAR = 8.0
PLAIN_TOLERANCE = 0.02

THINKING_USERS = 10_000
THINK_SECONDS = 1.0
THINKING_SECONDS = 20


def run(settings: Settings) -> Section:
    """Measure every part; one that cannot run is told as not measured."""
    section = Section()
    costs = Table(
        f"Sessions: log in, list, insert, {USERS} users",
        [
            "protocol",
            "k6 us / engine us (range)",
            "engine us a step",
            "k6 us",
            "server us",
            "verdicts",
        ],
        notes=[
            f"Bars: at least {RATIO_BAR:g} times k6's steps per CPU-second; over h1c at most "
            f"{STEP_BAR_US:g} us of the engine's CPU a step."
        ],
    )
    memory = Table("Sessions: memory", ["generator", "users", "MB", "KB a user"])
    others = Table("Sessions: further figures", ["figure", "measured", "bar", "verdict"])
    section.tables = [costs, memory, others]
    for protocol in PROTOCOLS:
        _part(section, costs, protocol, partial(_costs, settings, protocol, section, costs))
    _part(section, memory, "memory", partial(_memory, settings, memory))
    for protocol in PROTOCOLS:
        name = f"allocations, {protocol}"
        _part(section, others, name, partial(_allocations, settings, protocol, others))
    if settings.engine_before is not None:
        _part(section, others, "plain requests", partial(_plain, settings, section, others))
    return section


def _part(section: Section, table: Table, name: str, measured: Callable[[], Any]) -> None:
    say(f"sessions: {name}")
    try:
        section.data[name] = measured()
    except LoadstoneError as error:
        section.judge(Verdict.NOT_MEASURED)
        section.data[name] = {"not_measured": error.message}
        table.notes.append(f"{name}: {error.message}")


def _costs(settings: Settings, protocol: str, section: Section, table: Table) -> dict[str, Any]:
    rivals: list[Generator] = [EngineSessions(settings.engine)]
    if protocol != WITHOUT_K6:
        rivals.append(K6Sessions(program("k6")))
    sides: dict[str, list[Side]] = {each.name: [] for each in rivals}
    for _, goes_first in zip(range(settings.rounds), engine_first(), strict=False):
        for generator in rivals if goes_first else rivals[::-1]:
            sides[generator.name].append(_side(settings, generator, protocol))
    engine_us = spread([side.generator_us for side in sides["engine"]])
    k6_us = spread([side.generator_us for side in sides.get("k6", [])])
    rounds = tuple(map(Round, sides["engine"], sides.get("k6", [])))
    ratio = PairedRounds(rounds).ratio_of_all
    verdicts = []
    if protocol == "h1c":
        verdicts.append(section.judge(at_most(_median(engine_us), STEP_BAR_US)))
    if protocol != WITHOUT_K6:
        verdicts.append(section.judge(at_least(_median(ratio), RATIO_BAR)))
    server = " / ".join(_text(spread([side.server_us for side in each])) for each in sides.values())
    cells = [_text(ratio), _text(engine_us), _text(k6_us), server, ", ".join(verdicts) or "-"]
    table.rows.append([protocol, *cells])
    return {name: [side._asdict() for side in each] for name, each in sides.items()}


def _side(settings: Settings, generator: Generator, protocol: str) -> Side:
    with session_server(settings.workbench, protocol) as running:
        load = Load(running.server.address, protocol, USERS, settings.seconds)
        measured = measure(generator, load, server_pid=running.server.pid)
        steps = counted(running).steps
    if measured.observed.failures:
        raise LoadstoneError(f"{generator.name}: {measured.observed.failures}")
    return Side(steps, measured.ended.cpu_ns, measured.server_cpu_ns)


def _memory(settings: Settings, table: Table) -> dict[str, Any]:
    thinking = EngineSessions(settings.engine, think_seconds=THINK_SECONDS)
    found: dict[str, Any] = {}
    for generator, users, seconds in (
        (EngineSessions(settings.engine), USERS, settings.seconds),
        (K6Sessions(program("k6")), USERS, settings.seconds),
        (thinking, THINKING_USERS, THINKING_SECONDS),
    ):
        watch = MemoryWatch(seconds)
        with session_server(settings.workbench, "h1c") as running:
            load = Load(running.server.address, "h1c", users, seconds)
            observed = measure(generator, load, disturbances=watch.looks()).observed
            counted(running)
        name = f"{generator.name}, {users:,} users"
        most = max(watch.bytes_by_second, default=0)
        thinks = " that think 1 s" if users == THINKING_USERS else ""
        cells = [number(most / MEGABYTE, 1), number(most / users / 1024, 1)]
        table.rows.append([generator.name, f"{users:,}{thinks}", *cells])
        found[name] = {"bytes_by_second": watch.bytes_by_second, "failures": observed.failures}
    return found


def _allocations(settings: Settings, protocol: str, table: Table) -> dict[str, Any]:
    calls = allocations_per_step(settings, protocol)
    table.rows.append([f"allocations a step, {protocol}", number(calls, 4), "–", "-"])
    return {"calls_per_step": calls}


def _plain(settings: Settings, section: Section, table: Table) -> dict[str, Any]:
    assert settings.engine_before is not None
    engines = (Engine(settings.engine), Engine(settings.engine_before, name="before"))
    rounds: list[Round] = []
    with workbench_server(settings.workbench, "serve") as running:
        load = Load(running.server.address, "h1c", USERS, settings.seconds)
        for _, goes_first in zip(range(settings.rounds), engine_first(), strict=False):
            sides = {
                engine.name: measure(engine, load, server_pid=running.server.pid).side
                for engine in (engines if goes_first else engines[::-1])
            }
            rounds.append(Round(sides["engine"], sides["before"]))
    ratio = PairedRounds(tuple(rounds)).ratio_of_all
    verdict = section.judge(within(_median(ratio), 1.0, PLAIN_TOLERANCE))
    bar = f"1 ± {PLAIN_TOLERANCE:g}"
    table.rows.append(["plain requests, before us / engine us", _text(ratio), bar, verdict])
    return {"rounds": [plain(each) for each in rounds]}


def _text(found: Spread | None) -> str:
    return f"{found.median:.2f} ({found.low:.2f}–{found.high:.2f})" if found else "–"


def _median(found: Spread | None) -> float | None:
    return found.median if found else None
