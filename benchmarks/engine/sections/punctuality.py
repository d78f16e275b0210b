"""How late and how evenly requests reach the server, the engine beside a bare sender.

`shared_cpu` adds how late the engine writes where its server is on the same CPU.

Where the machine is too noisy for the absolute bar, the engine may be as much worse than the bare
sender of the same rounds as `RELATIVE_BAR` says.
"""

import statistics
from dataclasses import dataclass
from typing import Any

from benchmarks.engine.generators.bare import Sender
from benchmarks.engine.generators.engine import Engine
from benchmarks.engine.judgement import (
    Section,
    Table,
    Verdict,
    at_most,
    number,
    or_by_ratio,
    within,
)
from benchmarks.engine.load import Generator, Load
from benchmarks.engine.measure import measure
from benchmarks.engine.pairing import engine_first, spread
from benchmarks.engine.sections import shared_cpu
from benchmarks.engine.servers import workbench_server
from benchmarks.engine.settings import Settings, say

CONNECTIONS = 50
CONSTANT_SECONDS = 10
POISSON_SECONDS = 30
POISSON_RATE = 1_000
POISSON_ROUNDS = 3
RELATIVE_BAR = 1.5

Arrivals = dict[str, float]
Pair = tuple[Arrivals, Arrivals]
"""The engine's, and the bare sender's of the same round."""


@dataclass(frozen=True)
class Figure:
    """One figure of arrivals, with its bar."""

    key: str
    name: str
    bar: float | None = None
    centre: float | None = None
    """Where the bar is a distance from a value."""
    is_relative: bool = True
    """Whether being near the bare sender is enough."""


MISSING = Figure("missing", "requests that did not arrive", bar=0, is_relative=False)
FIGURES: dict[int, tuple[Figure, ...]] = {
    1_000: (
        Figure("p50_us", "lateness p50, us"),
        Figure("p99_us", "lateness p99, us"),
        Figure("gap_cv", "CV of gaps", bar=0.2),
        MISSING,
        Figure("cpu_share", "share of a CPU", bar=0.10, is_relative=False),
    ),
    10_000: (
        Figure("p50_us", "lateness p50, us", bar=50),
        Figure("p99_us", "lateness p99, us", bar=200),
        Figure("gap_cv", "CV of gaps", bar=0.6),
        MISSING,
        Figure("cpu_share", "share of a CPU"),
    ),
}
POISSON_FIGURES = (
    Figure("gap_cv", "CV of gaps", bar=0.03, centre=1.0, is_relative=False),
    Figure("distance", "distance from exponential gaps", bar=0.02, is_relative=False),
    Figure("missing", "planned in the mean, less arrived", is_relative=False),
)
HEADER = ["arrivals", "figure", "engine (range)", "bare sender (range)", "ratio", "bar", "verdict"]


def run(settings: Settings) -> Section:
    """Measure constant arrivals at two rates, Poisson arrivals, and an engine that shares its CPU."""
    section = Section(tables=[Table("Punctuality, stamped by the server", HEADER)])
    section.tables[0].notes.append(
        "Lateness is measured from the most punctual request of the same run. Medians over rounds; "
        f"a bar holds too where the median ratio to the bare sender is at most {RELATIVE_BAR}, "
        "except for Poisson arrivals, CPU and missing requests."
    )
    for rate, figures in FIGURES.items():
        pairs = _pairs(settings, settings.rounds, rate, CONSTANT_SECONDS, poisson=False)
        _judge(section, f"{rate:,}/s", figures, pairs)
    rounds = min(POISSON_ROUNDS, settings.rounds)
    pairs = _pairs(settings, rounds, POISSON_RATE, POISSON_SECONDS, poisson=True)
    _judge(section, f"{POISSON_RATE:,}/s Poisson", POISSON_FIGURES, pairs)
    shared_cpu.add_to(section, settings)
    return section


