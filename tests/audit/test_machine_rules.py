"""What is said of the machine: neighbours, pressure, a clock that was set, CPUs that are shared."""

from pathlib import Path

import pytest
from changes import MACHINE, with_process, with_record, with_use

from loadstone.audit.machine.neighbours import WAKING_NS, busy_neighbour
from loadstone.audit.machine.pressure_and_clock import CLOCK_JUMP_NS, clock_jump, pressure
from loadstone.audit.machine.shared_cpus import service_not_apart
from loadstone.findings.model import Finding, Severity
from loadstone.results.resource_facts import CpuBusy, ResourceFacts
from loadstone.results.window import WindowedRun
from observed import observed

NOTE, WARNING = Severity.NOTE, Severity.WARNING
MIB = 2**20


def on_machine(directory: Path, **facts: object) -> WindowedRun:
    return with_record(observed(directory), machine=MACHINE.model_copy(update=facts))


@pytest.mark.parametrize(
    ("facts", "severities"),
    [
        ({}, []),
        ({"memory_pressure_share": 0.01}, []),
        ({"memory_pressure_share": 0.011}, [WARNING]),
        ({"memory_pressure_share": None, "swapped_bytes": MIB}, []),
        ({"memory_pressure_share": None, "swapped_bytes": MIB + 1}, [WARNING]),
        ({"io_pressure_share": 0.10}, []),
        ({"io_pressure_share": 0.11}, [NOTE]),
        ({"io_pressure_share": 0.5, "memory_pressure_share": 0.5}, [WARNING, NOTE]),
    ],
)
def test_a_machine_short_of_memory_or_disk_is_told(
    tmp_path: Path, facts: dict[str, object], severities: list[Severity]
) -> None:
    seen = list(pressure(on_machine(tmp_path, **facts)))
    assert [each.severity for each in seen] == severities
    assert {each.code for each in seen} <= {"pressure"}


@pytest.mark.parametrize(
    ("jump_ns", "words"),
    [
        (None, None),
        (CLOCK_JUMP_NS, None),
        (CLOCK_JUMP_NS + 1, "set forward by 2.00 ms"),
        (-(10**9), "set back by 1.00 s"),
    ],
)
def test_a_wall_clock_that_was_set_is_told(
    tmp_path: Path, jump_ns: int | None, words: str | None
) -> None:
    seen = list(clock_jump(on_machine(tmp_path, clock_jump_ns=jump_ns)))
    assert [(each.code, each.severity) for each in seen] == [("clock-jump", WARNING)] * bool(words)
    assert all(words is not None and words in each.evidence for each in seen)


def test_without_facts_of_the_machine_nothing_is_said_of_it(tmp_path: Path) -> None:
    run = observed(tmp_path)
    assert (list(pressure(run)), list(clock_jump(run)), list(busy_neighbour(run))) == ([], [], [])


def neighbours(directory: Path, busy_share: float, *, switches: int = 0) -> list[Finding]:
    """Of a run whose processes use 0.8 of two CPUs, with the second so busy and the first idle."""
    run = observed(directory)
    each_ns = round(0.2 * (run.window.end_ns - run.window.start_ns))
    use = ResourceFacts(
        cpu_ns=each_ns, cpu_share=0.2, rss_peak_bytes=1, voluntary_switches=switches
    )
    cpus = (
        CpuBusy(cpu=0, busy_share=0.0, steal_share=0.0, idle_share=1.0),
        CpuBusy(cpu=1, busy_share=busy_share, steal_share=0.0, idle_share=1 - busy_share),
    )
    resources = {each.name: use for each in run.record.processes}
    return list(busy_neighbour(with_record(run, cpus=cpus, resources=resources)))


@pytest.mark.parametrize(("busy_share", "findings"), [(0.8, 0), (0.899, 0), (0.901, 1)])
def test_cpu_time_that_nobody_of_the_run_used_is_a_neighbours(
    tmp_path: Path, busy_share: float, findings: int
) -> None:
    seen = neighbours(tmp_path, busy_share)
    assert [(each.code, each.severity) for each in seen] == [("busy-neighbour", WARNING)] * findings
    assert all("used 0.800: others took 0.101 (at most 0.100)" in each.evidence for each in seen)


def test_waking_up_is_no_neighbour(tmp_path: Path) -> None:
    """Each of four processes wakes 10 000 times in 8 s: at 5 us together 0.025 of a CPU."""
    assert 4 * 10_000 * WAKING_NS / 8e9 == 0.025
    assert neighbours(tmp_path / "below", 0.92, switches=10_000) == []
    assert len(neighbours(tmp_path / "above", 0.93, switches=10_000)) == 1


def test_a_neighbour_cannot_be_told_where_a_part_of_the_run_was_not_seen(tmp_path: Path) -> None:
    run = observed(tmp_path)
    cpus = tuple(each.model_copy(update={"idle_share": 0.0}) for each in run.record.cpus)
    used = ResourceFacts(cpu_ns=0, cpu_share=0.0, rss_peak_bytes=1)
    resources = {each.name: used for each in run.record.processes}
    seen = with_record(run, cpus=cpus, resources=resources)
    assert len(list(busy_neighbour(seen))) == 1
    assert list(busy_neighbour(with_use(seen, "engine", cpu_ns=None))) == []
    sampled = tuple(each.model_copy(update={"idle_share": None}) for each in cpus)
    assert list(busy_neighbour(with_record(seen, cpus=sampled))) == []


@pytest.mark.parametrize(("cpus", "findings"), [((0,), 1), ((0, 1), 1), ((1,), 0)])
def test_a_service_that_shares_the_engines_cpu_is_told(
    tmp_path: Path, cpus: tuple[int, ...], findings: int
) -> None:
    """As on a machine of one CPU, or by a `placement` that says so."""
    run = with_process(observed(tmp_path), "gateway", cpus=cpus)
    seen = list(service_not_apart(run))
    assert [(each.code, each.severity) for each in seen] == (
        [("service-not-apart", WARNING)] * findings
    )
    assert all("go may use CPU 0, as the engine does" in each.evidence for each in seen)
    assert all("placement" in each.advice for each in seen)
