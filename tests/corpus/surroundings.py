"""Defects: what else went on where the service ran."""

from pathlib import Path

from corpus.machine import Machine, flat
from corpus.model import Defect
from corpus.runs import run_of
from corpus.scenario import Scenario
from corpus.service import Service
from corpus.workloads import load
from loadstone.results.record import RunRecord
from loadstone.results.service_facts import AddressFacts


def crowded(share: float) -> Service:
    """A service that has its CPU for the rest of the time."""
    return Service(held_back=lambda _: 1 / (1 - share))


def clock_jump(seed: int, strength: float, directory: Path) -> Path:
    machine = Machine(clock_steps=((20.05, strength),))
    return run_of(directory, seed, Scenario(machine=machine))


def neighbour(seed: int, strength: float, directory: Path) -> Path:
    machine = Machine(neighbour=flat(strength), cpu_pressure=flat(0.04 + 0.9 * strength))
    return run_of(directory, seed, Scenario(service=crowded(strength), machine=machine))


def stolen(seed: int, strength: float, directory: Path) -> Path:
    machine = Machine(steal=flat(0.002 + strength))
    return run_of(directory, seed, Scenario(service=crowded(strength), machine=machine))


def short_of_memory(seed: int, strength: float, directory: Path) -> Path:
    machine = Machine(memory_pressure=flat(strength), io_pressure=flat(strength / 2))
    return run_of(directory, seed, Scenario(service=crowded(strength), machine=machine))


def waiting_for_the_disk(seed: int, strength: float, directory: Path) -> Path:
    machine = Machine(io_pressure=flat(strength))
    return run_of(directory, seed, Scenario(service=crowded(strength), machine=machine))


def bench_cpu(seed: int, strength: float, directory: Path) -> Path:
    """Work of others on the CPU of engine and backend, which both become late by it."""
    machine = Machine(bench_neighbour=flat(strength))
    return run_of(directory, seed, Scenario(machine=machine), load(8))


def shares_the_engines_cpu(seed: int, strength: float, directory: Path) -> Path:
    """A service that was running already, and may use every CPU."""

    def told(record: RunRecord) -> RunRecord:
        address = AddressFacts(url="http://127.0.0.1:8080", not_found=None)
        return record.model_copy(update={"address": address})

    scenario = Scenario(process={"cpus": (0, 1) if strength else (1,)}, told=told)
    return run_of(directory, seed, scenario, load(rate=100))


def coarse_clock(seed: int, strength: float, directory: Path) -> Path:
    """A probe that did not run in the last part of a start of 50 ms."""

    def told(record: RunRecord) -> RunRecord:
        service, *others = record.processes
        assert service.startup is not None
        last_step_ns = round(strength * service.startup.first_correct_response_ns)
        startup = service.startup.model_copy(update={"last_step_ns": last_step_ns})
        service = service.model_copy(update={"startup": startup})
        return record.model_copy(update={"processes": (service, *others)})

    return run_of(directory, seed, Scenario(told=told))


DEFECTS = (
    Defect("clock that jumps", ("clock-jump",), (0.0, 0.05, 1.0, 60.0), 1.0, "seconds", clock_jump),
    Defect(
        "busy neighbour",
        ("busy-neighbour",),
        (0.0, 0.05, 0.2, 0.5),
        0.2,
        "share of the service's CPU",
        neighbour,
    ),
    Defect("stolen CPU", ("steal",), (0.0, 0.05, 0.15, 0.4), 0.15, "share of the CPUs", stolen),
    Defect(
        "short of memory",
        ("pressure",),
        (0.0, 0.05, 0.2, 0.5),
        0.2,
        "share of the time",
        short_of_memory,
    ),
    Defect(
        "waiting for the disk",
        ("pressure",),
        (0.0, 0.05, 0.2, 0.5),
        0.2,
        "share of the time",
        waiting_for_the_disk,
    ),
    Defect(
        "busy CPU of the bench",
        ("bench-cpu-busy",),
        (0.0, 0.5, 0.9),
        0.9,
        "share of that CPU",
        bench_cpu,
    ),
    Defect(
        "service on the engine's CPU",
        ("service-not-apart",),
        (0.0, 1.0),
        1.0,
        "whether it is",
        shares_the_engines_cpu,
    ),
    Defect(
        "start-up clock that did not look",
        ("coarse-startup-clock",),
        (0.0, 0.04, 0.2),
        0.2,
        "share of the start",
        coarse_clock,
    ),
)
