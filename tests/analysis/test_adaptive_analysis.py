"""Adaptive studies whose truth is known: what a look decides, and what is said of where it stopped."""

import json
from pathlib import Path

from loadstone.analysis.analyse import analyse
from loadstone.analysis.compare.look import take_look
from loadstone.analysis.compare.one_folder import compare_results
from loadstone.analysis.model import Adaptive, Verdict
from loadstone.results import folder
from loadstone.results.looks import Look, Looks
from loadstone.results.read import read_record
from loadstone.stats.comparison.adaptive import Decidedness
from results_builder import Behaviour, build_results, closed, rate

LOOKS = (6, 12, 24)
LEVEL = 1 - 0.05 / 3


def done_until(block: int, **behaviour: object) -> Behaviour:
    return Behaviour(missing_blocks=tuple(range(block + 1, 25)), **behaviour)


def study(
    directory: Path,
    *,
    metrics: tuple[str, ...] = ("response_time.median", "throughput"),
    looks: tuple[int, ...] = LOOKS,
    margin: float = 0.03,
    **arms: Behaviour,
) -> Path:
    return build_results(
        directory,
        arms=arms,
        workloads=(closed(8, seconds=4, warm_up=1),),
        blocks=24,
        metrics=metrics,
        looks=looks,
        margin=margin,
    )


def keep(results: Path, *looks: Look) -> None:
    (results / folder.LOOKS).write_text(Looks(looks=looks).model_dump_json())


def test_a_difference_that_can_be_told_stops_the_study_at_the_first_look(tmp_path: Path) -> None:
    results = study(tmp_path, go=done_until(6), node=done_until(6, median_ms=25))
    look = take_look(results, 6)
    assert look.stop
    assert (look.after_block, look.runs, look.level) == (6, 12, LEVEL)
    (seen,) = look.comparisons
    assert (seen.metric, seen.baseline, seen.other) == ("response_time.median", "go", "node")
    assert (seen.standing, seen.words, seen.level) == (Decidedness.TOLD, "slower", LEVEL)
    assert seen.low is not None
    assert seen.low > 1


def test_what_varies_too_much_goes_on_and_ends_at_the_last_look(tmp_path: Path) -> None:
    wild = {"run_spread": 0.1}
    results = study(tmp_path, go=done_until(24, **wild), again=done_until(24, **wild))
    looks: tuple[Look, ...] = ()
    for block in LOOKS:
        looks = (*looks, take_look(results, block))
        keep(results, *looks)
    assert [look.stop for look in looks] == [False, False, True]
    assert [look.comparisons[0].runs for look in looks] == [(6, 6), (12, 12), (24, 24)]
    assert {look.comparisons[0].standing for look in looks} == {Decidedness.OPEN}
    adaptive = analyse(results)[0].adaptive
    assert adaptive == Adaptive(looks=LOOKS, stopped_after=24, level=1 - 0.05 / 3)


def test_a_wide_margin_is_enough_where_nothing_can_be_told(tmp_path: Path) -> None:
    wild = {"run_spread": 0.1}
    results = study(tmp_path, margin=0.5, go=done_until(6, **wild), again=done_until(6, **wild))
    look = take_look(results, 6)
    assert look.stop
    assert look.comparisons[0].standing in (Decidedness.TOLD, Decidedness.PRECISE)


def test_the_same_records_give_the_same_decision(tmp_path: Path) -> None:
    results = study(tmp_path, go=done_until(6), node=done_until(6, run_spread=0.04))
    first, second = (take_look(results, 6).model_dump(exclude={"taken_at"}) for _ in range(2))
    assert first == second


def test_only_primary_metrics_decide(tmp_path: Path) -> None:
    # Failures cannot be told apart; they are asked for, but not first.
    results = study(
        tmp_path,
        metrics=("response_time.median", "failures"),
        go=done_until(6, failing_share=0.004),
        node=done_until(6, median_ms=25, failing_share=0.004),
    )
    look = take_look(results, 6)
    assert [each.metric for each in look.comparisons] == ["response_time.median"]
    assert look.stop


