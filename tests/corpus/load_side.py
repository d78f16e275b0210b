"""Defects: the generator, its connections and its plan are what was measured."""

from dataclasses import replace
from pathlib import Path

from corpus.model import Defect
from corpus.runs import run_of
from corpus.scenario import Scenario
from corpus.service import Sender, Service
from corpus.workloads import load
from loadstone.results.load_facts import SpokenFacts
from loadstone.results.record import RunRecord

RATE = 80
AT_EASE = Service(work_ms=1, workers=1000, waits_ms=20, cpu_share=0.5)
"""Far from any limit of its own."""


def saturated(seed: int, strength: float, directory: Path) -> Path:
    """A generator whose thread computes a share of the time."""
    sender = Sender(cpu_ms=strength * 1000 / RATE)
    return run_of(directory, seed, Scenario(service=AT_EASE, sender=sender), load(rate=RATE))


def late(seed: int, strength: float, directory: Path) -> Path:
    """A generator that is woken late, for every request."""
    sender = Sender(lag_ms=0.03 + strength)
    return run_of(directory, seed, Scenario(service=AT_EASE, sender=sender), load(rate=RATE))


def stalled(seed: int, strength: float, directory: Path) -> Path:
    """A generator that is kept from running three times."""
    spans = tuple((at, at + strength) for at in (11.3, 19.1, 30.7)) if strength else ()
    scenario = Scenario(service=AT_EASE, sender=Sender(stalls=spans))
    return run_of(directory, seed, scenario, load(rate=RATE))


def too_few_connections(seed: int, strength: float, directory: Path) -> Path:
    """A rate that would keep more connections busy than it may have."""
    service = replace(AT_EASE, waits_ms=strength * 5 / RATE * 1000)
    return run_of(directory, seed, Scenario(service=service), load(rate=RATE, connections=5))


def pinned(seed: int, strength: float, directory: Path) -> Path:
    """Users who pause: how many requests there are is theirs to say, and not the service's."""
    service = Service(work_ms=4)
    return run_of(directory, seed, Scenario(service=service), load(40, think_ms=strength))


def wrong_protocol(seed: int, strength: float, directory: Path) -> Path:
    """A peer that offers HTTP/2 and speaks HTTP/1.1."""

    def told(record: RunRecord) -> RunRecord:
        assert record.load is not None
        spoken = SpokenFacts(
            http="1.1" if strength else "2", alpn=None, tls_version=None, cipher_suite=None
        )
        summary = record.load.model_copy(update={"protocol": "h2c", "spoken": spoken})
        return record.model_copy(update={"load": summary})

    return run_of(directory, seed, Scenario(told=told))


def churn(seed: int, strength: float, directory: Path) -> Path:
    """A service that closes connections that were meant to be kept."""
    each = 1 / strength if strength else None
    scenario = Scenario(requests_a_connection=None if each is None else round(each))
    return run_of(directory, seed, scenario)


def missing_connections(seed: int, strength: float, directory: Path) -> Path:
    """Users whose connection is never accepted."""
    refused = round(strength * 20)
    service = Service(accepts=lambda user: user >= refused)
    return run_of(directory, seed, Scenario(service=service), load(20))


DEFECTS = (
    Defect(
        "saturated generator",
        ("generator-saturated",),
        (0.3, 0.8, 0.95, 1.1),
        0.95,
        "share of its thread's time",
        saturated,
    ),
    Defect(
        "generator with little to spare",
        ("generator-busy",),
        (0.3, 0.6, 0.8),
        0.8,
        "share of its thread's time",
        saturated,
    ),
    Defect("late generator", ("generator-late",), (0.0, 1.0, 10.0, 30.0), 10.0, "ms", late),
    Defect(
        "generator kept from running",
        ("generator-stalled",),
        (0.0, 0.05, 0.15, 0.5),
        0.5,
        "seconds, three times",
        stalled,
    ),
    Defect(
        "arrivals that wait for connections",
        ("no-free-connection",),
        (0.0, 0.5, 1.0, 1.2),
        1.0,
        "connections needed for each allowed",
        too_few_connections,
    ),
    Defect(
        "rate that was not achieved",
        ("rate-not-achieved",),
        (0.0, 0.5, 1.1, 1.5),
        1.5,
        "connections needed for each allowed",
        too_few_connections,
    ),
    Defect(
        "throughput pinned by pauses",
        ("pinned-throughput",),
        (0.0, 20.0, 200.0, 1000.0),
        1000.0,
        "ms of think time, where 40 users wait for 160 ms without any",
        pinned,
    ),
    Defect(
        "wrong protocol spoken",
        ("wrong-protocol",),
        (0.0, 1.0),
        1.0,
        "whether it is",
        wrong_protocol,
    ),
    Defect(
        "connection churn",
        ("connection-churn",),
        (0.0, 0.01, 0.1, 1.0),
        1.0,
        "connections a request",
        churn,
    ),
    Defect(
        "fewer connections than requested",
        ("connections-missing",),
        (0.0, 0.05, 0.25, 0.5),
        0.25,
        "share of the connections",
        missing_connections,
    ),
)
