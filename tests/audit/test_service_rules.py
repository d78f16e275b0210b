"""What is said of a service's quota, of the limit in its place, and of its dependencies."""

from pathlib import Path

import pytest
from changes import MACHINE, held, with_process, with_record, with_use

from loadstone.audit.dependency.costly_dependency import costly_dependency
from loadstone.audit.dependency.dependency_use import dependency_idle
from loadstone.audit.engine.bottleneck import NOTHING, limit_of
from loadstone.audit.rules import audit_run
from loadstone.audit.service.throttling import throttled
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import LimitCause
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import Behaviour, closed, rate

NOTE, WARNING = Severity.NOTE, Severity.WARNING
IDLE = Behaviour(service_cpu_share=0.5)


def pressed(run: WindowedRun, **shares: float) -> WindowedRun:
    return with_record(run, machine=MACHINE.model_copy(update=shares))


def test_where_nothing_was_full_what_remains_is_a_wait(tmp_path: Path) -> None:
    run = observed(tmp_path, IDLE)
    (finding,) = audit_run(run)
    assert finding.code == "service-not-saturated"
    assert finding.evidence.endswith(NOTHING)
    assert limit_of(pressed(run, io_pressure_share=0.09)) == NOTHING
    assert "waited for a disk for 10.0 %" in limit_of(pressed(run, io_pressure_share=0.10))
    assert "waited for memory" in limit_of(pressed(run, memory_pressure_share=0.2))


@pytest.mark.parametrize(("share", "names"), [(0.05, False), (0.06, True)])
def test_a_quota_that_held_the_service_back_was_its_limit(
    tmp_path: Path, share: float, names: bool
) -> None:
    run = with_use(observed(tmp_path, IDLE), "gateway", throttled_share=share)
    assert ("its CPU quota held it back" in limit_of(run)) == names


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (Behaviour(worker_cpu_share=0.95), "a thread of the engine was full"),
        (Behaviour(limits=((LimitCause.CPU, 4),)), "the engine's CPU was used up in 1 interval"),
        (
            Behaviour(bench_cpu_share=0.86, service_cpu_share=0.5),
            "CPU 0, which engine and backend use, was busy 86.0 %",
        ),
        (Behaviour(service_cpu_share=0.97), "its CPUs were taken for 97.0 %, by others too"),
    ],
    ids=["engine thread", "engine interval", "bench CPU", "neighbours"],
)
def test_the_resource_that_was_full_is_named(
    tmp_path: Path, behaviour: Behaviour, words: str
) -> None:
    run = with_use(observed(tmp_path, behaviour), "gateway", cpu_share=0.5)
    assert words in limit_of(run)


def test_all_that_was_full_is_named(tmp_path: Path) -> None:
    run = with_use(observed(tmp_path, IDLE), "gateway", throttled_share=0.2)
    both = limit_of(with_use(run, "backend", cpu_share=1.0))
    assert both.index("its CPU quota held it back") < both.index("; the dependency backend used")


@pytest.mark.parametrize(("used", "names"), [(0.89, False), (0.95, True), (1.2, False)])
def test_one_full_thread_of_several_cpus_is_named(tmp_path: Path, used: float, names: bool) -> None:
    run = observed(tmp_path, IDLE)
    window_ns = run.window.end_ns - run.window.start_ns
    run = with_use(run, "gateway", cpu_ns=round(used * window_ns))
    run = with_process(run, "gateway", cpus=(1, 2, 3))
    assert ("of 3 CPUs, as much as one thread can" in limit_of(run)) == names


@pytest.mark.parametrize(("share", "names"), [(0.89, False), (0.91, True)])
def test_a_dependency_whose_cpu_was_full_is_named(
    tmp_path: Path, share: float, names: bool
) -> None:
    run = with_use(observed(tmp_path, IDLE), "backend", cpu_share=share)
    assert ("the dependency backend used" in limit_of(run)) == names


def held_back(directory: Path, share: float, *, saturated: bool, users: bool) -> list[Finding]:
    behaviour = Behaviour(service_cpu_share=0.95 if saturated else 0.5)
    run = observed(directory, behaviour, closed(20) if users else rate(100))
    run = with_use(run, "gateway", throttled_share=share)
    return list(throttled(with_process(run, "gateway", **held(cpus=0.5))))


@pytest.mark.parametrize(("share", "findings"), [(0.01, 0), (0.011, 1)])
def test_a_rate_that_meets_a_quota_has_the_quotas_times(
    tmp_path: Path, share: float, findings: int
) -> None:
    seen = held_back(tmp_path, share, saturated=False, users=False)
    assert [each.severity for each in seen] == [WARNING] * findings
    assert all("its quota of 0.500 CPUs for 1.10 %" in each.evidence for each in seen)
    assert all("throughput" not in each.metrics for each in seen)


def test_a_quota_that_saturation_fills_is_what_is_measured(tmp_path: Path) -> None:
    (finding,) = held_back(tmp_path, 0.4, saturated=True, users=True)
    assert (finding.severity, finding.metrics) == (NOTE, ())


def test_a_quota_that_hinders_users_without_being_full_touches_their_throughput(
    tmp_path: Path,
) -> None:
    (finding,) = held_back(tmp_path, 0.4, saturated=False, users=True)
    assert finding.severity == WARNING
    assert "throughput" in finding.metrics


@pytest.mark.parametrize(("share", "found"), [(0.2, 0), (0.33, 0), (0.34, 1), (2.0, 1)])
def test_a_dependency_that_takes_a_third_of_the_services_cpu_time_is_noted(
    tmp_path: Path, share: float, found: int
) -> None:
    run = observed(tmp_path)
    used = run.service_resources
    assert used is not None
    assert used.cpu_ns is not None
    findings = list(costly_dependency(with_use(run, "backend", cpu_ns=round(share * used.cpu_ns))))
    assert len(findings) == found
    for finding in findings:
        assert (finding.code, finding.severity) == ("costly-dependency", NOTE)
        assert f"{share * 100:.3g}" in finding.evidence


@pytest.mark.parametrize(("cpu_ns_each", "findings"), [(200, 1), (900, 0), (20_000, 0)])
def test_a_dependency_that_computes_almost_nothing_was_not_asked(
    tmp_path: Path, cpu_ns_each: int, findings: int
) -> None:
    run = observed(tmp_path, Behaviour(median_ms=1), closed(20))
    ok = run.ok_inside()
    assert ok > 100_000
    seen = list(dependency_idle(with_use(run, "backend", cpu_ns=cpu_ns_each * ok)))
    assert [each.severity for each in seen] == [WARNING] * findings
    assert all(each.code == "dependency-skipped" for each in seen)


def test_in_few_requests_the_kernels_clock_sees_no_cpu_time_at_all(tmp_path: Path) -> None:
    run = observed(tmp_path, workload=rate(1000))
    assert list(dependency_idle(with_use(run, "backend", cpu_ns=0))) == []
