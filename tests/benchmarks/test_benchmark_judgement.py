"""Bars, and the tables that show them."""

import pytest

from benchmarks.engine.judgement import (
    Section,
    Table,
    Verdict,
    at_least,
    at_most,
    number,
    or_by_ratio,
    within,
)
from benchmarks.engine.sections.punctuality import Figure, figures_of, verdict_of
from benchmarks.engine.sections.shared_cpu import Lag, Pair, table_of
from benchmarks.engine.sections.truth import tolerance_ms

HOLDS, MISSED, BY_RATIO = Verdict.HOLDS, Verdict.MISSED, Verdict.HOLDS_BY_RATIO


def test_a_bar_holds_at_its_own_value() -> None:
    assert at_least(1.2, 1.2) is HOLDS
    assert at_least(1.1999, 1.2) is MISSED
    assert at_most(80e6, 80e6) is HOLDS
    assert at_most(80e6 + 1, 80e6) is MISSED
    assert within(520, 500, 20) is HOLDS
    assert within(479.9, 500, 20) is MISSED


def test_what_has_no_figure_or_no_bar_is_neither_held_nor_missed() -> None:
    for judge in (at_least, at_most):
        assert judge(None, 1.0) is Verdict.NOT_MEASURED
        assert judge(1.0, None) is Verdict.NO_BAR
    assert within(None, 500, 20) is Verdict.NOT_MEASURED


@pytest.mark.parametrize(
    ("absolute", "relative", "found"),
    [
        (HOLDS, MISSED, HOLDS),
        (HOLDS, HOLDS, HOLDS),
        (MISSED, HOLDS, BY_RATIO),
        (MISSED, MISSED, MISSED),
        (Verdict.NOT_MEASURED, HOLDS, Verdict.NOT_MEASURED),
    ],
)
def test_a_ratio_is_enough_only_where_the_absolute_bar_is_missed(
    absolute: Verdict, relative: Verdict, found: Verdict
) -> None:
    assert or_by_ratio(absolute, relative) is found


def test_only_missed_bars_are_counted_as_missed() -> None:
    section = Section()
    for verdict in Verdict:
        section.judge(verdict)
    assert section.missed == 1


def test_a_table_is_markdown_with_aligned_columns() -> None:
    table = Table("Title", ["a", "long"], [["value", "1"]], notes=["A note."])
    assert table.markdown().splitlines() == [
        "## Title",
        "",
        "| a     | long |",
        "|-------|------|",
        "| value | 1    |",
        "",
        "A note.",
    ]
    assert number(None) == "–"
    assert number(12345.678, 1) == "12,345.7"


def test_the_tolerance_of_a_quantile_is_one_percent_but_at_least_a_tenth_of_a_millisecond() -> None:
    assert tolerance_ms(50.0) == 0.5
    assert tolerance_ms(2.0) == 0.1


def test_punctual_is_the_absolute_bar_or_near_the_bare_sender() -> None:
    late = Figure("p50_us", "lateness", bar=50)
    assert verdict_of(late, 50, 9.0) is HOLDS
    assert verdict_of(late, 51, 1.5) is BY_RATIO
    assert verdict_of(late, 51, 1.51) is MISSED
    assert verdict_of(late, 51, None) is MISSED
    poisson = Figure("gap_cv", "CV", bar=0.03, centre=1.0, is_relative=False)
    assert verdict_of(poisson, 0.98, None) is HOLDS
    assert verdict_of(poisson, 0.96, None) is MISSED


def test_figures_of_a_run_are_microseconds_and_what_is_missing_of_the_plan() -> None:
    stamped = {
        "requests": 9_990,
        "gap_cv": 0.1,
        "lateness_ns": {"p50": 20_000, "p99": 90_000},
        "exponential_distance": None,
    }
    assert figures_of(stamped, 10_000, 0.05) == {
        "gap_cv": 0.1,
        "missing": 10.0,
        "cpu_share": 0.05,
        "p50_us": 20.0,
        "p99_us": 90.0,
    }


def test_lag_on_a_shared_cpu_is_compared_pair_by_pair_and_a_missing_right_is_a_note() -> None:
    normal = Lag(mean_ms=0.2, p999_ms=2.0, largest_ms=9.0, scheduling="other")
    better = Lag(mean_ms=0.1, p999_ms=1.0, largest_ms=9.5, scheduling="fifo")
    same = Lag(mean_ms=0.2, p999_ms=2.0, largest_ms=9.0, scheduling="SCHED_FIFO: not permitted")
    table = table_of([Pair(normal, better), Pair(normal, same)])
    assert [row[0] for row in table.rows] == ["mean", "p99.9", "largest"]
    assert [row[3] for row in table.rows] == ["1 of 2", "1 of 2", "0 of 2"]
    assert table.rows[0][2] == "0.150 (0.100–0.200)"
    assert table.notes == ["Not in real time: SCHED_FIFO: not permitted."]
