"""`python -m benchmarks.tls`: the CPU time of a full handshake, and of a request on a kept connection,
at both ends, for builds of engine and echo backend that differ in their cryptography.

Both ends of a run are of one build. A round is one run of each build, in turns from the first to the
last and back (ABBA), so that a drift of the machine cancels; a figure is the median of the rounds. Load
goes to 127.0.0.1 only.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.engine import cpu
from benchmarks.engine.certificate import Certificate, make_certificate
from benchmarks.engine.generator_run import Command, run
from benchmarks.engine.generators.engine import plan
from benchmarks.engine.judgement import Table
from benchmarks.engine.load import Load
from benchmarks.engine.measure import stay_off_the_generator
from benchmarks.engine.servers import ListeningServer
from benchmarks.engine.settings import SERVER_CPU, say
from loadstone.errors import ExitCode, LoadstoneError
from loadstone.machine import ownership
from loadstone.measure.loading.engine_plan import CIPHER_SUITE

SECONDS = 30
"""A run ends with its count; this is the most that it may take."""


@dataclass(frozen=True)
class Work:
    """One kind of work, the same for every build."""

    name: str
    protocol: str
    users: int
    count: int
    connections: str
    offers_all: bool = False
    """Every suite and key exchange that the engine has, as `bench` does; else what a study offers."""


WORKS = (
    Work("full handshake, as in a study", "h1", 4, 2_000, "per_request"),
    Work("full handshake, all offered", "h1", 4, 2_000, "per_request", offers_all=True),
    Work("request on a kept h1 connection", "h1", 64, 60_000, "kept"),
    Work("request on a kept h2 connection", "h2", 64, 60_000, "kept"),
)


class Build(NamedTuple):
    """A folder with `loadstone-engine` and `loadstone-echo`."""

    name: str
    folder: Path


class Cost(NamedTuple):
    """CPU time by request, microseconds."""

    engine_us: float
    echo_us: float
    agreed: str


def main(arguments: list[str]) -> ExitCode:
    """Measure, print a table and keep all figures."""
    parsed = _parser().parse_args(arguments)
    ownership.sweep()
    stay_off_the_generator()
    costs: dict[str, dict[str, list[Cost]]] = {}
    try:
        with ownership.scratch_directory() as scratch:
            certificate = make_certificate(scratch)
            for work in WORKS:
                costs[work.name] = _rounds(work, parsed.build, parsed.rounds, certificate)
    except LoadstoneError as error:
        say(f"error: {error.message}")
        return ExitCode.COULD_NOT_RUN
    sys.stdout.write(_table(costs).markdown() + "\n")
    if parsed.keep:
        kept = {
            work: {build: [cost._asdict() for cost in rounds] for build, rounds in builds.items()}
            for work, builds in costs.items()
        }
        parsed.keep.write_text(json.dumps(kept, indent=1) + "\n")
    return ExitCode.OK


def _rounds(
    work: Work, builds: list[Build], rounds: int, certificate: Certificate
) -> dict[str, list[Cost]]:
    found: dict[str, list[Cost]] = {build.name: [] for build in builds}
    for number in range(rounds):
        say(f"{work.name}: round {number + 1} of {rounds}")
        for build in builds if number % 2 == 0 else builds[::-1]:
            found[build.name].append(_measure(work, build, certificate))
    return found


def _measure(work: Work, build: Build, certificate: Certificate) -> Cost:
    words = ["--protocol", work.protocol]
    words += ["--tls-certificate", str(certificate.chain), "--tls-key", str(certificate.key)]
    with (
        _echo(build.folder / "loadstone-echo", words) as echo,
        ownership.scratch_directory() as out,
    ):
        load = Load(echo.server.address, work.protocol, work.users, SECONDS)
        only = {} if work.offers_all else {"cipher_suite": CIPHER_SUITE}
        asked = plan(load) | {"count": work.count, "connections": work.connections}
        asked["tls"] |= only
        engine = str(build.folder / "loadstone-engine")
        words = [engine, "run", "--plan", "-", "--out", str(out / "records")]
        before_ns = cpu.process_ns(echo.server.pid)
        ended = run(Command(words, json.dumps(asked)), out, seconds=SECONDS)
        echo_ns = cpu.process_ns(echo.server.pid) - before_ns
    summary = json.loads(ended.stdout_or_fail(build.name).splitlines()[-1])["summary"]
    _hold(work, summary)
    return Cost(
        ended.cpu_ns / work.count / 1000,
        echo_ns / work.count / 1000,
        f"{summary['spoken']['tls_version']} {summary['spoken']['cipher_suite']}",
    )


def _hold(work: Work, summary: dict[str, Any]) -> None:
    handshakes = summary["connections"]["full_handshakes"]
    expected = work.count if work.connections == "per_request" else work.users
    if summary["outcomes"]["ok"] != work.count or handshakes != expected:
        raise LoadstoneError(f"{work.name}: {summary['outcomes']}, {handshakes} full handshakes")


@contextmanager
def _echo(program: Path, words: list[str]) -> Iterator[ListeningServer]:
    running = ListeningServer(program, words, SERVER_CPU)
    try:
        yield running
    finally:
        running.kill()


def _table(costs: dict[str, dict[str, list[Cost]]]) -> Table:
    header = [
        "work",
        "build",
        "engine us (range)",
        "of the first",
        "echo us (range)",
        "of the first",
    ]
    table = Table("CPU time over TLS, by build", header)
    for work, builds in costs.items():
        first = next(iter(builds.values()))
        for build, rounds in builds.items():
            cells = [work, build]
            for side in (0, 1):
                values = [float(cost[side]) for cost in rounds]
                ratios = [
                    float(cost[side]) / float(base[side])
                    for cost, base in zip(rounds, first, strict=True)
                ]
                cells += [_text(values, 2), _text(ratios, 3)]
            table.rows.append(cells)
    return table


def _text(values: list[float], digits: int) -> str:
    middle, low, high = statistics.median(values), min(values), max(values)
    return f"{middle:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.tls",
        description="Measure builds of engine and echo backend over TLS, on this machine alone.",
        epilog="Example: python -m benchmarks.tls ring=/tmp/ring aws-lc=/tmp/aws-lc",
    )
    parser.add_argument("build", nargs="+", type=_build, metavar="NAME=FOLDER")
    parser.add_argument("--rounds", type=int, default=7, help="default 7")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write all figures there")
    return parser


def _build(text: str) -> Build:
    name, _, folder = text.partition("=")
    return Build(name, Path(folder).resolve())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
