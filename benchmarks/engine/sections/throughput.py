"""Requests per CPU-second of the generator, the engine over each peer, in paired rounds."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from benchmarks.engine.generators.bare import ClosedLoop
from benchmarks.engine.generators.engine import Engine
from benchmarks.engine.judgement import Section, Table, Verdict, at_least, number, plain
from benchmarks.engine.load import Generator, Load
from benchmarks.engine.measure import measure
from benchmarks.engine.pairing import PairedRounds, Round, Side, Spread, engine_first, spread
from benchmarks.engine.peers import peer
from benchmarks.engine.rows import ROWS, Row
from benchmarks.engine.servers import Server, nginx, workbench_server
from benchmarks.engine.settings import Settings, say
from loadstone.errors import LoadstoneError

HEADER = [
    "work, server, peer",
    "ratio (range)",
    "rounds that counted",
    "engine us",
    "peer us",
    "server us, engine / peer",
    "bar",
    "aim",
    "verdict",
]


def run(settings: Settings) -> Section:
    """Measure every row that is asked for."""
    section = Section(tables=[Table("Requests per CPU-second of the generator", HEADER)])
    section.tables[0].notes.append(
        "A ratio is that of the rounds in which the server's CPU per request was within 5 %; in "
        "brackets where none was, over all rounds."
    )
    for row in ROWS:
        if settings.rows in row.name:
            say(f"throughput: {row.name}")
            section.data[row.name] = _row(settings, row, section)
    return section


def _row(settings: Settings, row: Row, section: Section) -> dict[str, Any]:
    try:
        rivals = (Engine(settings.engine), _peer(settings, row))
        with _server(settings, row) as server:
            paired = _rounds(settings, row, server, rivals)
    except LoadstoneError as error:
        verdict = section.judge(Verdict.NOT_MEASURED)
        bars = [number(row.bar), number(row.aim)]
        section.tables[0].rows.append([row.name, *["–"] * 5, *bars, verdict])
        section.tables[0].notes.append(f"{row.name}: {error.message}")
        return {"not_measured": error.message}
    ratio = paired.ratio
    judged = at_least(ratio.median, row.bar) if ratio else Verdict.NO_ROUND_COUNTED
    verdict = section.judge(judged)
    section.tables[0].rows.append(_cells(row, paired, verdict))
    return {"row": plain(row), "verdict": verdict, **_data(paired)}


def _rounds(
    settings: Settings, row: Row, server: Server, rivals: tuple[Generator, Generator]
) -> PairedRounds:
    load = Load(
        address=server.address,
        protocol=row.protocol,
        connections=row.connections,
        streams=row.streams,
        seconds=settings.seconds,
        event_loop=row.event_loop,
    )
    paired = PairedRounds(())
    for goes_first in engine_first():
        sides: dict[str, Side] = {}
        for generator in rivals if goes_first else rivals[::-1]:
            sides[generator.name] = measure(generator, load, server_pid=server.pid).side
        engine, other = rivals
        paired = PairedRounds((*paired.rounds, Round(sides[engine.name], sides[other.name])))
        if paired.is_enough(settings.rounds):
            break
    return paired


def _peer(settings: Settings, row: Row) -> Generator:
    return ClosedLoop(settings.workbench) if row.peer == "bare loop" else peer(row.peer)


@contextmanager
def _server(settings: Settings, row: Row) -> Iterator[Server]:
    if row.server == "nginx":
        with nginx(row.protocol) as server:
            yield server
    else:
        words = ("serve", "--protocol", row.protocol)
        with workbench_server(settings.workbench, *words) as running:
            yield running.server


def _cells(row: Row, paired: PairedRounds, verdict: str) -> list[str]:
    rounds = paired.counting or paired.rounds
    return [
        row.name,
        _text(paired.ratio) if paired.ratio else f"({_text(paired.ratio_of_all)})",
        f"{len(paired.counting)} of {len(paired.rounds)}",
        _median_of([each.engine.generator_us for each in rounds]),
        _median_of([each.peer.generator_us for each in rounds]),
        f"{_median_of([each.engine.server_us for each in rounds])} / "
        f"{_median_of([each.peer.server_us for each in rounds])}",
        number(row.bar),
        number(row.aim),
        verdict,
    ]


def _text(found: Spread | None) -> str:
    return f"{found.median:.2f} ({found.low:.2f}–{found.high:.2f})" if found else "–"


def _median_of(values: list[float]) -> str:
    found = spread(values)
    return number(found.median if found else None)


def _data(paired: PairedRounds) -> dict[str, Any]:
    order = islice(engine_first(), len(paired.rounds))
    return {
        "ratio": plain(paired.ratio) if paired.ratio else None,
        "ratio_of_all": plain(paired.ratio_of_all) if paired.ratio_of_all else None,
        "rounds": [
            {
                "first": "engine" if goes_first else "peer",
                "engine": each.engine._asdict(),
                "peer": each.peer._asdict(),
                "ratio": each.ratio,
                "server_ratio": each.server_ratio,
                "counts": each.counts,
            }
            for goes_first, each in zip(order, paired.rounds, strict=True)
        ],
    }