def _pairs(
    settings: Settings, rounds: int, rate: int, seconds: int, *, poisson: bool
) -> list[Pair]:
    generators = (Engine(settings.engine), Sender(settings.workbench))
    pairs = []
    for number_of_round, goes_first in zip(range(1, rounds + 1), engine_first(), strict=False):
        say(f"punctuality: {rate}/s{' Poisson' * poisson}, round {number_of_round} of {rounds}")
        found = {}
        for generator in generators if goes_first else generators[::-1]:
            found[generator.name] = _arrivals(
                settings, generator, rate, seconds, poisson=poisson, seed=number_of_round
            )
        pairs.append((found[generators[0].name], found[generators[1].name]))
    return pairs


def _arrivals(
    settings: Settings, generator: Generator, rate: int, seconds: int, *, poisson: bool, seed: int
) -> Arrivals:
    words = ("stamp", "--rate", str(rate), "--process", "poisson" if poisson else "constant")
    with workbench_server(settings.workbench, *words) as running:
        load = Load(
            address=running.server.address,
            protocol="h1c",
            connections=CONNECTIONS,
            seconds=seconds,
            rate=rate,
            poisson=poisson,
            seed=seed,
        )
        measured = measure(generator, load)
        stamped = running.finish()
    return figures_of(stamped, rate * seconds, measured.ended.cpu_ns / seconds / 1e9)


def figures_of(stamped: dict[str, Any], planned: int, cpu_share: float) -> Arrivals:
    """Return the figures of one run from what the server stamped.

    How many arrive of a Poisson plan is chance: for it, `missing` only tells.
    """
    found = {
        "gap_cv": stamped["gap_cv"],
        "missing": float(planned - stamped["requests"]),
        "cpu_share": cpu_share,
    }
    if stamped["lateness_ns"]:
        found["p50_us"] = stamped["lateness_ns"]["p50"] / 1000
        found["p99_us"] = stamped["lateness_ns"]["p99"] / 1000
    if stamped["exponential_distance"] is not None:
        found["distance"] = stamped["exponential_distance"]
    return found


def _judge(section: Section, name: str, figures: tuple[Figure, ...], pairs: list[Pair]) -> None:
    section.data[name] = [{"engine": engine, "sender": sender} for engine, sender in pairs]
    for figure in figures:
        engine = [pair[0][figure.key] for pair in pairs]
        sender = [pair[1][figure.key] for pair in pairs]
        ratio = _median_ratio(engine, sender) if figure.is_relative else None
        verdict = section.judge(verdict_of(figure, statistics.median(engine), ratio))
        cells = [_range(engine), _range(sender), number(ratio), _bar(figure), verdict]
        section.tables[0].rows.append([name, figure.name, *cells])


def verdict_of(figure: Figure, engine: float, ratio: float | None) -> Verdict:
    """Judge the engine's median, or how it compares with the bare sender."""
    if figure.bar is None:
        return Verdict.NO_BAR
    if figure.centre is not None:
        return within(engine, figure.centre, figure.bar)
    absolute = at_most(engine, figure.bar)
    return absolute if ratio is None else or_by_ratio(absolute, at_most(ratio, RELATIVE_BAR))


def _median_ratio(engine: list[float], sender: list[float]) -> float | None:
    pairs = zip(engine, sender, strict=True)
    ratios = [mine / bare for mine, bare in pairs if bare]
    return statistics.median(ratios) if ratios else None


def _range(values: list[float]) -> str:
    found = spread(values)
    if found is None:
        return number(None)
    digits = 3 if abs(found.high) < 10 else 0
    ends = f"{number(found.low, digits)}–{number(found.high, digits)}"
    return f"{number(found.median, digits)} ({ends})"


def _bar(figure: Figure) -> str:
    if figure.bar is None:
        return number(None)
    return f"{figure.bar:g}" if figure.centre is None else f"{figure.centre:g} ± {figure.bar:g}"
