"""Reported response times, against how long the delaying server really let the same requests wait.

The stamp begins with the arrival at the server's socket and ends before its send, so a generator's
figure holds the way there and its own wake-up beside the wait: that is in the tolerance.
"""

import statistics
from typing import Any

from benchmarks.engine.generators.engine import Engine
from benchmarks.engine.judgement import Section, Table, Verdict, at_most, number
from benchmarks.engine.load import QUANTILES, Generator, Load, Observed
from benchmarks.engine.measure import measure
from benchmarks.engine.peers import peers_with_times
from benchmarks.engine.servers import workbench_server
from benchmarks.engine.settings import Settings, say
from loadstone.errors import LoadstoneError, Unavailable

DISTRIBUTIONS = ("constant", "exponential", "bimodal", "stall")
RATE = 1_000
SECONDS = 10
ROUNDS = 5
CONNECTIONS = 500
"""More than a 200 ms stall and the longest delays need at this rate: no request should wait for a
connection, which would be truth too, but not the server's.
"""
PEER_CONNECTIONS = 50
RELATIVE_TOLERANCE = 0.01
ABSOLUTE_TOLERANCE_MS = 0.1

Quantiles = dict[float, float]


def run(settings: Settings) -> Section:
    """Measure the engine in rounds, and every peer once, on each distribution."""
    section = Section()
    mine = Table(
        f"Truth: the engine at {RATE:,}/s against what the server stamped, ms",
        ["delays", "quantile", "stamped", "engine", "difference", "tolerance", "verdict"],
        notes=["Medians over rounds; the difference is the median of those of the rounds."],
    )
    others = Table(
        "Truth: the peers against what the server stamped for their own requests, ms",
        [
            "delays",
            "generator",
            "p50 stamped",
            "p50",
            "p99 stamped",
            "p99",
            "p99.9 stamped",
            "p99.9",
        ],
        notes=[
            f"One run each, with {PEER_CONNECTIONS} connections; wrk, which has no rate, as fast as "
            "they allow."
        ],
    )
    for distribution in DISTRIBUTIONS:
        data: dict[str, Any] = {"engine": _engine(settings, distribution, section, mine)}
        for name, generator in peers_with_times():
            data[name] = _peer(settings, distribution, name, generator, others)
        section.data[distribution] = data
    section.tables = [mine, others]
    return section


def tolerance_ms(stamped_ms: float) -> float:
    """Return how far a quantile may be off."""
    return max(RELATIVE_TOLERANCE * stamped_ms, ABSOLUTE_TOLERANCE_MS)


def _engine(
    settings: Settings, distribution: str, section: Section, table: Table
) -> list[dict[str, Any]]:
    rounds = []
    for number_of_round in range(1, min(ROUNDS, settings.rounds) + 1):
        say(f"truth: {distribution}, round {number_of_round}")
        generator = Engine(settings.engine, tells_times=True)
        rounds.append(_run(settings, generator, distribution, CONNECTIONS, number_of_round))
    for quantile in QUANTILES:
        stamped = statistics.median(stub[quantile] for stub, _ in rounds)
        reported = statistics.median(seen.quantiles_ms[quantile] for _, seen in rounds)
        off = statistics.median(
            seen.quantiles_ms[quantile] - stub[quantile] for stub, seen in rounds
        )
        allowed = tolerance_ms(stamped)
        figures = [number(value, 3) for value in (stamped, reported, off, allowed)]
        verdict = section.judge(at_most(abs(off), allowed))
        table.rows.append([distribution, _name(quantile), *figures, verdict])
    return [_data(stub, seen) for stub, seen in rounds]


def _peer(
    settings: Settings,
    distribution: str,
    name: str,
    generator: Generator | Unavailable,
    table: Table,
) -> dict[str, Any]:
    say(f"truth: {distribution}, {name}")
    try:
        if isinstance(generator, Unavailable):
            raise generator
        stub, seen = _run(settings, generator, distribution, PEER_CONNECTIONS, 1)
    except LoadstoneError as error:
        table.rows.append([distribution, name, str(Verdict.NOT_MEASURED), *["–"] * 5])
        table.notes.append(f"{distribution}, {name}: {error.message}")
        return {"not_measured": error.message}
    cells = []
    for quantile in (0.5, 0.99, 0.999):
        cells += [number(stub[quantile], 3), number(seen.quantiles_ms.get(quantile), 3)]
    table.rows.append([distribution, name, *cells])
    return _data(stub, seen)


def _run(
    settings: Settings, generator: Generator, distribution: str, connections: int, seed: int
) -> tuple[Quantiles, Observed]:
    words = ("delay", "--distribution", distribution, "--seed", str(seed))
    with workbench_server(settings.workbench, *words) as running:
        load = Load(
            address=running.server.address,
            protocol="h1c",
            connections=connections,
            seconds=SECONDS,
            rate=RATE,
            seed=seed,
        )
        observed = measure(generator, load).observed
        waited = running.finish()["waited_ns"]
    return {quantile: waited[_name(quantile)] / 1e6 for quantile in QUANTILES}, observed


def _name(quantile: float) -> str:
    return f"p{quantile * 100:g}"


def _data(stamped: Quantiles, seen: Observed) -> dict[str, Any]:
    return {
        "stamped_ms": {_name(q): value for q, value in stamped.items()},
        "reported_ms": {_name(q): value for q, value in seen.quantiles_ms.items()},
        "requests": seen.requests,
        "failures": seen.failures,
    }
