"""Times to failure: what counts as one, hand-checked curves, and the records they come from."""

import json
from pathlib import Path
from typing import Any

import pytest

from loadstone.analysis.analyse import analyse
from loadstone.analysis.compare.survivals import Ending, survivals
from loadstone.analysis.multi_arm_model import ArmSurvival, Survivals
from loadstone.analysis.sentences.multi_arm import failure_sentences
from loadstone.report.page.question_part import survival_table
from loadstone.study.values.stop_rules import StopRules
from results_builder import Behaviour, build_results, closed

SECOND_NS = 1_000_000_000
RAMP = closed(name="ramp", seconds=100).model_copy(update={"stop": StopRules(first_timeout=True)})


def ends(arm: str, *seconds: float, censored: tuple[float, ...] = ()) -> list[Ending]:
    return [
        *(Ending(arm, "ramp", round(at * SECOND_NS), failed=True) for at in seconds),
        *(Ending(arm, "ramp", round(at * SECOND_NS), failed=False) for at in censored),
    ]


def found(*ended: list[Ending], withheld: dict[str, str] | None = None) -> Survivals:
    flat = [each for own in ended for each in own]
    arms = list(dict.fromkeys(each.arm for each in flat))
    reasons = {(arm, "ramp"): reason for arm, reason in (withheld or {}).items()}
    (result,) = survivals((RAMP,), arms, flat, reasons, 0.05)
    return result


def arm_of(*seconds: float, censored: tuple[float, ...] = ()) -> ArmSurvival:
    (arm,) = found(ends("go", *seconds, censored=censored)).arms
    return arm


def test_a_curve_by_hand() -> None:
    # Four runs: one fails at 10 s (3/4 are left), one is cut off at 20 s, one fails at 30 s (of two).
    arm = arm_of(10, 30, censored=(20, 100))
    assert arm.times_ns == (10 * SECOND_NS, 30 * SECOND_NS)
    assert arm.probabilities == pytest.approx((0.75, 0.375))
    assert arm.median_ns == 30 * SECOND_NS
    assert (arm.runs, arm.failed, arm.longest_ns) == (4, 2, 100 * SECOND_NS)


def test_half_that_did_not_fail_have_no_median() -> None:
    arm = arm_of(10, censored=(100, 100, 100))
    assert (arm.median_ns, arm.median_high_ns) == (None, None)
    assert arm.longest_ns == 100 * SECOND_NS


def test_the_interval_of_the_median_is_where_the_curves_bounds_come_down_to_half() -> None:
    # R 4.2.2, survival: survfit(Surv(10 * (1:8), rep(1, 8)) ~ 1, conf.type = "log-log"); its median is
    # between the two times that have half of the curve, ours is the first of them.
    arm = arm_of(10, 20, 30, 40, 50, 60, 70, 80)
    assert arm.median_ns == 40 * SECOND_NS
    assert (arm.median_low_ns, arm.median_high_ns) == (10 * SECOND_NS, 70 * SECOND_NS)


def test_arms_that_fail_at_other_times_are_told_apart() -> None:
    sooner = [10 + n for n in range(8)]
    later = [80 + n for n in range(8)]
    (told,) = found(ends("go", *sooner), ends("node", *later)).comparisons
    assert (told.baseline, told.other, told.words) == ("go", "node", "fails later")
    (turned,) = found(ends("node", *later), ends("go", *sooner)).comparisons
    assert (turned.words, turned.p_value) == ("fails sooner", told.p_value)
    assert turned.statistic == pytest.approx(told.statistic)


def test_arms_alike_are_not() -> None:
    same = [10, 20, 30, 40]
    (told,) = found(ends("go", *same), ends("node", *same)).comparisons
    assert told.words == "cannot tell"
    assert told.p_value > 0.5


def test_pairs_of_three_arms_are_corrected() -> None:
    sooner, later = [10 + n for n in range(8)], [80 + n for n in range(8)]
    result = found(ends("a", *sooner), ends("b", *later), ends("c", *later))
    assert sorted(each.level for each in result.comparisons) == pytest.approx(
        [1 - 0.05, 1 - 0.05 / 2, 1 - 0.05 / 3]
    )


def test_where_nobody_failed_nothing_is_compared() -> None:
    result = found(ends("go", censored=(100, 100)), ends("node", censored=(100, 100)))
    assert result.comparisons == ()
    assert survival_table(result).note.startswith("No run failed")


def test_a_workload_that_only_its_duration_ends_has_none() -> None:
    assert survivals((closed(name="ramp"),), ["go"], ends("go", censored=(10,)), {}, 0.05) == ()


def rewrite(path: Path, **changes: Any) -> None:
    content = json.loads(path.read_text())
    content["load"]["stop"].update(changes)
    path.write_text(json.dumps(content))


def failing_study(directory: Path) -> Path:
    """Go fails at 3 s and later, node never; a run of it was cut off by a signal."""
    workload = closed(name="ramp").model_copy(update={"stop": StopRules(first_failed_check=True)})
    arms = {"go": Behaviour(), "node": Behaviour()}
    results = build_results(directory, arms=arms, workloads=(workload,))
    for number, path in enumerate(sorted(results.glob("runs/*-go-*/run.json"))):
        rewrite(path, reason="first_failed_check", at_ns=(3 + number) * SECOND_NS)
    rewrite(min(results.glob("runs/*-node-*/run.json")), reason="signal", at_ns=SECOND_NS)
    return results


def test_a_stop_rule_is_a_failure_and_the_duration_is_not(tmp_path: Path) -> None:
    analysis, _ = analyse(failing_study(tmp_path))
    (result,) = analysis.survivals
    go, node = result.arms
    assert (go.arm, go.runs, go.failed, go.median_ns) == ("go", 6, 6, 5 * SECOND_NS)
    assert (node.arm, node.runs, node.failed, node.median_ns) == ("node", 5, 0, None)
    (told,) = result.comparisons
    assert told.words == "fails later"
    sentence = next(each for each in analysis.answers[0].sentences if "half of the runs" in each)
    assert sentence == (
        "Under ramp half of the runs of go failed by 5.00 s [3.00 s, no bound]; half of the runs of "
        "node did not fail within 10.0 s; node fails later than go."
    )


def test_an_arm_whose_times_are_withheld_has_no_curve_and_is_named() -> None:
    result = found(
        ends("go", 10, 20, 30),
        ends("node", 1, 2, 3),
        withheld={"node": "withheld: generator-limit"},
    )
    assert [arm.arm for arm in result.arms] == ["go"]
    assert result.comparisons == ()
    assert survival_table(result).note.endswith(" Left out: node, withheld: generator-limit.")
    assert failure_sentences([result]) == [
        "Under ramp half of the runs of go failed by 20.0 s [10.0 s, no bound]; node is left out, "
        "withheld: generator-limit."
    ]


def test_where_all_times_are_withheld_none_is_told() -> None:
    result = found(ends("go", 10, 20), withheld={"go": "withheld: generator-limit"})
    assert failure_sentences([result]) == [
        "Under ramp no time to failure stands: those of all arms are withheld."
    ]
