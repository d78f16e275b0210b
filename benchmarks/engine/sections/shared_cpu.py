"""How late the engine writes beside a server on its own CPU, at normal priority and in real time."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.engine.generators.engine import OPERATION, Engine, clock, quantiles_ms
from benchmarks.engine.judgement import Section, Table, number, plain
from benchmarks.engine.load import Load
from benchmarks.engine.measure import measure
from benchmarks.engine.pairing import engine_first, spread
from benchmarks.engine.servers import echo_backend
from benchmarks.engine.settings import GENERATOR_CPU, Settings, say
from loadstone.errors import LoadstoneError
from loadstone.machine import ownership
from loadstone.metrics.outcomes import Clock

RATE = 1_000
SECONDS = 10
CONNECTIONS = 50
HEADER = ["lag, ms", "normal (range)", "real time (range)", "smaller in"]


@dataclass(frozen=True)
class Lag:
    """From intended to written, milliseconds."""

    mean_ms: float
    p999_ms: float
    largest_ms: float
    scheduling: str
    """How the workers were really scheduled."""


@dataclass(frozen=True)
class Pair:
    """Two runs, one right after the other."""

    normal: Lag
    real_time: Lag


FIGURES = {"mean_ms": "mean", "p999_ms": "p99.9", "largest_ms": "largest"}


def add_to(section: Section, settings: Settings) -> None:
    """Measure pairs, which of the two first in turns, and add their table."""
    pairs = []
    for round_number, goes_first in zip(
        range(1, settings.rounds + 1), engine_first(), strict=False
    ):
        say(f"punctuality: shared CPU, pair {round_number} of {settings.rounds}")
        found = {
            real_time: _lag(settings, real_time=real_time)
            for real_time in ((False, True) if goes_first else (True, False))
        }
        pairs.append(Pair(normal=found[False], real_time=found[True]))
    section.data["shared CPU"] = [plain(pair) for pair in pairs]
    section.tables.append(table_of(pairs))


def table_of(pairs: list[Pair]) -> Table:
    """Return the table of some pairs; it has no bar, since it compares one engine with itself."""
    table = Table(f"Lag at {RATE:,}/s, the echo backend on the engine's CPU", HEADER)
    for key, name in FIGURES.items():
        normal = [getattr(pair.normal, key) for pair in pairs]
        real_time = [getattr(pair.real_time, key) for pair in pairs]
        smaller = sum(after < before for before, after in zip(normal, real_time, strict=True))
        cells = [_range(normal), _range(real_time), f"{smaller} of {len(pairs)}"]
        table.rows.append([name, *cells])
    otherwise = sorted({pair.real_time.scheduling for pair in pairs} - {"fifo"})
    if otherwise:
        table.notes.append(f"Not in real time: {'; '.join(otherwise)}.")
    return table


def _lag(settings: Settings, *, real_time: bool) -> Lag:
    with echo_backend(GENERATOR_CPU) as server, ownership.scratch_directory() as scratch:
        load = Load(server.address, "h1c", CONNECTIONS, SECONDS, rate=RATE, real_time=real_time)
        directory = scratch / "run"
        summary = measure(Engine(settings.engine), load, directory=directory).observed.details
        return _lag_of(summary, directory)


def _lag_of(summary: dict[str, Any], directory: Path) -> Lag:
    exact = summary["operations"][OPERATION]["clocks"]["lag"]["ok"]
    histogram = clock(directory, Clock.LAG)
    if exact is None or histogram is None:
        raise LoadstoneError(f"no request was answered: {summary['outcomes']}")
    scheduling = summary["engine"].get("scheduling", {})
    return Lag(
        mean_ms=exact["mean_ns"] / 1e6,
        p999_ms=quantiles_ms(histogram)[0.999],
        largest_ms=exact["max_ns"] / 1e6,
        scheduling=scheduling.get("reason") or scheduling.get("workers", "other"),
    )


def _range(values: list[float]) -> str:
    found = spread(values)
    if found is None:
        return number(None)
    return f"{number(found.median, 3)} ({number(found.low, 3)}–{number(found.high, 3)})"
