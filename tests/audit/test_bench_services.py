"""Services on the bench: apart from the arm's figures, and seen by the rules as what an arm asks."""

from functools import partial
from pathlib import Path

import pytest
from changes import with_record, with_use
from stored_arms import changed, process_with, stored

from loadstone.analysis.figures.run_figures import run_figures
from loadstone.audit.dependency.costly_dependency import costly_dependency
from loadstone.audit.dependency.dependency_use import dependency_idle, dependency_skipped
from loadstone.audit.engine.bottleneck import limit_of
from loadstone.audit.service.startup_clock import coarse_startup_clock
from loadstone.audit.study.symmetry_settings import settings_differ
from loadstone.results.read import StoredRun
from loadstone.results.record import RunRecord
from loadstone.results.resource_facts import ResourceFacts
from loadstone.results.service_facts import StartupFacts
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import Behaviour, rate

MILLISECOND_NS = 1_000_000
OK_REQUESTS = 2000 * 7
"""In the window of a run, about."""
NAME = "bench_service_cpu_per_ok"


def with_prices(record: RunRecord, cpu_ns: int = 0) -> RunRecord:
    """The record with a service on the bench, started before all others."""
    backend = next(each for each in record.processes if each.role == "dependency")
    startup = StartupFacts(
        first_correct_response_ns=50 * MILLISECOND_NS,
        resolution_ns=MILLISECOND_NS,
        attempts=3,
        last_step_ns=40 * MILLISECOND_NS,
    )
    prices = backend.model_copy(
        update={
            "role": "bench",
            "name": "prices",
            "kind": None,
            "label": "rust",
            "startup": startup,
        }
    )
    used = ResourceFacts(cpu_ns=cpu_ns, cpu_share=0.1, rss_peak_bytes=2**30)
    return record.model_copy(
        update={
            "processes": (prices, *record.processes),
            "resources": {**record.resources, "prices": used},
        }
    )


def beside(run: WindowedRun, cpu_ns: int = 0) -> WindowedRun:
    record = with_prices(run.record, cpu_ns)
    return with_record(run, processes=record.processes, resources=record.resources)


def test_it_is_in_none_of_the_figures_of_the_arm_and_has_its_own(tmp_path: Path) -> None:
    run = observed(tmp_path)
    ok = run.ok_inside()
    before, after = run_figures(run), run_figures(beside(run, 7_000 * ok))
    assert after[NAME].value == pytest.approx(7_000, rel=1e-3)
    assert before[NAME].reason == "no service of it has the role bench"
    changed_figures = [name for name in before if before[name] != after[name]]
    assert changed_figures == [NAME]


def test_where_the_probe_could_not_read_it_there_is_no_figure(tmp_path: Path) -> None:
    run = with_use(beside(observed(tmp_path)), "prices", cpu_ns=None)
    assert run_figures(run)[NAME].reason == "the probe could not read it"


@pytest.mark.parametrize(("share", "names"), [(0.89, False), (0.91, True)])
def test_one_whose_cpu_was_full_is_named(tmp_path: Path, share: float, names: bool) -> None:
    run = with_use(beside(observed(tmp_path)), "prices", cpu_share=share)
    assert ("the bench service prices used" in limit_of(run)) == names


def test_what_it_takes_counts_as_what_dependencies_take(tmp_path: Path) -> None:
    run = observed(tmp_path)
    used = run.service_resources
    assert used is not None
    assert used.cpu_ns is not None
    run = with_use(run, "backend", cpu_ns=round(0.2 * used.cpu_ns))
    assert list(costly_dependency(beside(run, round(0.1 * used.cpu_ns)))) == []
    for prices, costliest_first in (
        (0.15, "the dependency backend used 20 % and the bench service prices used 15 %"),
        (0.25, "the bench service prices used 25 % and the dependency backend used 20 %"),
    ):
        (finding,) = costly_dependency(beside(run, round(prices * used.cpu_ns)))
        assert finding.evidence.startswith(costliest_first)
    assert "together 45 %" in finding.evidence


def test_one_that_was_not_asked_at_all_is_none_of_our_business(tmp_path: Path) -> None:
    """Not every operation asks it, as every operation of a gateway asks its backend."""
    run = beside(observed(tmp_path, Behaviour(median_ms=1)))
    assert list(dependency_idle(run)) == []


def test_how_well_its_start_was_seen_does_not_matter(tmp_path: Path) -> None:
    record = observed(tmp_path).record
    assert list(coarse_startup_clock(with_prices(record))) == []
    as_service = tuple(
        each.model_copy(update={"role": "service"}) for each in with_prices(record).processes[:1]
    )
    (finding,) = coarse_startup_clock(record.model_copy(update={"processes": as_service}))
    assert finding.code == "coarse-startup-clock"


def test_its_cpus_must_be_the_same_for_all_arms(tmp_path: Path) -> None:
    runs = stored(tmp_path)
    for arm in ("go", "node"):
        runs = changed(runs, with_prices, arm)
    assert list(settings_differ(runs)) == []
    (finding,) = settings_differ(changed(runs, process_with("prices", cpus=(0, 1))))
    assert "the CPUs of prices was not the same" in finding.evidence


def asked(directory: Path, go_ns: int, node_ns: int) -> list[StoredRun]:
    """The runs of two arms whose bench service computed so long for each ok request."""
    runs = stored(directory, rate(2000, seconds=8, warm_up=1), lag_ms=0.0)
    for arm, each_ns in (("go", go_ns), ("node", node_ns)):
        runs = changed(runs, partial(with_prices, cpu_ns=each_ns * OK_REQUESTS), arm)
    return runs


def test_one_that_did_far_less_for_one_arm_was_not_asked_alike(tmp_path: Path) -> None:
    (finding,) = dependency_skipped(asked(tmp_path, 1_000, 100_000))
    assert finding.evidence.startswith("prices used at most")


def test_arms_under_other_settings_or_with_another_one_are_not_held_against_each_other(
    tmp_path: Path,
) -> None:
    runs = asked(tmp_path, 1_000, 100_000)

    def batched(record: RunRecord) -> RunRecord:
        run = record.run.model_copy(update={"settings": {"strategy": "batched"}})
        return record.model_copy(update={"run": run})

    assert list(dependency_skipped(changed(runs, batched))) == []
    assert list(dependency_skipped(changed(runs, process_with("prices", label="go")))) == []
