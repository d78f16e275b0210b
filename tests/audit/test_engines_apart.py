"""What is said of a run whose engines were on machines of their own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from changes import with_record

from loadstone.analysis.figures.engine_figures import engine_figures
from loadstone.audit.engine.bottleneck import full_database
from loadstone.audit.machine.engines_apart import (
    clock_apart,
    engines_not_together,
    far_apart,
    generator_not_alone,
    network_full,
    unequal_engines,
)
from loadstone.audit.machine.shared_cpus import service_not_apart
from loadstone.audit.rules import audit_run
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Clock, Outcome
from loadstone.results.clock_facts import ClockSplit, ClockSummary
from loadstone.results.database_work import DatabaseWork
from loadstone.results.engine_load import EngineLoad, MachineLoad, NetworkFacts
from loadstone.results.environment import ClockOffset
from loadstone.results.record import ProcessFacts
from loadstone.results.resource_facts import CpuBusy, ProbeFacts, ResourceFacts
from loadstone.results.window import WindowedRun
from observed import observed

MS = 1_000_000
CODES = {
    "clock-apart",
    "far-apart",
    "engines-not-together",
    "unequal-engines",
    "generator-not-alone",
    "network-full",
}


def offset(ns: int = 0, *, bound_ns: int = 10_000, trip_ns: int = 20_000) -> ClockOffset:
    return ClockOffset(offset_ns=ns, bound_ns=bound_ns, round_trip_ns=trip_ns)


def network(**changes: object) -> NetworkFacts:
    facts = NetworkFacts(
        length_ns=10 * 10**9,
        sent_bytes=10**8,
        received_bytes=10**8,
        segments=100_000,
        retransmitted=0,
        link_bits_per_second=10**9,
    )
    return facts.model_copy(update=changes)


def apart(directory: Path, machines: tuple[str, ...] = ("a", "b"), **of_b: object) -> WindowedRun:
    """A run whose load was shared by machines, the last of which differs."""
    run = observed(directory)
    assert run.record.load is not None
    load = run.record.load.model_copy(update={"arrivals": "rate"})
    each = EngineLoad(
        load=load,
        clock_before=offset(),
        clock_after=offset(),
        cpus=(
            CpuBusy(cpu=0, busy_share=0.01, steal_share=0.0, idle_share=0.99),
            CpuBusy(cpu=1, busy_share=0.3, steal_share=0.0, idle_share=0.7),
        ),
        probe=ProbeFacts(ticks=50, cpu_ns=1),
        network=network(),
    )
    loads = dict.fromkeys(machines, each)
    loads[machines[-1]] = each.model_copy(update=of_b)
    window_ns = run.window.end_ns - run.window.start_ns
    engines = tuple(
        ProcessFacts(
            role="engine", name=f"engine@{name}", machine=name, command="e", pid=1, cpus=(1,)
        )
        for name in machines
    )
    used = ResourceFacts(cpu_ns=round(0.3 * window_ns), cpu_share=0.3, rss_peak_bytes=1)
    others = tuple(each for each in run.record.processes if each.role != "engine")
    found = with_record(
        run,
        loads=loads,
        network=network(),
        processes=(*others, *engines),
        resources={**run.record.resources, **{engine.name: used for engine in engines}},
        load=load,
    )
    return WindowedRun(**{**found.__dict__, "load": load})


def with_dependencies(directory: Path, **of_d: object) -> WindowedRun:
    """The same with dependencies on a machine d."""
    run = apart(directory)
    seen = MachineLoad(
        clock_before=offset(),
        clock_after=offset(),
        cpus=(CpuBusy(cpu=0, busy_share=0.3, steal_share=0.0, idle_share=0.7),),
        probe=ProbeFacts(ticks=50, cpu_ns=1),
        network=network(),
    )
    database = ProcessFacts(
        role="dependency", name="database", machine="d", command="postgres", pid=1, cpus=(0,)
    )
    return with_record(
        run,
        beside={"d": seen.model_copy(update=of_d)},
        processes=(*run.record.processes, database),
        resources={**run.record.resources, "database": run.record.resources["engine@a"]},
    )


def of_load(run: WindowedRun, **changes: object) -> object:
    return run.load.model_copy(update=changes)


def codes(found: list[Finding]) -> list[tuple[str, Severity]]:
    return [(each.code, each.severity) for each in found]


def test_of_alike_machines_that_are_near_nothing_is_said(tmp_path: Path) -> None:
    assert CODES.isdisjoint({each.code for each in audit_run(apart(tmp_path))})
    assert CODES.isdisjoint({each.code for each in audit_run(observed(tmp_path / "one"))})


@pytest.mark.parametrize(
    ("before", "after", "findings"),
    [
        (offset(5 * 10**12), offset(5 * 10**12), 0),
        (offset(bound_ns=MS), offset(), 0),
        (offset(bound_ns=MS + 1), offset(), 1),
        (offset(), offset(bound_ns=MS + 1), 1),
        (offset(), offset(2 * MS), 0),
        (offset(), offset(-2 * MS - 1), 1),
    ],
)
def test_a_clock_that_is_not_known_or_was_set_is_told(
    tmp_path: Path, before: ClockOffset, after: ClockOffset, findings: int
) -> None:
    run = apart(tmp_path, clock_before=before, clock_after=after)
    seen = list(clock_apart(run))
    assert codes(seen) == [("clock-apart", Severity.WARNING)] * findings
    assert all("the clock of b" in each.evidence for each in seen)


def test_starts_are_compared_by_one_clock(tmp_path: Path) -> None:
    run = apart(tmp_path / "shifted")
    began_ns = run.load.started_unix_ns
    shifted = of_load(run, started_unix_ns=began_ns + 5 * 10**12 + 10 * MS)
    exact = apart(tmp_path / "exact", load=shifted, clock_before=offset(5 * 10**12))
    assert list(engines_not_together(exact)) == []
    late = apart(tmp_path / "late", load=shifted, clock_before=offset(5 * 10**12 - 1))
    assert codes(list(engines_not_together(late))) == [("engines-not-together", Severity.WARNING)]
    assert list(engines_not_together(apart(tmp_path / "one", ("a",), load=shifted))) == []


def test_unequal_shares_of_a_rate_are_told(tmp_path: Path) -> None:
    run = apart(tmp_path / "equal")
    ok = run.load.outcomes[Outcome.OK]
    workers = 1
    for offered, findings in ((ok - workers - round(0.01 * ok) + 1, 0), (round(0.97 * ok), 1)):
        less = of_load(run, outcomes={Outcome.OK: offered})
        seen = list(unequal_engines(apart(tmp_path / str(offered), load=less)))
        assert codes(seen) == [("unequal-engines", Severity.WARNING)] * findings
    assert "a offered" in seen[0].evidence


@pytest.mark.parametrize(
    ("slower", "trip_ns", "findings"),
    [(1.09, 20_000, 0), (1.2, 20_000, 1), (1.2, 20_000 + MS, 0)],
)
def test_an_engine_that_finds_the_service_slower_is_told(
    tmp_path: Path, slower: float, trip_ns: int, findings: int
) -> None:
    run = apart(tmp_path / "equal")
    name, operation = next(iter(run.load.operations.items()))

    def at(mean_ns: float) -> object:
        ok = ClockSummary(count=100, min_ns=1, mean_ns=mean_ns, max_ns=10 * MS)
        clocks = {**operation.clocks, Clock.SERVICE_TIME: ClockSplit(ok=ok)}
        return of_load(run, operations={name: operation.model_copy(update={"clocks": clocks})})

    changed = apart(
        tmp_path / "slower", load=at(2 * MS * slower), clock_before=offset(trip_ns=trip_ns)
    )
    loads = {**changed.record.loads}
    loads["a"] = loads["a"].model_copy(update={"load": at(2 * MS)})
    seen = list(unequal_engines(with_record(changed, loads=loads)))
    assert codes(seen) == [("unequal-engines", Severity.WARNING)] * findings


@pytest.mark.parametrize(("busy", "findings"), [(0.39, 0), (0.42, 1)])
def test_others_on_an_engines_machine_are_told(tmp_path: Path, busy: float, findings: int) -> None:
    """Of two CPUs the engine used 0.3 of one: another 0.1 are 5 % of both."""
    cpus = (
        CpuBusy(cpu=0, busy_share=0.0, steal_share=0.0, idle_share=1.0),
        CpuBusy(cpu=1, busy_share=busy, steal_share=0.0, idle_share=1 - busy),
    )
    seen = list(generator_not_alone(apart(tmp_path, cpus=cpus)))
    assert codes(seen) == [("generator-not-alone", Severity.WARNING)] * findings


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (network(sent_bytes=10**9), None),
        (network(sent_bytes=10**9 + 10**6), "carried 80.1 % of what its link can"),
        (network(received_bytes=2 * 10**9, link_bits_per_second=None), None),
        (network(retransmitted=100), None),
        (network(retransmitted=101), "lost 101 of 100000 segments"),
        (None, None),
    ],
)
def test_a_full_or_lossy_network_is_told(
    tmp_path: Path, facts: NetworkFacts | None, words: str | None
) -> None:
    seen = list(network_full(apart(tmp_path, network=facts)))
    assert codes(seen) == [("network-full", Severity.WARNING)] * bool(words)
    assert all(words is not None and f"b {words}" in each.evidence for each in seen)
    of_service = with_record(apart(tmp_path / "service"), network=facts)
    assert len(list(network_full(of_service))) == bool(words)


def median_of(directory: Path) -> int:
    values, counts = observed(directory).histogram(Clock.RESPONSE_TIME, ok=True).recorded
    return int(values[counts.cumsum().searchsorted(counts.sum() / 2)])


def test_a_way_that_is_a_part_of_the_response_times_is_told(tmp_path: Path) -> None:
    median_ns = median_of(tmp_path / "median")
    severities: dict[str, list[tuple[str, Severity]]] = {}
    trips: dict[str, Callable[[], WindowedRun]] = {
        "near": lambda: apart(tmp_path / "near"),
        "all": lambda: apart(
            tmp_path / "all", ("a",), clock_before=offset(trip_ns=round(0.11 * median_ns))
        ),
        "one": lambda: apart(
            tmp_path / "one", clock_before=offset(trip_ns=round(0.15 * median_ns) + 20_000)
        ),
    }
    for name, run in trips.items():
        severities[name] = codes(list(far_apart(run())))
    assert severities == {
        "near": [],
        "all": [("far-apart", Severity.NOTE)],
        "one": [("far-apart", Severity.WARNING)],
    }


def test_each_engine_is_told_apart_over_the_runs_of_an_arm(tmp_path: Path) -> None:
    lost = network(retransmitted=100)
    runs = [
        apart(tmp_path / "one", network=lost, clock_before=offset(trip_ns=50_000)),
        apart(tmp_path / "two", clock_after=offset(bound_ns=30_000), cpus=()),
    ]
    a, b = engine_figures(runs)
    assert (a.machine, a.runs, a.request_share, a.busy_share) == ("a", 2, 0.5, pytest.approx(0.155))
    assert (a.round_trip_ns, a.clock_bound_ns, a.retransmitted_share) == (20_000, 10_000, 0.0)
    assert (b.machine, b.request_share, b.busy_share) == ("b", 0.5, pytest.approx(0.155))
    assert (b.round_trip_ns, b.clock_bound_ns) == (35_000, 30_000)
    assert b.retransmitted_share == pytest.approx(0.0005)
    assert a.service_time_ns is not None
    assert a.service_time_ns == b.service_time_ns
    assert engine_figures([observed(tmp_path / "beside")]) == ()


def test_of_a_quiet_machine_of_dependencies_that_is_near_nothing_is_said(tmp_path: Path) -> None:
    assert CODES.isdisjoint({each.code for each in audit_run(with_dependencies(tmp_path))})


def test_the_machine_of_dependencies_is_held_to_the_same_rules(tmp_path: Path) -> None:
    (clock,) = clock_apart(with_dependencies(tmp_path / "1", clock_after=offset(-3 * MS)))
    assert clock.evidence.startswith("the clock of d is known to")
    assert clock.metrics == ("database_cpu_per_ok",)
    busy = CpuBusy(cpu=0, busy_share=0.36, steal_share=0.0, idle_share=0.64)
    (others,) = generator_not_alone(with_dependencies(tmp_path / "2", cpus=(busy,)))
    assert "of the CPUs of d, which is there for dependencies" in others.evidence
    lossy = network(retransmitted=101)
    (full,) = network_full(with_dependencies(tmp_path / "3", network=lossy))
    assert "the network of d lost 101 of 100000 segments" in full.evidence


def test_a_way_to_the_database_that_is_a_part_of_the_response_times_is_told(
    tmp_path: Path,
) -> None:
    trip_ns = round(0.11 * median_of(tmp_path / "median"))
    far = with_dependencies(tmp_path / "far", clock_before=offset(trip_ns=trip_ns))
    (found,) = far_apart(far)
    assert found.severity is Severity.NOTE
    assert "a round trip to d, which is there for dependencies, takes" in found.evidence


def with_a_service_apart(directory: Path, busy: float, database_share: float = 0.2) -> WindowedRun:
    """A run whose called service has another behind it, on CPU 0 of a machine d, where others take the
    rest of what is busy; CPU 0 of this machine is the engine's.
    """
    run = observed(directory)
    window_ns = run.window.end_ns - run.window.start_ns
    users = ProcessFacts(
        role="service", name="users", machine="d", command="users", pid=1, cpus=(0,)
    )
    database = ProcessFacts(
        role="dependency",
        name="database",
        machine="d",
        command="postgres",
        pid=2,
        cpus=(0,),
        database_work=DatabaseWork.model_validate(dict.fromkeys(DatabaseWork.model_fields, 1)),
    )
    used = ResourceFacts(cpu_ns=round(0.2 * window_ns), cpu_share=0.2, rss_peak_bytes=1)
    seen = MachineLoad(
        clock_before=offset(),
        clock_after=offset(-3 * MS),
        cpus=(CpuBusy(cpu=0, busy_share=busy, steal_share=0.0, idle_share=1 - busy),),
        probe=ProbeFacts(ticks=50, cpu_ns=1),
        network=network(),
    )
    return with_record(
        run,
        beside={"d": seen},
        processes=(*run.record.processes, users, database),
        resources={
            **run.record.resources,
            "users": used,
            "database": used.model_copy(update={"cpu_ns": round(database_share * window_ns)}),
        },
    )


def test_cpus_of_a_service_apart_are_those_of_its_machine(tmp_path: Path) -> None:
    alone, run = observed(tmp_path / "alone"), with_a_service_apart(tmp_path / "apart", 0.95)
    assert run.service_cpus == alone.service_cpus + 1
    assert run.busiest_bench_cpu == alone.busiest_bench_cpu, "CPU 0 here is not the service's"
    assert run.service_resources is not None
    assert alone.service_resources is not None
    assert run.service_resources.cpu_ns == pytest.approx(
        (alone.service_resources.cpu_ns or 0) + 0.2 * (run.window.end_ns - run.window.start_ns)
    )
    assert list(service_not_apart(run)) == []


def test_a_database_beside_a_service_is_full_by_the_cpus_of_their_machine(tmp_path: Path) -> None:
    assert full_database(with_a_service_apart(tmp_path / "idle", 0.75, 0.5)) is None
    full = full_database(with_a_service_apart(tmp_path / "full", 0.95, 0.5))
    assert full == "it used 50.0 % of CPU 0, busy 95.0 % in all"
    crowded = with_a_service_apart(tmp_path / "crowded", 0.95)
    assert full_database(crowded) is None, "others took more of it than the database"


def test_the_machine_of_a_service_is_held_to_the_same_rules(tmp_path: Path) -> None:
    run = with_a_service_apart(tmp_path, 0.95)
    (clock,) = clock_apart(run)
    assert clock.metrics == ("cpu_per_ok",)
    (others,) = generator_not_alone(run)
    assert "others took 55.0 % of the CPUs of d, which is there for services" in others.evidence
