"""What becomes of 500 planned requests to a server that accepts connections and never answers."""

from benchmarks.engine.generators.engine import Engine
from benchmarks.engine.judgement import Section, Table, Verdict, at_least, number
from benchmarks.engine.load import Generator, Load
from benchmarks.engine.measure import measure
from benchmarks.engine.peers import peers_with_times
from benchmarks.engine.servers import black_hole
from benchmarks.engine.settings import Settings, say
from loadstone.errors import LoadstoneError, Unavailable

RATE = 100
SECONDS = 5
CONNECTIONS = 10
TIMEOUT_SECONDS = 1
PLANNED = RATE * SECONDS


def run(settings: Settings) -> Section:
    """Let the engine and every peer load the black hole once."""
    section = Section()
    table = Table(
        f"Black hole: {RATE}/s for {SECONDS} s, timeout {TIMEOUT_SECONDS} s, "
        f"{CONNECTIONS} connections",
        ["generator", f"accounted, of {PLANNED}", "as", "verdict"],
        notes=["wrk has no rate: what it counts is not of those 500."],
    )
    section.tables.append(table)
    generators: list[tuple[str, Generator | Unavailable]] = [("engine", Engine(settings.engine))]
    for name, generator in [*generators, *peers_with_times()]:
        say(f"black_hole: {name}")
        accounted, words = _run(generator)
        section.data[name] = {"accounted": accounted, "as": words}
        verdict = str(Verdict.NO_BAR)
        if name == "engine":
            verdict = section.judge(at_least(accounted, PLANNED))
        table.rows.append([name, number(accounted, 0), words, verdict])
    return section


def _run(generator: Generator | Unavailable) -> tuple[int | None, str]:
    try:
        if isinstance(generator, Unavailable):
            raise generator
        with black_hole() as address:
            load = Load(
                address,
                "h1c",
                CONNECTIONS,
                SECONDS,
                rate=RATE,
                timeout_seconds=TIMEOUT_SECONDS,
            )
            observed = measure(generator, load).observed
    except LoadstoneError as error:
        return None, error.message
    counts = {"ok": observed.requests, **observed.failures}
    words = ", ".join(f"{kind}: {count}" for kind, count in counts.items() if count)
    return sum(counts.values()), words or "nothing"