def test_what_no_further_block_can_decide_does_not_hold_up_the_others(tmp_path: Path) -> None:
    results = study(
        tmp_path,
        go=done_until(6),
        node=done_until(6, median_ms=25),
        broken=done_until(6, failing_share=0.6),
    )
    look = take_look(results, 6)
    assert look.stop
    by_pair = {(each.baseline, each.other): each for each in look.comparisons}
    assert by_pair["go", "node"].standing is Decidedness.TOLD
    broken = by_pair["go", "broken"]
    assert (broken.standing, broken.low, broken.high) == ("out of reach", None, None)
    assert "response_time.median of broken is" in broken.reason


def test_too_few_runs_are_waited_for(tmp_path: Path) -> None:
    results = study(tmp_path, go=done_until(6), node=done_until(2, median_ms=25))
    look = take_look(results, 6)
    assert not look.stop
    assert look.comparisons[0].standing is Decidedness.OPEN
    assert look.comparisons[0].reason == "fewer than 3 runs an arm"


def test_a_stopped_study_is_whole_and_its_other_blocks_are_not_missed(tmp_path: Path) -> None:
    results = study(tmp_path, go=done_until(6), node=done_until(6, median_ms=25))
    keep(results, take_look(results, 6))
    analysis, findings = analyse(results)
    assert analysis.failed_runs == ()
    assert analysis.blocks == {"closed": 6}
    assert [(cell.runs_planned, cell.runs_completed) for cell in analysis.cells] == [(6, 6)] * 2
    assert analysis.adaptive == Adaptive(looks=LOOKS, stopped_after=6, level=1 - 0.05 / 3)
    assert {finding.code for finding in findings}.isdisjoint({"failed-run", "too-few-runs"})
    assert {each.level for each in analysis.comparisons} == {LEVEL}
    by_metric = compare_results(results, metric="throughput").comparisons
    assert {each.level for each in by_metric} == {LEVEL}
    assert analysis.comparisons[0].verdict is Verdict.WORSE


def test_a_study_before_its_first_look_misses_the_runs_up_to_it_alone(tmp_path: Path) -> None:
    results = study(tmp_path, go=done_until(2), node=done_until(2))
    analysis, _ = analyse(results)
    assert analysis.adaptive is not None
    assert analysis.adaptive.stopped_after is None
    assert len(analysis.failed_runs) == 2 * 4
    assert analysis.blocks == {"closed": 6}


def test_the_same_runs_of_a_fixed_study_have_the_usual_level(tmp_path: Path) -> None:
    results = study(tmp_path, looks=(), go=done_until(6), node=done_until(6, median_ms=25))
    analysis, _ = analyse(results)
    assert analysis.adaptive is None
    assert {each.level for each in analysis.comparisons} == {0.95}
    assert len(analysis.failed_runs) == 2 * 18


def test_a_share_of_failures_is_held_against_its_share_of_the_baseline(tmp_path: Path) -> None:
    failing = {"failing_share": 0.3}
    arms = {"go": done_until(6, **failing), "again": done_until(6, **failing)}
    tight = build_results(
        tmp_path / "tight",
        arms=arms,
        workloads=(rate(),),
        blocks=24,
        metrics=("failures",),
        looks=LOOKS,
    )
    assert not take_look(tight, 6).stop
    wide = build_results(
        tmp_path / "wide",
        arms=arms,
        workloads=(rate(),),
        blocks=24,
        metrics=("failures",),
        looks=LOOKS,
        margin=0.5,
    )
    assert take_look(wide, 6).stop


def test_a_run_that_is_done_again_may_change_the_decision(tmp_path: Path) -> None:
    results = study(tmp_path, go=done_until(6), node=done_until(6, median_ms=25))
    assert take_look(results, 6).stop
    for directory in sorted((results / folder.RUNS).glob("*-node-closed"))[:4]:
        record = json.loads((directory / folder.RECORD).read_text())
        record.update(status="interrupted")
        (directory / folder.RECORD).write_text(json.dumps(record))
        assert read_record(directory / folder.RECORD).status == "interrupted"
    assert not take_look(results, 6).stop
