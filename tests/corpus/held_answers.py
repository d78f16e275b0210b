"""Defects: answers that wait for a timer of the network, and services that wait for what is no CPU."""

from pathlib import Path

from corpus.model import Clean, Defect
from corpus.runs import run_of
from corpus.scenario import Scenario
from corpus.service import Service, lognormal
from corpus.workloads import load
from loadstone.results.record import RunRecord

TICK_MS = 4
"""Of a kernel that counts 250 a second: a timer ends by so much later."""


def held(share: float, wait_ms: float) -> Service:
    """A share of the answers waits for a timer, once the work is done."""

    def network_ms(number: float) -> float:
        return wait_ms + TICK_MS * number / share if number < share else 0.0

    return Service(work_ms=2, workers=1000, cpu_share=0.2, network_ms=network_ms)


def delayed_acknowledgement(seed: int, strength: float, directory: Path) -> Path:
    return run_of(directory, seed, Scenario(service=held(strength, 40)), load(rate=200))


def delayed_for_users(seed: int, strength: float, directory: Path) -> Path:
    return run_of(directory, seed, Scenario(service=held(strength, 40)), load(4))


def sent_again(seed: int, strength: float, directory: Path) -> Path:
    return run_of(directory, seed, Scenario(service=held(strength, 200)), load(rate=200))


def upstream_connects_again(seed: int, strength: float, directory: Path) -> Path:
    """The service opens connections to its upstream, and the first packet of some is lost."""
    return run_of(directory, seed, Scenario(service=held(strength, 1000)), load(rate=200))


def connects_again(seed: int, strength: float, directory: Path) -> Path:
    """Some of 50 connections are opened by a second packet only."""
    scenario = Scenario(service=held(0, 0), lost_first_packets=strength)
    return run_of(directory, seed, scenario, load(rate=200))


def pinned_by_a_lock(seed: int, strength: float, directory: Path) -> Path:
    """One at a time, with the CPU idle for a share of that time."""
    service = Service(cpu_share=1 - strength, draws=lognormal(0.05))
    return run_of(directory, seed, Scenario(service=service), load(50))


def one_in_ten_sleeps(seed: int, directory: Path) -> Path:
    """For 50 ms, in the service's own code."""
    service = Service(
        work_ms=2,
        workers=1000,
        cpu_share=0.2,
        network_ms=lambda number: 50.0 if number < 0.1 else 0.0,
    )
    return run_of(directory, seed, Scenario(service=service), load(rate=200))


def cached(seed: int, directory: Path) -> Path:
    """A hit takes 10 ms, a miss 37 ms."""
    service = Service(
        work_ms=10,
        workers=1000,
        cpu_share=0.05,
        draws=lognormal(0.03),
        network_ms=lambda number: 27.0 if number < 0.3 else 0.0,
    )
    return run_of(directory, seed, Scenario(service=service), load(rate=200))


def delayed_backend(seed: int, directory: Path) -> Path:
    """A backend that was started with a delay, which users who wait for it do not fill the CPU by."""

    def told(record: RunRecord) -> RunRecord:
        processes = tuple(
            each.model_copy(update={"settings": {"delay": "50ms"}})
            if each.role == "dependency"
            else each
            for each in record.processes
        )
        return record.model_copy(update={"processes": processes})

    service = Service(work_ms=1, workers=1000, waits_ms=50)
    return run_of(directory, seed, Scenario(service=service, told=told), load(8))


SHARES = (0.0, 0.002, 0.01, 0.33)

DEFECTS = (
    Defect(
        "answers after a delayed acknowledgement",
        ("network-timer",),
        SHARES,
        0.01,
        "share of the answers",
        delayed_acknowledgement,
    ),
    Defect(
        "users after a delayed acknowledgement",
        ("network-timer",),
        SHARES,
        0.33,
        "share of the answers",
        delayed_for_users,
    ),
    Defect(
        "answers that were lost and sent again",
        ("network-timer",),
        SHARES,
        0.01,
        "share of the answers",
        sent_again,
    ),
    Defect(
        "connections that a service opens anew",
        ("network-timer",),
        SHARES,
        0.01,
        "share of the answers",
        upstream_connects_again,
    ),
    Defect(
        "connections whose first packet is lost",
        ("network-timer",),
        (0.0, 0.1, 0.5),
        0.1,
        "share of the connections",
        connects_again,
    ),
    Defect(
        "service pinned by a lock",
        ("waits-not-on-cpu",),
        (0.0, 0.6, 0.84),
        0.84,
        "share of the time that its CPU is idle",
        pinned_by_a_lock,
    ),
)

CLEAN = (
    Clean("one request in ten sleeps for 50 ms", one_in_ten_sleeps),
    Clean("hits after 10 ms, misses after 37 ms", cached),
    Clean(
        "backend with a delay",
        delayed_backend,
        {"service-not-saturated": "its users wait for the backend's delay"},
    ),
)
