"""Rules on databases and on what a service asks, on both sides of each threshold."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from changes import with_process, with_record, with_use

from loadstone.audit.dependency.costly_dependency import costly_dependency, database_limited
from loadstone.audit.dependency.database_use import database_idle, statements_skipped
from loadstone.audit.dependency.dependency_use import dependency_idle, dependency_skipped
from loadstone.audit.engine.saturation import service_not_saturated
from loadstone.findings.model import Severity
from loadstone.metrics.outcomes import Outcome
from loadstone.results.database_work import DatabaseWork
from loadstone.results.read import StoredRun, read_results
from loadstone.results.record import ProcessFacts
from loadstone.results.resource_facts import CpuBusy
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import Behaviour, build_results, rate

NOTHING = DatabaseWork(**dict.fromkeys(DatabaseWork.model_fields, 0))
BENCH_CPU, SERVICE_CPU = 0, 1


def asked(statements: int) -> DatabaseWork:
    return NOTHING.model_copy(update={"select": statements})


def behind_database(run: WindowedRun, statements: int) -> WindowedRun:
    """The run with its backend as a database that was sent so many statements."""
    return with_process(run, "backend", database_work=asked(statements), kind="mariadb")


@pytest.mark.parametrize(("statements_each", "found"), [(0.0, 1), (0.009, 1), (0.011, 0), (1, 0)])
def test_a_database_that_hardly_a_request_asked_is_idle(
    tmp_path: Path, statements_each: float, found: int
) -> None:
    run = observed(tmp_path, workload=rate(1000))
    run = behind_database(run, round(statements_each * run.whole_ok))
    findings = list(database_idle(run))
    assert [each.code for each in findings] == ["database-idle"] * found
    assert all("at least 0.0100 for each" in each.evidence for each in findings)


def test_of_a_database_statements_are_read_and_no_cpu_time(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(median_ms=1))
    run = with_use(behind_database(run, run.whole_ok), "backend", cpu_ns=200)
    assert list(database_idle(run)) == []
    assert list(dependency_idle(run)) == []


def stored(directory: Path, statements: dict[str, float]) -> list[StoredRun]:
    """A study of arms that send so many statements for each ok request."""
    arms = {arm: Behaviour() for arm in statements}
    results = build_results(directory, arms=arms, workloads=(rate(200, seconds=5),), blocks=2)
    found = []
    for run in read_results(results).runs:
        record = run.record
        assert record is not None
        work = asked(round(statements[run.planned.arm] * record.outcomes[Outcome.OK]))
        processes = tuple(_of_database(each, work) for each in record.processes)
        changed = record.model_copy(update={"processes": processes})
        found.append(StoredRun(run.planned, run.directory, changed))
    return found


def _of_database(process: ProcessFacts, work: DatabaseWork) -> ProcessFacts:
    if process.role != "dependency":
        return process
    return process.model_copy(update={"database_work": work, "kind": "mariadb"})


@pytest.mark.parametrize(("each", "found"), [(0.0, 1), (0.49, 1), (0.51, 0), (1.0, 0), (2.0, 0)])
def test_an_arm_that_sends_less_than_half_of_the_others_statements_is_told(
    tmp_path: Path, each: float, found: int
) -> None:
    runs = stored(tmp_path, {"go": each, "node": 1.0, "rust": 1.0})
    findings = list(statements_skipped(runs))
    assert [(every.code, every.scope) for every in findings] == [
        ("dependency-skipped", "arm:go/rate")
    ] * found
    assert list(dependency_skipped(runs)) == []  # of a database no CPU time is compared


def test_an_arm_that_sends_twice_as_many_accuses_nobody(tmp_path: Path) -> None:
    runs = stored(tmp_path, {"go": 2.0, "node": 1.0, "rust": 1.0})
    assert list(statements_skipped(runs)) == []


def under_setting(runs: Sequence[StoredRun], arm: str) -> list[StoredRun]:
    """The runs of which one arm has another level of a setting."""
    found = []
    for run in runs:
        record = run.record
        assert record is not None
        level = {"strategy": "batched" if run.planned.arm == arm else "sequential"}
        own = record.run.model_copy(update={"settings": level})
        found.append(StoredRun(run.planned, run.directory, record.model_copy(update={"run": own})))
    return found


def test_arms_under_different_settings_are_not_held_against_each_other(tmp_path: Path) -> None:
    runs = stored(tmp_path, {"go": 0.1, "node": 1.0, "rust": 1.0})
    assert len(list(statements_skipped(runs))) == 1
    assert list(statements_skipped(under_setting(runs, "go"))) == []


def costly(run: WindowedRun, share: float) -> WindowedRun:
    """The run whose backend took this share of the service's CPU time."""
    used = run.service_resources
    assert used is not None
    assert used.cpu_ns is not None
    return with_use(run, "backend", cpu_ns=round(share * used.cpu_ns))


