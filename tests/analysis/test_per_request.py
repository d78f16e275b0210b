"""Arms by single requests, block by block, beside the answer of their runs."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from loadstone.analysis.analyse import analyse
from loadstone.analysis.per_request.by_runs import METRIC
from loadstone.analysis.per_request.of_folders import as_published_folders
from loadstone.analysis.per_request.of_study import as_published_study
from loadstone.analysis.per_request_model import PerRequestComparison
from loadstone.analysis.sentences.per_request import blocks_text
from loadstone.errors import InputError
from loadstone.results import folder
from loadstone.results.read import read_results
from loadstone.results.request_times import request_times
from loadstone.study.values.claim import Claim
from loadstone.study.values.model import Plan
from results_builder import QUESTION, Behaviour, build_results, closed, rate
from simulated_load import group, grouped, step

GO, SLOWER = Behaviour(), Behaviour(median_ms=30)
SHORT = closed(seconds=5, warm_up=1)


def asking(results: Path, **about: object) -> Path:
    """The same results, of a study that asks for it."""
    path = results / folder.PLAN
    plan = Plan.model_validate_json(path.read_text())
    (question,) = plan.questions
    changed = {
        "analysis": "per-request",
        "questions": (question.model_copy(update=about),),
    }
    path.write_text(plan.model_copy(update=changed).model_dump_json())
    return results


def compared(results: Path, **about: str) -> PerRequestComparison:
    """The only pair."""
    (found,) = analyse(asking(results, **about))[0].per_request
    return found


def test_a_study_that_does_not_ask_for_it_has_none(tmp_path: Path) -> None:
    arms = {"go": GO, "node": SLOWER}
    results = build_results(tmp_path, arms=arms, workloads=(SHORT,), blocks=1)
    assert analyse(results)[0].per_request == ()


def test_a_difference_is_told_in_every_block_and_by_the_runs(tmp_path: Path) -> None:
    arms = {"go": GO, "node": SLOWER}
    found = compared(build_results(tmp_path, arms=arms, workloads=(SHORT,)))
    assert (found.question, found.workload) == (QUESTION, "closed")
    assert (found.baseline, found.other) == ("go", "node")
    assert [test.block for test in found.tests] == [1, 2, 3, 4, 5, 6]
    assert {test.told for test in found.tests} == {"slower"}
    assert all(test.cliffs_delta > 0.5 for test in found.tests)
    assert all(test.median_difference_ns > 0 for test in found.tests)
    assert (found.by_runs.metric, found.by_runs.words) == (METRIC, "slower")
    assert found.by_runs.runs == (6, 6)
    assert found.by_runs.low is not None
    assert found.by_runs.low > 1
    assert blocks_text(found) == "slower in 6 of 6 blocks"


def test_the_test_is_that_of_the_runs_own_requests(tmp_path: Path) -> None:
    arms = {"go": GO, "node": Behaviour(median_ms=20.5)}
    results = build_results(tmp_path, arms=arms, workloads=(SHORT,), blocks=2)
    found = compared(results)
    times = {
        (run.planned.arm, run.planned.block): request_times(run.record, run.directory)
        for run in read_results(results).runs
        if run.record is not None
    }
    for test in found.tests:
        go, node = (times[arm, test.block].values_ns for arm in ("go", "node"))
        expected = stats.mannwhitneyu(node, go, method="asymptotic")
        assert test.test == "Wilcoxon rank-sum"
        assert (test.statistic, test.p_value) == (
            expected.statistic,
            pytest.approx(expected.pvalue),
        )
        assert (test.baseline.requests, test.other.requests) == (len(go), len(node))
        assert test.median_difference_ns == pytest.approx(np.median(node) - np.median(go))


def test_independent_requests_are_as_many_as_they_are_told_to_be(tmp_path: Path) -> None:
    arms = {"go": GO, "again": GO}
    found = compared(build_results(tmp_path, arms=arms, workloads=(SHORT,), blocks=1))
    (test,) = found.tests
    for sample in (test.baseline, test.other):
        assert sample.correlation is not None
        assert sample.independent is not None
        assert sample.independent <= sample.requests
        assert sample.seconds in (4, 5)  # with the grace
        assert not sample.is_exact


def test_equal_arms_whose_runs_vary_are_called_different(tmp_path: Path) -> None:
    # What the procedure cannot see: one run differs from the next by 10 %, as that of any arm does.
    varying = Behaviour(run_spread=0.1)
    arms = {"go": varying, "again": varying}
    found = compared(build_results(tmp_path, arms=arms, workloads=(SHORT,)))
    assert sum(test.told != "no difference" for test in found.tests) >= 3
    assert found.by_runs.words in ("cannot tell", "equivalent")


def test_a_block_without_a_run_is_left_out_with_the_reason(tmp_path: Path) -> None:
    arms = {"go": GO, "node": Behaviour(failing_blocks=(1,), missing_blocks=(2,))}
    found = compared(build_results(tmp_path, arms=arms, workloads=(SHORT,), blocks=3))
    assert [test.block for test in found.tests] == [3]
    assert found.left_out == (
        "block 1: node: start-up: it exited with 3",
        "block 2: node: run: not done",
    )
    assert blocks_text(found).endswith("in 1 of 1 block, not compared in 2")
    assert found.by_runs.words == "cannot tell"


def test_a_figure_that_is_withheld_has_its_reason_beside_what_was_published(
    tmp_path: Path,
) -> None:
    arms = {"go": GO, "node": Behaviour(failing_share=0.3)}
    found = compared(build_results(tmp_path, arms=arms, workloads=(SHORT,), blocks=3))
    assert len(found.tests) == 3
    assert found.by_runs.words == "cannot tell"
    assert "withheld" in found.by_runs.reason
    assert found.by_runs.estimate is None


def claim(of: str, against: str, metric: str = "response_time.p99") -> Claim:
    """What somebody said of them under the closed load."""
    return Claim(
        claim=f"{of} is slower than {against}, by {metric}",
        source="",
        of=of,
        against=against,
        says="higher",
        metric=metric,
        margin=0.05,
        published_ratio=None,
        workload="closed",
    )


def test_arms_of_a_claim_are_compared_though_no_question_is_about_both(tmp_path: Path) -> None:
    arms = {"go": GO, "node": SLOWER, "rust": GO}
    results = asking(
        build_results(tmp_path, arms=arms, workloads=(SHORT,), blocks=3),
        where={"gateway": ("go", "node")},
    )
    path = results / folder.PLAN
    claims = (
        claim("node", "rust"),
        claim("node", "rust", "response_time.mean"),  # the same requests: told once
        claim("node", "go"),  # the question's
        claim("go", "rust", "throughput"),  # no times of requests
    )
    plan = Plan.model_validate_json(path.read_text()).model_copy(update={"claims": claims})
    path.write_text(plan.model_dump_json())
    by_question, by_claim = analyse(results)[0].per_request
    assert (by_question.baseline, by_question.other) == ("go", "node")
    assert (by_claim.baseline, by_claim.other) == ("rust", "node")
    assert by_claim.question == claims[0].claim
    assert {test.told for test in by_claim.tests} == {"slower"}
    assert by_claim.by_runs.words == "slower"
    assert as_published_study(results).comparisons == (by_question, by_claim)


def test_only_loads_have_requests_to_compare(tmp_path: Path) -> None:
    workloads = (SHORT, rate(seconds=5, warm_up=1))
    arms = {"go": GO, "node": SLOWER, "rust": GO}
    results = build_results(tmp_path, arms=arms, workloads=workloads, blocks=1)
    found = analyse(asking(results))[0].per_request
    assert [(each.workload, each.baseline, each.other) for each in found] == [
        (workload, *pair)
        for workload in ("closed", "rate")
        for pair in (("go", "node"), ("go", "rust"), ("node", "rust"))
    ]


@pytest.mark.parametrize(
    ("about", "names"),
    [
        ({"group": "browsers"}, {"browsers.list", "browsers.log-in"}),
        ({"operation": "log-in"}, {"bookers.log-in", "browsers.log-in"}),
        ({"operation": "log-in", "group": "browsers"}, {"browsers.log-in"}),
    ],
)
def test_a_question_about_a_part_is_asked_of_its_requests(
    tmp_path: Path, about: dict[str, str], names: set[str]
) -> None:
    load = grouped(
        group("bookers", users=3),
        group("browsers", step("list"), step("log-in"), users=3),
        seconds=5,
        warm_up=1,
    )
    arms = {"go": GO, "node": SLOWER}
    results = build_results(tmp_path, arms=arms, workloads=(load,), blocks=1)
    found = compared(results, **about)
    (test,) = found.tests
    run = next(each for each in read_results(results).runs if each.planned.arm == "go")
    assert run.record is not None
    assert set(run.record.operations) >= names
    assert test.baseline.requests == len(request_times(run.record, run.directory, names).values_ns)
    assert (found.group, found.operation) == (about.get("group"), about.get("operation"))


def test_a_stored_study_can_be_asked_afterwards(tmp_path: Path) -> None:
    arms = {"go": GO, "node": SLOWER}
    results = build_results(tmp_path, arms=arms, workloads=(SHORT,), blocks=3)
    found = as_published_study(results)
    assert found.comparisons == analyse(asking(results))[0].per_request
    assert (found.withheld, found.not_run) == ((), ())


def test_of_two_folders_each_arm_is_compared_with_itself(tmp_path: Path) -> None:
    for name, behaviour, blocks in (("main", GO, 4), ("branch", SLOWER, 3)):
        build_results(
            tmp_path, arms={"go": behaviour}, workloads=(SHORT,), name=name, blocks=blocks
        )
    found = as_published_folders(tmp_path / "main", tmp_path / "branch")
    (pair,) = found.comparisons
    assert (pair.baseline, pair.other) == ("go of main", "go of branch")
    assert [test.block for test in pair.tests] == [1, 2, 3]
    assert pair.left_out == ("block 4: go of branch: no run",)
    assert {test.told for test in pair.tests} == {pair.by_runs.words} == {"slower"}
    assert pair.by_runs.runs == (4, 3)
    assert found.warnings


def test_results_without_a_load_have_no_requests_to_compare(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": GO, "node": GO}, workloads=(SHORT,), blocks=1)
    path = results / folder.PLAN
    plan = Plan.model_validate_json(path.read_text())
    path.write_text(plan.model_copy(update={"questions": ()}).model_dump_json())
    with pytest.raises(InputError, match="no requests to compare"):
        as_published_study(results)
