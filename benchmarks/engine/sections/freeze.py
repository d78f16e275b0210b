"""What is reported when the server, or the generator itself, is frozen for a second.

With arrivals planned at a constant rate, a tenth of them falls into one frozen second of ten, and
waits from a second down to nothing: the truth is p95 = 500 ms and p99 = 900 ms. When the generator
is frozen, its users would have seen the same; but the server is not to be blamed for it.
"""

import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.engine.generator_run import Disturbance, stop_and_continue
from benchmarks.engine.generators.engine import RECORDS, Engine, clock, count_above
from benchmarks.engine.judgement import Section, Table, Verdict, at_least, at_most, number, within
from benchmarks.engine.load import QUANTILES, Generator, Load, Observed
from benchmarks.engine.measure import measure
from benchmarks.engine.peers import peers_with_times
from benchmarks.engine.servers import workbench_server
from benchmarks.engine.settings import Settings, say
from loadstone.errors import LoadstoneError, Unavailable
from loadstone.machine import ownership
from loadstone.metrics.outcomes import Clock

RATE = 1_000
SECONDS = 10
CONNECTIONS = 50
FROZEN_AT_SECONDS = 5.0
FROZEN_SECONDS = 1.0
ENGINE_ROUNDS = 5
PEER_ROUNDS = 3
SLOW_MS = 100.0
"""Far above any service time but that of requests that were in flight when the freeze began."""
P95_MS, P95_TOLERANCE_MS = 500.0, 20.0
P99_MS, P99_TOLERANCE_MS = 900.0, 15.0

HEADER = ["generator", "p50", "p95", "p99", "p99.9", "max", "answered", "says"]


@dataclass(frozen=True)
class Seen:
    """One run that was disturbed."""

    observed: Observed
    slow_services: int | None
    """Requests whose service time was slow; only the engine tells."""


def run(settings: Settings) -> Section:
    """Freeze the server, then the generator, under the engine and every peer."""
    section = Section()
    for whose in ("server", "generator"):
        table = Table(
            f"{whose.capitalize()} frozen {FROZEN_SECONDS:g} s of {SECONDS} s at {RATE:,}/s, ms",
            HEADER,
            notes=["Truth: p95 500, p99 900. wrk has no rate."],
        )
        bars = Table(f"The engine with a frozen {whose}", ["figure", "measured", "bar", "verdict"])
        rounds = min(ENGINE_ROUNDS, settings.rounds)
        engine = Engine(settings.engine, tells_times=True)
        seen = _rounds(settings, whose, "engine", engine, rounds, table)
        section.data[whose] = {"engine": [_data(each) for each in seen]}
        (_judge_server if whose == "server" else _judge_generator)(section, bars, seen)
        for name, generator in peers_with_times():
            rounds = min(PEER_ROUNDS, settings.rounds)
            found = _rounds(settings, whose, name, generator, rounds, table)
            section.data[whose][name] = [_data(each) for each in found]
        section.tables += [bars, table]
    return section


def _judge_server(section: Section, table: Table, seen: list[Seen]) -> None:
    for quantile, centre, tolerance in (
        (0.95, P95_MS, P95_TOLERANCE_MS),
        (0.99, P99_MS, P99_TOLERANCE_MS),
    ):
        measured = _median(seen, quantile)
        verdict = section.judge(within(measured, centre, tolerance))
        name, bar = f"p{quantile * 100:g} of response time, ms", f"{centre:g} ± {tolerance:g}"
        table.rows.append([name, number(measured, 1), bar, verdict])
    _judge_service(section, table, seen)


def _judge_generator(section: Section, table: Table, seen: list[Seen]) -> None:
    marked = sum(bool(each.observed.notes) for each in seen)
    verdict = section.judge(at_least(marked, len(seen)) if seen else Verdict.NOT_MEASURED)
    table.rows.append(["runs marked by the engine itself", str(marked), str(len(seen)), verdict])
    _judge_service(section, table, seen)


def _judge_service(section: Section, table: Table, seen: list[Seen]) -> None:
    slow = [each.slow_services for each in seen if each.slow_services is not None]
    most = max(slow, default=None)
    name = f"most requests of a run with a service time above {SLOW_MS:g} ms"
    verdict = section.judge(at_most(most, CONNECTIONS))
    table.rows.append([name, number(most, 0), f"{CONNECTIONS} (in flight)", verdict])


def _rounds(
    settings: Settings,
    whose: str,
    name: str,
    generator: Generator | Unavailable,
    rounds: int,
    table: Table,
) -> list[Seen]:
    seen: list[Seen] = []
    try:
        if isinstance(generator, Unavailable):
            raise generator
        for number_of_round in range(1, rounds + 1):
            say(f"freeze: {whose}, {name}, round {number_of_round} of {rounds}")
            seen.append(_run(settings, whose, generator))
    except LoadstoneError as error:
        table.notes.append(f"{name}: {error.message}")
    table.rows.append(_cells(name, seen))
    return seen


def _cells(name: str, seen: list[Seen]) -> list[str]:
    if not seen:
        return [name, *["–"] * 6, str(Verdict.NOT_MEASURED)]
    quantiles = [number(_median(seen, quantile), 1) for quantile in (0.5, 0.95, 0.99, 0.999)]
    highest = [each.observed.highest_ms for each in seen if each.observed.highest_ms is not None]
    answered = statistics.median(each.observed.requests for each in seen)
    last = seen[-1].observed
    says = ", ".join([*last.notes, *(f"{kind}: {count}" for kind, count in last.failures.items())])
    highest_text = number(statistics.median(highest) if highest else None, 1)
    return [name, *quantiles, highest_text, number(answered, 0), says or "nothing"]


def _run(settings: Settings, whose: str, generator: Generator) -> Seen:
    with (
        workbench_server(settings.workbench, "serve") as running,
        ownership.scratch_directory() as directory,
    ):
        load = Load(running.server.address, "h1c", CONNECTIONS, SECONDS, rate=RATE)
        server_pid = running.server.pid

        def frozen(generator_pid: int) -> int:
            return server_pid if whose == "server" else generator_pid

        disturbances: list[Disturbance] = stop_and_continue(
            FROZEN_AT_SECONDS, FROZEN_SECONDS, frozen
        )
        files = directory / "run"
        observed = measure(generator, load, disturbances=disturbances, directory=files).observed
        return Seen(observed, _slow_services(files))


def _slow_services(directory: Path) -> int | None:
    if not (directory / RECORDS).is_dir():
        return None
    service = clock(directory, Clock.SERVICE_TIME)
    return count_above(service, SLOW_MS) if service else 0


def _median(seen: list[Seen], quantile: float) -> float | None:
    found = [each.observed.quantiles_ms[quantile] for each in seen if each.observed.quantiles_ms]
    return statistics.median(found) if found else None


def _data(seen: Seen) -> dict[str, Any]:
    observed = seen.observed
    return {
        "requests": observed.requests,
        "failures": observed.failures,
        "quantiles_ms": {f"p{q * 100:g}": observed.quantiles_ms.get(q) for q in QUANTILES},
        "highest_ms": observed.highest_ms,
        "notes": observed.notes,
        "slow_services": seen.slow_services,
    }