def test_a_costly_dependency_is_named(tmp_path: Path) -> None:
    (finding,) = costly_dependency(costly(observed(tmp_path), 0.4))
    assert finding.evidence == (
        "the dependency backend used 40 % of the CPU time that the service used for the same "
        "requests (at most 33.33 %)"
    )
    assert finding.advice.startswith("compare CPU per ok, which is the service's alone")


def test_with_a_database_the_costs_of_both_are_the_result(tmp_path: Path) -> None:
    (finding,) = costly_dependency(behind_database(costly(observed(tmp_path), 0.4), 100))
    assert finding.evidence.startswith("the database backend used 40 % of the CPU time")
    assert "database_cpu_per_ok beside cpu_per_ok" in finding.advice


def with_country(run: WindowedRun, cpu_ns: int | None) -> WindowedRun:
    """The run with a service on the bench that took so much CPU time."""
    country = ProcessFacts(
        role="bench", name="country", command="./country", pid=7, cpus=(BENCH_CPU,)
    )
    used = run.record.resources["backend"].model_copy(update={"cpu_ns": cpu_ns})
    return with_record(
        run,
        processes=(*run.record.processes, country),
        resources={**run.record.resources, "country": used},
    )


def test_each_costly_part_is_named_with_its_own(tmp_path: Path) -> None:
    run = costly(observed(tmp_path), 0.2)
    run = with_country(run, run.record.resources["backend"].cpu_ns)
    (finding,) = costly_dependency(run)
    assert finding.evidence == (
        "the dependency backend used 20 % and the bench service country used 20 % of the CPU time "
        "that the service used for the same requests (together 40 %, at most 33.33 %)"
    )


def test_a_part_that_took_next_to_nothing_is_not_named(tmp_path: Path) -> None:
    (finding,) = costly_dependency(with_country(costly(observed(tmp_path), 0.4), 0))
    assert "country" not in finding.evidence
    assert "together" not in finding.evidence


def saturating(directory: Path, *, service: float, database: float, busy: float) -> WindowedRun:
    """Closed users, with the CPU time that the service, the database and all on the bench used."""
    run = observed(directory, Behaviour(service_cpu_share=service))
    window_ns = run.window.end_ns - run.window.start_ns
    run = with_use(run, "gateway", cpu_ns=round(service * window_ns), cpu_share=service)
    run = with_use(run, "backend", cpu_ns=round(database * window_ns), cpu_share=database)
    cpus = (
        CpuBusy(cpu=BENCH_CPU, busy_share=busy, steal_share=0.0),
        CpuBusy(cpu=SERVICE_CPU, busy_share=service, steal_share=0.0),
    )
    return behind_database(with_record(run, cpus=cpus), run.whole_ok)


@pytest.mark.parametrize(
    ("service", "database", "busy", "limited"),
    [
        (0.6, 0.91, 0.91, True),  # full by itself
        (0.6, 0.60, 0.86, True),  # more than any other on a crowded CPU
        (0.6, 0.60, 0.84, False),  # not crowded
        (0.6, 0.05, 0.97, False),  # crowded, by another
        (0.95, 0.91, 0.97, False),  # the service is full, too
    ],
)
def test_a_database_that_closed_users_filled_before_the_service_was_the_limit(
    tmp_path: Path, service: float, database: float, busy: float, limited: bool
) -> None:
    run = saturating(tmp_path, service=service, database=database, busy=busy)
    findings = list(database_limited(run))
    assert [(each.code, each.severity, each.metrics) for each in findings] == [
        ("database-limited", Severity.WARNING, ("throughput",))
    ] * limited
    assert all(
        each.evidence.startswith("the database's CPU was the limit: it used") for each in findings
    )
    assert len(list(service_not_saturated(run))) == (service < 0.9 and not limited)
    is_costly = database / service > 1 / 3
    assert len(list(costly_dependency(run))) == (is_costly and not limited)


def test_without_a_database_nothing_is_called_its_limit(tmp_path: Path) -> None:
    run = saturating(tmp_path, service=0.6, database=0.95, busy=0.97)
    run = with_process(run, "backend", database_work=None)
    assert list(database_limited(run)) == []
    assert len(list(service_not_saturated(run))) == 1


def test_a_rate_fills_nothing(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(service_cpu_share=0.5), rate(100))
    assert list(database_limited(behind_database(run, 10))) == []
