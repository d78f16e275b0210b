"""Rules over what is told twice: the timeline, the histograms, the load, and the protocol."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from loadstone.audit.engine.protocol import wrong_protocol
from loadstone.audit.figures.contradictory_summary import contradictory_summary
from loadstone.audit.figures.timeline import short_window, timeline_gap
from loadstone.findings.model import Finding, Severity
from loadstone.results.load_facts import SpokenFacts
from loadstone.results.record import Window
from loadstone.results.timeline import TimelineInterval, TimeSummary
from loadstone.results.window import WindowedRun
from observed import observed
from results_builder import Behaviour, closed
from simulated_load import SECOND_NS


def retold(run: WindowedRun, change: Callable[[TimeSummary], TimeSummary]) -> WindowedRun:
    """The same run with other response times in the third second of its timeline."""

    def changed(interval: TimelineInterval) -> TimelineInterval:
        if interval.start_ns != 3 * SECOND_NS:
            return interval
        operation = interval.operations["echo"]
        assert operation.response_time.ok is not None
        split = operation.response_time.model_copy(
            update={"ok": change(operation.response_time.ok)}
        )
        operations = {"echo": operation.model_copy(update={"response_time": split})}
        return interval.model_copy(update={"operations": operations})

    return dataclasses.replace(run, timeline=tuple(changed(each) for each in run.timeline))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda time: time.model_copy(update={"p99_ns": round(time.mean_ns)}), "p99_ns"),
        (lambda time: time.model_copy(update={"p99_ns": round(time.p99_ns * 0.99)}), "p99_ns"),
        (lambda time: time.model_copy(update={"p50_ns": time.p99_ns}), "p50_ns"),
        (lambda time: time.model_copy(update={"mean_ns": time.mean_ns * 1.01}), "mean_ns"),
        (lambda time: time.model_copy(update={"max_ns": time.p99_ns}), "max_ns"),
    ],
)
def test_a_summary_that_is_not_its_histograms_is_withheld(
    tmp_path: Path, change: Callable[[TimeSummary], TimeSummary], told: str
) -> None:
    run = retold(observed(tmp_path), change)
    (finding,) = contradictory_summary(run)
    assert finding.severity == Severity.WITHHOLD
    assert "1 interval of the timeline" in finding.evidence
    assert f"at 3 s: {told} of echo" in finding.evidence


def test_the_width_of_a_bucket_is_no_contradiction(tmp_path: Path) -> None:
    run = retold(
        observed(tmp_path),
        lambda time: time.model_copy(update={"p99_ns": round(time.p99_ns * 1.001)}),
    )
    assert list(contradictory_summary(run)) == []


def gap(run: WindowedRun, *intervals: TimelineInterval) -> list[Finding]:
    return list(timeline_gap(dataclasses.replace(run, timeline=intervals)))


def test_a_timeline_without_a_gap_has_no_finding(tmp_path: Path) -> None:
    run = observed(tmp_path)
    assert gap(run, *run.timeline) == []


@pytest.mark.parametrize(
    ("left_out", "evidence"),
    [
        (0, "it begins at 1 s"),
        (4, "after the interval that ends at 4 s comes one from 5 s to 6 s"),
        (9, "it ends at 9 s"),
    ],
)
def test_a_second_that_is_missing_is_withheld(tmp_path: Path, left_out: int, evidence: str) -> None:
    run = observed(tmp_path)
    kept = [each for each in run.timeline if each.start_ns != left_out * SECOND_NS]
    (finding,) = gap(run, *kept)
    assert finding.severity == Severity.WITHHOLD
    assert finding.evidence.endswith(evidence)


def test_a_second_that_is_told_twice_is_withheld(tmp_path: Path) -> None:
    run = observed(tmp_path)
    (finding,) = gap(run, *run.timeline[:4], *run.timeline[3:])
    assert "after the interval that ends at 4 s comes one from 3 s" in finding.evidence


def test_a_load_without_any_interval_is_withheld(tmp_path: Path) -> None:
    (finding,) = gap(observed(tmp_path))
    assert finding.evidence.endswith("it has no interval")


@pytest.mark.parametrize(("seconds", "found"), [(2, 0), (1, 1)])
def test_the_last_second_of_a_load_is_not_the_load(
    tmp_path: Path, seconds: int, found: int
) -> None:
    run = observed(tmp_path, Behaviour(), closed(4, seconds=20, warm_up=2))
    late = Window(start_ns=(20 - seconds) * SECOND_NS, end_ns=20 * SECOND_NS, warm_up="fixed")
    findings = list(short_window(dataclasses.replace(run, window=late)))
    assert len(findings) == found
    assert all("the window covers 1 s of a load of 20 s" in each.evidence for each in findings)


@pytest.mark.parametrize(
    ("planned", "http", "tls", "right"),
    [
        ("h1c", "1.1", None, True),
        ("h1c", "1.0", None, True),
        ("h1c", "2", None, False),
        ("h1c", "1.1", "1.3", False),
        ("h2c", "2", None, True),
        ("h2c", "1.1", None, False),
        ("h1", "1.1", "1.2", True),
        ("h1", "1.1", None, False),
        ("h2", "2", "1.3", True),
        ("h2", "1.1", "1.3", False),
        ("h2-downgrade", "1.1", "1.3", True),
        ("h2-downgrade", "2", "1.3", False),
        ("h2", None, None, True),  # nothing was spoken: failures tell that
    ],
)
def test_what_is_spoken_must_be_what_is_planned(
    tmp_path: Path, planned: str, http: str | None, tls: str | None, right: bool
) -> None:
    run = observed(tmp_path)
    spoken = SpokenFacts.model_validate(
        {"http": http, "alpn": None, "tls_version": tls, "cipher_suite": None}
    )
    load = run.load.model_copy(update={"protocol": planned, "spoken": spoken})
    findings = list(wrong_protocol(dataclasses.replace(run, load=load)))
    assert bool(findings) is not right
    assert all(each.severity == Severity.WITHHOLD for each in findings)
    assert all(f"the plan says {planned}" in each.evidence for each in findings)
