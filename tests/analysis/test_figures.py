"""Figures of runs and arms, from results folders whose truth is known."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

from loadstone.analysis.analyse import analyse
from loadstone.analysis.cells.cell import _standing, examine_cell
from loadstone.analysis.cells.run import figures_of_run
from loadstone.analysis.chart_model import CurvePoint
from loadstone.analysis.figures.run_figures import connection_figure, run_figures
from loadstone.analysis.model import Analysis, ArmFigure, Cell, RunFigure
from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.findings.scope import Subject
from loadstone.metrics.catalogue import METRICS
from loadstone.metrics.outcomes import ConnectionClock
from loadstone.results import folder
from loadstone.results.histogram_log import Key
from loadstone.results.histograms import Histogram
from loadstone.results.read import read_record, read_results
from loadstone.results.runtime_figures import PauseFacts, RuntimeFigures
from loadstone.results.service_facts import AddressFacts
from loadstone.results.window import read_windowed_run
from loadstone.simulate.intervals import CONNECT_NS
from results_builder import Behaviour, build_results, rate

EXACT = Behaviour(median_ms=10, spread=0, run_spread=0, lag_ms=0)
"""Every request takes 10 ms."""


def cell(analysis: Analysis, arm: str = "go") -> Cell:
    return next(each for each in analysis.cells if each.arm == arm)


def figure(analysis: Analysis, metric: str, arm: str = "go") -> ArmFigure:
    return next(each for each in cell(analysis, arm).figures if each.metric == metric)


def analysed(directory: Path, behaviour: Behaviour, **options: object) -> Analysis:
    options = {"workloads": (rate(100),), "blocks": 3, "block_spread": 0.0, **options}
    return analyse(build_results(directory, arms={"go": behaviour}, **options))[0]


def test_a_service_of_10_ms_has_10_ms_everywhere(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, EXACT)
    for metric in ("mean", "median", "p90", "p95", "p99", "max"):
        # Three significant digits: what the histograms resolve.
        assert figure(analysis, f"response_time.{metric}").value == pytest.approx(10e6, rel=1e-3)
    assert figure(analysis, "throughput").value == 100
    assert figure(analysis, "failures").value == 0
    assert figure(analysis, "startup").value == 50e6
    assert figure(analysis, "rss_peak").value == 64 * 2**20
    assert figure(analysis, "cpu_per_ok").value == pytest.approx(100_000, rel=1e-3)


PAUSES = PauseFacts(count=4, total_ns=30, share=0.03, longest_ns=20, median_ns=None, p99_ns=None)
TOLD = RuntimeFigures(
    source="jvm-gc-log",
    clock_resolution_ns=1,
    collections=4,
    unread_collections=0,
    gc_pauses=PAUSES,
    gc_not_measured=None,
    heap_after_full_gc_bytes=3 * 2**20,
    heap_not_measured=None,
)


def runtime_figure(directory: Path, metric: str, told: RuntimeFigures | None) -> RunFigure:
    results = build_results(directory, arms={"go": EXACT}, workloads=(rate(100),), blocks=1)
    (path,) = (results / folder.RUNS).iterdir()
    record = read_record(path / folder.RECORD)
    processes = tuple(
        each.model_copy(update={"runtime_figures": told}) for each in record.processes
    )
    changed = record.model_copy(update={"processes": processes})
    return run_figures(read_windowed_run(changed, path))[metric]


def test_what_the_runtime_tells_is_a_figure(tmp_path: Path) -> None:
    assert runtime_figure(tmp_path / "gc", "gc_share", TOLD).value == 0.03
    assert runtime_figure(tmp_path / "heap", "heap_after_gc", TOLD).value == 3 * 2**20


def test_no_pause_is_0_and_no_source_is_not_measured(tmp_path: Path) -> None:
    none = PAUSES.model_copy(update={"count": 0, "total_ns": 0, "share": 0.0})
    paused_never = TOLD.model_copy(update={"gc_pauses": none})
    assert runtime_figure(tmp_path / "never", "gc_share", paused_never).value == 0
    mute = TOLD.model_copy(
        update={
            "gc_pauses": None,
            "gc_not_measured": "it has none",
            "heap_after_full_gc_bytes": None,
            "heap_not_measured": "nobody can",
        }
    )
    gc = runtime_figure(tmp_path / "mute", "gc_share", mute)
    assert (gc.state, gc.reason) == ("not measured", "it has none")
    untold = runtime_figure(tmp_path / "cpu", "gc_cpu_share", mute)
    assert (untold.state, untold.reason) == ("not measured", "not told: it has none")
    heap = runtime_figure(tmp_path / "heap", "heap_after_gc", mute)
    assert (heap.state, heap.reason) == ("not measured", "nobody can")
    unasked = runtime_figure(tmp_path / "unasked", "gc_share", None)
    assert (unasked.state, unasked.reason) == ("not measured", "the runtime was not asked")


def test_the_cpu_of_a_collector_is_held_against_that_of_its_service(tmp_path: Path) -> None:
    used = TOLD.model_copy(update={"collector_cpu_ns": 5_000_000})
    share = runtime_figure(tmp_path / "told", "gc_cpu_share", used).value
    twice = used.model_copy(update={"collector_cpu_ns": 10_000_000})
    assert share is not None
    assert 0 < share < 1
    assert runtime_figure(tmp_path / "twice", "gc_cpu_share", twice).value == pytest.approx(
        2 * share
    )
    pauses_alone = runtime_figure(tmp_path / "jvm", "gc_cpu_share", TOLD)
    assert pauses_alone.reason == "not told: the runtime's log has no CPU time of collections"


def test_response_time_holds_the_lag_and_service_time_does_not(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, Behaviour(median_ms=10, spread=0, run_spread=0, lag_ms=0.9))
    assert figure(analysis, "response_time.p99").value == pytest.approx(10.9e6, rel=1e-3)
    assert figure(analysis, "service_time.p99").value == pytest.approx(10e6, rel=1e-3)


def test_the_first_byte_counts_from_the_write(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, Behaviour(median_ms=10, spread=0, run_spread=0, lag_ms=0.9))
    for metric in ("first_byte.mean", "first_byte.median", "first_byte.p99"):
        assert figure(analysis, metric).value == pytest.approx(7.5e6, rel=1e-3)


def test_times_of_connections_are_of_those_that_were_opened_in_the_window(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, EXACT, workloads=(rate(100, warm_up=0),))
    assert figure(analysis, "connect.median").value == pytest.approx(CONNECT_NS, rel=1e-3)
    few = figure(analysis, "connect.p99")
    assert (few.state, few.reason) == (
        "too few samples",
        "50 connections, 299 needed (in 3 of 3 runs)",
    )
    no_tls = figure(analysis, "tls.p99")
    assert (no_tls.state, no_tls.reason) == ("not measured", "no TLS handshake ended in the window")


def test_connections_of_six_blocks_together_reach_what_those_of_one_do_not(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, EXACT, workloads=(rate(100, warm_up=0),), blocks=6)
    pooled = figure(analysis, "connect.p99")
    assert pooled.pooled
    assert pooled.value == pytest.approx(CONNECT_NS, rel=1e-3)


def test_connections_that_were_opened_in_the_warm_up_have_no_times(tmp_path: Path) -> None:
    found = figure(analysed(tmp_path, EXACT), "connect.median")
    assert (found.state, found.reason) == ("not measured", "no connection was opened in the window")


def test_connections_that_failed_rank_above_the_others(tmp_path: Path) -> None:
    (run,) = (build_results(tmp_path, arms={"go": EXACT}, blocks=1) / folder.RUNS).iterdir()
    windowed = read_windowed_run(read_record(run / folder.RECORD), run)
    opened = Histogram(np.array([0] * 1024 + [9]), unit_magnitude=0, half_magnitude=10)
    for times, state in ((1, "value"), (10, "failed")):
        failed = Histogram(opened.counts * times, unit_magnitude=0, half_magnitude=10)
        histograms = {
            Key("", ConnectionClock.CONNECT, ok=True): opened,
            Key("", ConnectionClock.CONNECT, ok=False): failed,
        }
        changed = dataclasses.replace(windowed, histograms=histograms)
        found = connection_figure([changed], ConnectionClock.CONNECT, 0.5)
        assert found.state == state
    assert found.reason == "90 of 99 connections were not ok"


def test_every_metric_of_a_load_has_a_figure_in_its_order(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, EXACT)
    assert [each.metric for each in cell(analysis).figures] == [
        info.name for info in METRICS if "load" in info.kinds
    ]


def test_an_arm_is_the_geometric_mean_of_its_runs_and_shows_their_extremes(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, Behaviour(run_spread=0.2))
    found = figure(analysis, "response_time.median")
    values = [run.value for run in found.runs if run.value is not None]
    assert len(values) == 3
    assert found.value == pytest.approx(math.prod(values) ** (1 / 3))
    assert (found.low, found.high) == (min(values), max(values))


def test_a_share_that_can_be_0_is_averaged_arithmetically(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, Behaviour(failing_share=0.004))
    found = figure(analysis, "failures")
    values = [run.value for run in found.runs if run.value is not None]
    assert found.value == pytest.approx(sum(values) / 3)


def test_a_quantile_beyond_one_run_is_pooled_and_has_no_extremes(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, Behaviour(), workloads=(rate(200),), blocks=2)
    found = figure(analysis, "response_time.p99.9")
    assert found.pooled
    assert found.state == "value"
    assert (found.low, found.high) == (None, None)
    assert found.reason.startswith("one run has too few samples: 16")


def test_a_quantile_beyond_all_runs_together_is_not_printed(tmp_path: Path) -> None:
    found = figure(analysed(tmp_path, EXACT), "response_time.p99.9")
    assert found.value is None
    assert found.state == "too few samples"
    assert "2995 needed" in found.reason


def test_a_quantile_that_falls_among_the_failed_requests_reads_failed(tmp_path: Path) -> None:
    # Four of a thousand fail: below what is withheld, and above the largest of the ok ones.
    analysis = analysed(tmp_path, Behaviour(failing_share=0.004))
    assert figure(analysis, "response_time.p99").state == "value"
    largest = figure(analysis, "response_time.max")
    assert largest.state == "failed"
    assert "requests were not ok" in largest.reason
    assert largest.value is None


def test_what_a_rule_withholds_is_replaced_by_the_rule(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, Behaviour(failing_share=0.2))
    for metric in ("response_time.p99", "throughput", "cpu_per_ok"):
        found = figure(analysis, metric)
        assert (found.value, found.state, found.reason) == (
            None,
            "withheld",
            "failures (in 3 of 3 runs)",
        )
    assert figure(analysis, "failures").value == pytest.approx(0.2, abs=0.05)
    assert figure(analysis, "startup").state == "value"
    assert cell(analysis).curve == ()


@pytest.mark.parametrize(
    ("failing_share", "reason"),
    [(0.0, "contract (in 1 of 3 runs)"), (0.2, "failures, contract (in 3 of 3 runs)")],
    ids=["one run", "one run for more reasons than the others"],
)
def test_withheld_runs_withhold_the_figure_of_the_arm(
    tmp_path: Path, failing_share: float, reason: str
) -> None:
    behaviour = Behaviour(failing_share=failing_share)
    results = build_results(
        tmp_path, arms={"go": behaviour}, workloads=(rate(100),), blocks=3, block_spread=0
    )
    path = max((results / folder.RUNS).iterdir()) / folder.RECORD
    path.write_text(
        path.read_text().replace(
            '"checked": 10,\n   "failed": []', '"checked": 10,\n   "failed": ["B3: cut"]'
        )
    )
    found = figure(analyse(results)[0], "throughput")
    assert (found.state, found.reason) == ("withheld", reason)


def test_a_failed_run_leaves_the_figure_to_the_others(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, Behaviour(failing_blocks=(2,), missing_blocks=(3,)), blocks=4)
    found = figure(analysis, "throughput")
    assert found.value == pytest.approx(100, rel=0.01)
    assert [run.state for run in found.runs] == ["value", "not measured", "not measured", "value"]
    assert "it exited with 3" in found.runs[1].reason
    assert (cell(analysis).runs_completed, cell(analysis).runs_planned) == (2, 4)
    assert [text.partition(": ")[2] for text in analysis.failed_runs] == [
        "start-up: it exited with 3",
        "run: not done",
    ]


def test_an_arm_of_which_no_run_was_completed_has_no_figure(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, Behaviour(failing_blocks=(1, 2, 3)))
    assert {each.state for each in cell(analysis).figures} == {"not measured"}
    assert cell(analysis).curve == ()
    assert cell(analysis).series == ()


def test_outcomes_of_a_cell_are_those_of_its_windows(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, EXACT)
    # 8 s of the window at 100 a second, and what ended with the first interval of it.
    assert cell(analysis).outcomes["ok"] == pytest.approx(3 * 800, abs=6)
    assert sum(cell(analysis).outcomes.values()) == cell(analysis).outcomes["ok"]


def test_a_curve_is_bounded_rises_and_ends_where_the_samples_end(tmp_path: Path) -> None:
    curve = cell(analysed(tmp_path, Behaviour())).curve
    assert 20 < len(curve) <= 60
    assert [point.value_ns for point in curve] == sorted(point.value_ns for point in curve)
    assert curve[0].quantile == 0
    assert 0.99 < curve[-1].quantile < 0.999


def test_a_curve_ends_below_the_first_quantile_that_is_withheld() -> None:
    points = tuple(CurvePoint(quantile=q, value_ns=1) for q in (0.1, 0.5, 0.95, 0.99, 0.995))

    def shown(*metrics: str) -> list[float]:
        figures = [ArmFigure(metric=name, value=None, state="withheld") for name in metrics]
        return [point.quantile for point in _standing(points, figures)]

    assert shown("throughput", "service_time.p99", "response_time.mean") == [
        point.quantile for point in points
    ]
    assert shown("response_time.p99", "response_time.p99.9") == [0.1, 0.5, 0.95]
    assert shown("response_time.median", "response_time.p99") == []


def test_a_curve_ends_where_failures_begin(tmp_path: Path) -> None:
    curve = cell(analysed(tmp_path, Behaviour(failing_share=0.004))).curve
    assert 0.9 < curve[-1].quantile < 1 - 0.002


def test_a_series_has_a_point_for_every_second_of_the_load(tmp_path: Path) -> None:
    series = cell(analysed(tmp_path, EXACT)).series
    assert [run.block for run in series] == [1, 2, 3]
    first = series[0]
    assert list(first.seconds) == [second + 0.5 for second in range(10)]
    assert set(first.throughput[1:]) == {100}
    assert first.response_time_mean_ns[5] == first.response_time_p99_ns[5] == 10e6
    assert set(first.failures) == {0}
    assert sum(first.offered) == pytest.approx(sum(first.throughput))
    columns = [told for told in first.model_dump().values() if isinstance(told, tuple)]
    assert {len(column) for column in columns} <= {0, 10}
    assert (first.startup_ns, first.steady_by) == (50e6, None)


@pytest.mark.parametrize("subject", [scope.STUDY, scope.arm("go", "rate")])
def test_a_finding_on_the_study_or_the_arm_withholds_the_figure_of_the_arm(
    tmp_path: Path, subject: Subject
) -> None:
    results = build_results(tmp_path, arms={"go": EXACT}, workloads=(rate(100),), blocks=1)
    doubt = Finding(
        code="drift",
        severity=Severity.WITHHOLD,
        subject=subject,
        metrics=("throughput",),
        evidence="seen",
        advice="none",
    )
    examined = examine_cell(read_results(results).runs, "load", [doubt])
    assert examined.figure("throughput").state == "withheld"
    assert examined.figure("throughput").reason == "drift"
    assert examined.figure("failures").state == "value"


def test_of_a_service_that_was_running_already_what_is_not_known_says_why(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": EXACT}, workloads=(rate(100),), blocks=1)
    run = next((results / folder.RUNS).iterdir())
    record = read_record(run / folder.RECORD)
    address = AddressFacts(url="http://192.0.2.1:80", not_found="it is on another machine")
    others = tuple(each for each in record.processes if each.role != "service")
    found = figures_of_run(record.model_copy(update={"address": address, "processes": others}), run)
    assert found["startup"].reason == "the service was running already"
    for name in ("cpu_per_ok", "rss_peak"):
        assert (found[name].state, found[name].reason) == ("not measured", address.not_found)
