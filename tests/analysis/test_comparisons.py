"""Verdicts on studies whose truth is known."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from loadstone.analysis.analyse import analyse
from loadstone.analysis.compare.one_folder import compare_results
from loadstone.analysis.model import Analysis, Comparison, Verdict
from loadstone.errors import InputError
from results_builder import QUESTION, Behaviour, build_results, closed, rate

HEALTHY = Behaviour()
SLOWER = Behaviour(median_ms=22)
"""By 10 %."""


def analysed(directory: Path, **options: object) -> Analysis:
    return analyse(build_results(directory, **options))[0]


def of(analysis: Analysis, metric: str) -> Comparison:
    return next(each for each in analysis.comparisons if each.metric == metric)


def test_a_service_that_is_10_percent_slower_is_called_slower(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, arms={"go": HEALTHY, "node": SLOWER}, workloads=(closed(20),))
    found = of(analysis, "response_time.p99")
    assert (found.baseline, found.other) == ("go", "node")
    assert (found.verdict, found.words) == (Verdict.WORSE, "slower")
    assert found.low is not None
    assert found.high is not None
    assert 1.0 < found.low < 1.1 < found.high < 1.2
    assert found.primary
    assert found.runs == (6, 6)
    assert found.method == "paired t on logarithms"
    throughput = of(analysis, "throughput")
    assert (throughput.verdict, throughput.words) == (Verdict.WORSE, "lower")
    assert throughput.estimate == pytest.approx(1 / 1.1, rel=0.02)


def test_the_order_of_the_arms_decides_the_baseline(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, arms={"node": SLOWER, "go": HEALTHY}, workloads=(closed(20),))
    found = of(analysis, "response_time.p99")
    assert (found.baseline, found.other) == ("node", "go")
    assert (found.verdict, found.words) == (Verdict.BETTER, "faster")
    assert of(analysis, "throughput").words == "higher"


def test_the_same_service_twice_is_equivalent_by_its_throughput_at_a_rate(tmp_path: Path) -> None:
    arms = {"go": HEALTHY, "go-again": HEALTHY}
    analysis = analysed(tmp_path, arms=arms, workloads=(rate(100),), metrics=("throughput",))
    found = of(analysis, "throughput")
    assert (found.verdict, found.words) == (Verdict.EQUIVALENT, "equivalent")


def test_the_same_service_twice_is_never_worse_by_much_noise(tmp_path: Path) -> None:
    arms = {"go": Behaviour(run_spread=0.1), "go-again": Behaviour(run_spread=0.1)}
    analysis = analysed(tmp_path, arms=arms, metrics=("response_time.median",))
    found = of(analysis, "response_time.median")
    assert (found.verdict, found.words) == (Verdict.CANNOT_TELL, "cannot tell")
    assert found.reason == "the interval holds 1 and reaches beyond the margin"


def test_the_interval_is_scipys_on_the_values_of_the_runs(tmp_path: Path) -> None:
    analysis = analysed(
        tmp_path, arms={"go": HEALTHY, "node": SLOWER}, metrics=("response_time.mean",)
    )
    found = of(analysis, "response_time.mean")
    values = [
        [
            run.value
            for figure in cell.figures
            if figure.metric == "response_time.mean"
            for run in figure.runs
        ]
        for cell in analysis.cells
    ]
    expected = stats.ttest_rel(np.log(values[1]), np.log(values[0]))
    interval = expected.confidence_interval(0.95)
    assert found.p_value == pytest.approx(expected.pvalue)
    assert (found.low, found.high) == pytest.approx((np.exp(interval.low), np.exp(interval.high)))


def test_a_failed_run_in_a_block_makes_the_runs_independent(tmp_path: Path) -> None:
    arms = {"go": HEALTHY, "node": Behaviour(median_ms=22, failing_blocks=(3,))}
    analysis = analysed(tmp_path, arms=arms, workloads=(closed(20),), block_spread=0.01)
    found = of(analysis, "response_time.p99")
    assert found.method == "Welch on logarithms"
    assert found.runs == (6, 5)
    assert found.verdict == Verdict.WORSE


def test_a_block_that_both_arms_lack_leaves_the_others_paired(tmp_path: Path) -> None:
    arms = {"go": Behaviour(failing_blocks=(3,)), "node": Behaviour(22, missing_blocks=(3,))}
    found = of(analysed(tmp_path, arms=arms), "response_time.p99")
    assert found.method == "paired t on logarithms"
    assert found.runs == (5, 5)


@pytest.mark.parametrize("blocks", [1, 2])
def test_fewer_than_three_runs_tell_nothing_whatever_they_show(tmp_path: Path, blocks: int) -> None:
    arms = {"go": HEALTHY, "node": Behaviour(median_ms=200)}
    analysis = analysed(tmp_path, arms=arms, workloads=(closed(40),), blocks=blocks)
    found = of(analysis, "throughput")
    assert found.verdict == Verdict.CANNOT_TELL
    assert found.reason == "fewer than 3 runs an arm"
    assert (found.low, found.high, found.p_value, found.method) == (None, None, None, "none")
    assert found.estimate == pytest.approx(0.1, rel=0.1)


def test_what_is_withheld_is_not_compared(tmp_path: Path) -> None:
    arms = {"go": HEALTHY, "node": Behaviour(failing_share=0.3)}
    found = of(analysed(tmp_path, arms=arms), "throughput")
    assert found.verdict == Verdict.CANNOT_TELL
    assert found.reason == "throughput of node is withheld: failures (in 6 of 6 runs)"
    assert (found.estimate, found.low, found.high) == (None, None, None)


def test_a_pooled_quantile_is_not_compared(tmp_path: Path) -> None:
    arms = {"go": HEALTHY, "node": SLOWER}
    analysis = analysed(
        tmp_path, arms=arms, workloads=(rate(100),), metrics=("response_time.p99.9",)
    )
    found = of(analysis, "response_time.p99.9")
    assert found.verdict == Verdict.CANNOT_TELL
    assert "pooled over blocks" in found.reason


def test_failures_are_compared_by_their_difference(tmp_path: Path) -> None:
    arms = {"go": HEALTHY, "node": Behaviour(failing_share=0.3)}
    found = of(analysed(tmp_path, arms=arms, metrics=("failures",)), "failures")
    assert found.scale == "difference"
    assert found.method == "paired t"
    assert found.estimate == pytest.approx(0.3, abs=0.02)
    assert (found.verdict, found.words) == (Verdict.WORSE, "higher")


def test_two_arms_without_failures_are_equivalent_by_them(tmp_path: Path) -> None:
    arms = {"go": HEALTHY, "go-again": HEALTHY}
    found = of(analysed(tmp_path, arms=arms, metrics=("failures",)), "failures")
    assert (found.estimate, found.low, found.high) == (0, 0, 0)
    assert found.verdict == Verdict.EQUIVALENT


def test_three_arms_make_three_comparisons_at_corrected_levels(tmp_path: Path) -> None:
    arms = {"go": HEALTHY, "go-again": HEALTHY, "node": Behaviour(median_ms=30)}
    analysis = analysed(
        tmp_path, arms=arms, workloads=(closed(20),), metrics=("response_time.median",)
    )
    pairs = [(each.baseline, each.other) for each in analysis.comparisons]
    assert pairs == [("go", "go-again"), ("go", "node"), ("go-again", "node")]
    levels = sorted(each.level for each in analysis.comparisons)
    assert levels == pytest.approx([1 - 0.05, 1 - 0.05 / 2, 1 - 0.05 / 3])
    assert [each.verdict for each in analysis.comparisons][1:] == [Verdict.WORSE] * 2


def test_comparisons_that_cannot_be_tested_do_not_weaken_the_others(tmp_path: Path) -> None:
    arms = {"go": HEALTHY, "node": SLOWER, "broken": Behaviour(failing_share=0.5)}
    analysis = analysed(tmp_path, arms=arms, workloads=(closed(20),), metrics=("throughput",))
    tested = [each for each in analysis.comparisons if each.p_value is not None]
    assert [(each.baseline, each.other, each.level) for each in tested] == [("go", "node", 0.95)]


def test_the_answer_to_a_question_begins_with_who_is_best(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, arms={"go": HEALTHY, "node": SLOWER}, workloads=(closed(20),))
    (answer,) = analysis.answers
    assert answer.question == QUESTION
    pattern = r"Go is faster by response time p99: node takes 1\.\d+ times as long\."
    assert re.fullmatch(pattern, answer.headline[0]), answer.headline


@pytest.mark.parametrize(
    ("other", "metric", "begins"),
    [
        (HEALTHY, "throughput", ["Go and other are equal within 3 % by throughput."]),
        (
            Behaviour(rss_mib=128),
            "rss_peak",
            ["Go needs less memory (RSS peak): other needs 2.00 times as much."],
        ),
        (
            Behaviour(failing_share=0.4),
            "throughput",
            [
                "No winner can be named: only go has a throughput that stands, ",
                "Other has no place: too many requests failed (in 6 of 6 runs).",
            ],
        ),
        (
            Behaviour(failing_share=0.4),
            "failures",
            ["Go fails less: other fails ", "Failures are 0 % [0 to 0] for go and "],
        ),
    ],
)
def test_an_answer_says_of_what_kind_it_is(
    tmp_path: Path, other: Behaviour, metric: str, begins: list[str]
) -> None:
    analysis = analysed(
        tmp_path, arms={"go": HEALTHY, "other": other}, workloads=(rate(),), metrics=(metric,)
    )
    sentences = sorted(analysis.answers[0].headline[: len(begins)])
    for sentence, begin in zip(sentences, sorted(begins), strict=True):
        assert sentence.replace("Other and go are", "Go and other are").startswith(begin)


def test_compare_without_options_answers_the_questions_of_the_study(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": HEALTHY, "node": SLOWER})
    compared = compare_results(results)
    analysis, all_findings = analyse(results)
    assert compared.comparisons == analysis.comparisons
    assert sorted(map(str, compared.findings)) == sorted(map(str, all_findings))


def test_compare_by_a_metric_compares_all_arms(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": HEALTHY, "node": SLOWER, "rust": HEALTHY})
    comparisons = compare_results(results, metric="response_time.mean").comparisons
    assert len(comparisons) == 3
    assert {each.metric for each in comparisons} == {"response_time.mean"}


def test_compare_with_a_baseline_compares_every_other_arm_with_it(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": HEALTHY, "node": SLOWER, "rust": HEALTHY})
    comparisons = compare_results(results, metric="startup", baseline="node").comparisons
    assert [(each.baseline, each.other) for each in comparisons] == [
        ("node", "go"),
        ("node", "rust"),
    ]


def test_an_unknown_arm_or_metric_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": HEALTHY, "node": SLOWER})
    with pytest.raises(InputError) as error:
        compare_results(results, baseline="perl")
    assert error.value.remedy == "one of: go, node"
    with pytest.raises(InputError) as error:
        compare_results(results, metric="p99")
    assert "response_time.p99" in str(error.value.remedy)


def test_a_run_without_a_value_above_0_has_no_ratio(tmp_path: Path) -> None:
    arms = {"go": HEALTHY, "node": Behaviour(rss_mib=0)}
    found = of(analysed(tmp_path, arms=arms, metrics=("rss_peak",)), "rss_peak")
    assert found.verdict == Verdict.CANNOT_TELL
    assert found.reason == "a run's value is 0, so there is no ratio"


def test_the_margin_of_a_difference_is_a_share_of_the_baseline(tmp_path: Path) -> None:
    # About 30 % of either fail: 3 % of that is 0.009, which runs of a thousand requests cannot tell.
    arms = {"go": Behaviour(failing_share=0.3), "node": Behaviour(failing_share=0.3)}
    found = of(
        analysed(tmp_path, arms=arms, workloads=(rate(),), metrics=("failures",)), "failures"
    )
    assert found.low is not None
    assert found.high is not None
    assert -0.03 < found.low < -0.009 or 0.009 < found.high < 0.03
    assert found.verdict == Verdict.CANNOT_TELL
