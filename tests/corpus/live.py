"""Real servers under the real engine: as `loadstone bench` loads them, a few seconds each.

A server has a CPU of its own where there are two, as in a study. Findings on the machine are true of
the one that the corpus runs on.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus.answers import contract
from corpus.model import Clean, Defect
from corpus.workloads import load
from loadstone.contract.samples import check_samples
from loadstone.measure.loading.engine_plan import EngineOptions
from loadstone.measure.loading.url_load import load_url
from loadstone.results import folder
from loadstone.results.record import CheckFacts
from loadstone.study.values.model import Protocol, Workload

SERVERS = Path(__file__).parent / "servers"
SECONDS = 6
END_SECONDS = 10
SHARES = (0.0, 0.05, 0.25)

OF_THE_MACHINE = "of the machine that the corpus runs on"
NOISE = dict.fromkeys(
    (
        "bench-cpu-busy",
        "busy-neighbour",
        "engine-waited",
        "generator-late",
        "generator-saturated",
        "generator-stalled",
        "pressure",
        "steal",
    ),
    OF_THE_MACHINE,
)


def users(count: int = 10, **changes: object) -> Workload:
    return load(count, seconds=SECONDS, warm_up=0, **changes)  # type: ignore[arg-type]


def rate(per_second: float, **changes: object) -> Workload:
    return load(rate=per_second, seconds=SECONDS, warm_up=0, **changes)  # type: ignore[arg-type]


@contextmanager
def running(name: str, strength: float) -> Iterator[str]:
    """Start a server of the folder, and give its URL."""
    cpus = sorted(os.sched_getaffinity(0))

    def apart() -> None:
        os.sched_setaffinity(0, cpus[-1:])

    server = subprocess.Popen(
        [sys.executable, SERVERS / f"{name}.py", str(strength)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=apart,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(server.stdout.readline())}"
    finally:
        server.stdin.close()
        try:
            server.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        server.stdout.close()


def loaded(directory: Path, url: str, workload: Workload) -> Path:
    """Load a URL, and hold what was sampled against the contract, as a run of a study is."""
    record = load_url(
        workload,
        url,
        directory,
        protocol=Protocol.H1C,
        allowed=[],
        cpus=tuple(sorted(os.sched_getaffinity(0))[:1]),
        options=EngineOptions(),
        on_progress=lambda _: None,
    )
    samples = check_samples(contract(), directory / folder.SAMPLES, workload.sampled)
    checks = (CheckFacts(when="samples", checked=samples.checked, failed=samples.failed),)
    path = directory / folder.RECORD
    path.write_text(record.model_copy(update={"checks": checks}).model_dump_json(indent=1))
    return directory


def under(name: str, workload: Workload) -> Callable[[int, float, Path], Path]:
    """A server of the folder under a load; nothing in it depends on the seed."""

    def make(_: int, strength: float, directory: Path) -> Path:
        with running(name, strength) as url:
            return loaded(directory, url, workload)

    return make


def healthy(name: str, workload: Workload, strength: float = 0.0) -> Callable[[int, Path], Path]:
    make = under(name, workload)
    return lambda seed, directory: make(seed, strength, directory)


DEFECTS = (
    Defect(
        "live: hung users",
        ("unanswered",),
        (0.0, 0.1, 0.3),
        0.3,
        "share of the connections",
        under("forgets", users(20)),
        live=True,
    ),
    Defect(
        "live: connections that nobody accepts",
        ("not-accepted",),
        (0.0, 0.1, 0.3),
        0.3,
        "share of the connections",
        under("stops_accepting", users(20)),
        live=True,
    ),
    Defect(
        "live: 503 storm",
        ("failures",),
        (0.0, 0.5, 2.0),
        0.5,
        "seconds of 6",
        under("sheds", rate(200)),
        live=True,
    ),
    Defect(
        "live: bodies that are cut",
        ("failures",),
        SHARES,
        0.05,
        "share of the answers",
        under("cuts", rate(200)),
        live=True,
    ),
    Defect(
        "live: connection churn",
        ("connection-churn",),
        (0.0, 0.1, 1.0),
        1.0,
        "connections a request",
        under("closes", users(4)),
        live=True,
    ),
    Defect(
        "live: stalls",
        ("service-stalls",),
        (0.0, 0.1, 0.5),
        0.5,
        "seconds, every 2 s",
        under("stands_still", rate(200)),
        live=True,
    ),
    Defect(
        "live: service that ends in mid-load",
        ("failures",),
        (0.0, 1.0, 3.0),
        1.0,
        "seconds before the end",
        under("ends", rate(200)),
        live=True,
    ),
    Defect(
        "live: worker that is started anew",
        ("service-restarted",),
        (0.0, 1.0, 2.0),
        1.0,
        "times",
        under("restarts", rate(200)),
        live=True,
    ),
    Defect(
        "live: wrong bodies under load only",
        ("contract",),
        (0.0, 0.5, 1.0),
        1.0,
        "share of the answers with others in flight",
        under("mixes_up", users(10)),
        live=True,
    ),
    Defect(
        "live: arrivals that wait for connections",
        ("no-free-connection",),
        (0.0, 20.0, 60.0),
        60.0,
        "ms of each answer, with 10 connections for 200 requests a second",
        under("waits", rate(200, connections=10)),
        live=True,
    ),
    Defect(
        "live: throughput pinned by pauses",
        ("pinned-throughput",),
        (20.0,),
        20.0,
        "ms of each answer, under users that pause 1 s",
        under("waits", users(20, think_ms=1000)),
        live=True,
    ),
)

CLEAN = (
    Clean("live: echo, users", healthy("http_server", users(10)), NOISE, live=True),
    Clean("live: echo, one user", healthy("http_server", users(1)), NOISE, live=True),
    Clean("live: echo, constant rate", healthy("http_server", rate(300)), NOISE, live=True),
    Clean(
        "live: echo, Poisson rate",
        healthy("http_server", rate(300, poisson=True)),
        NOISE,
        live=True,
    ),
    Clean("live: slow but correct", healthy("waits", rate(50), 300.0), NOISE, live=True),
    Clean(
        "live: a connection for each request, as planned",
        healthy("closes", users(4, new_connections=True), 1.0),
        NOISE,
        live=True,
    ),
)
