"""The rules on users who are served unequally and on answers that differ, on both sides of their
thresholds.
"""

import dataclasses
import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from changes import with_record

from loadstone.analysis.figures.run_figures import run_figures
from loadstone.audit.service.answers import answer_size_changed, answers_differ
from loadstone.audit.service.unequal_users import unequal_users
from loadstone.errors import InputError
from loadstone.findings.model import Severity
from loadstone.results import folder
from loadstone.results.answer_facts import AnswerFacts
from loadstone.results.window import WindowedRun
from loadstone.study.values.arrivals import Stage
from observed import observed
from results_builder import Behaviour, closed, rate

SECOND_NS = 10**9
USUAL_NS = 2**23
"""Of a power of two the logarithm is whole."""


def with_users(run: WindowedRun, times: list[float], first_ns: int = 0) -> WindowedRun:
    """The run with users that took so many times the usual; the last of them came at `first_ns`."""
    count = len(times)
    columns = {
        "from_ns": SECOND_NS,
        "every": 1,
        "user": list(range(count)),
        "first_ns": [0] * (count - 1) + [first_ns],
        "answers": [round(400 / time) for time in times],
        "mean_ns": [USUAL_NS * time for time in times],
        "max_ns": [round(2 * USUAL_NS * time) for time in times],
        "log2_mean": [23 + math.log2(time) for time in times],
        "log2_variance": [0.2] * count,
    }
    (run.directory / folder.USERS).write_text(json.dumps(columns))
    return run


@pytest.mark.parametrize(("times", "is_told"), [(1, False), (2, True), (16, True)])
def test_a_user_who_is_served_twice_as_slowly_is_told(
    tmp_path: Path, times: int, is_told: bool
) -> None:
    run = with_users(observed(tmp_path), [*[1.0] * 19, times])
    found = list(unequal_users(run))
    assert bool(found) is is_told
    if is_told:
        (finding,) = found
        assert finding.severity is Severity.WARNING
        assert "1 of 20 users was served" in finding.evidence
        assert "number 19" in finding.evidence


def test_one_of_two_hundred_is_an_odd_one_out(tmp_path: Path) -> None:
    one, two = (observed(tmp_path / name, workload=closed(200)) for name in ("one", "two"))
    assert not list(unequal_users(with_users(one, [*[1.0] * 199, 16.0])))
    assert list(unequal_users(with_users(two, [*[1.0] * 198, 16.0, 16.0])))


def test_a_user_who_came_later_is_left_out(tmp_path: Path) -> None:
    run = with_users(observed(tmp_path), [*[1.0] * 19, 16.0], first_ns=2 * SECOND_NS)
    assert list(unequal_users(run)) == []


def test_users_who_go_are_left_out(tmp_path: Path) -> None:
    run = with_users(observed(tmp_path), [*[1.0] * 19, 16.0])
    arrivals = run.record.arrivals
    assert arrivals is not None
    falling = (Stage(to=20, over_ns=0), Stage(to=10, over_ns=8 * SECOND_NS))
    changed = with_record(run, arrivals=arrivals.model_copy(update={"stages": falling}))
    assert list(unequal_users(changed)) == []


def test_of_a_rate_and_of_an_older_run_nothing_is_told(tmp_path: Path) -> None:
    of_rate = with_users(observed(tmp_path, workload=rate(100)), [*[1.0] * 19, 16.0])
    assert list(unequal_users(of_rate)) == []
    assert run_figures(of_rate)["slowest_user"].reason == "a rate has no users"
    older = observed(tmp_path / "older")
    assert list(unequal_users(older)) == []
    assert run_figures(older)["slowest_user"].reason == "the engine did not tell it"


def test_the_slowest_user_is_held_against_the_median_one(tmp_path: Path) -> None:
    run = with_users(observed(tmp_path), [*[1.0] * 19, 16.0])
    assert run_figures(run)["slowest_user"].value == 16


def test_a_foreign_file_of_users_is_named(tmp_path: Path) -> None:
    run = observed(tmp_path)
    (run.directory / folder.USERS).write_text('{"from_ns": 0}')
    with pytest.raises(InputError, match="every"):
        list(unequal_users(run))


def with_answers(run: WindowedRun, usual: int, *, is_held: bool) -> WindowedRun:
    answers = AnswerFacts(
        compared=1000,
        usual=usual,
        usual_bytes=12,
        others_as_long=1000 - usual,
        all_bytes=12_000,
        kinds=2,
    )
    return with_facts(run, answers, is_held=is_held)


def with_facts(run: WindowedRun, answers: AnswerFacts, *, is_held: bool = False) -> WindowedRun:
    operations = {
        name: facts.model_copy(update={"answers": answers})
        for name, facts in run.record.operations.items()
    }
    checks = run.record.checks if is_held else ()
    return with_record(run, operations=operations, checks=checks)


@pytest.mark.parametrize(
    ("usual", "is_held", "code"),
    [
        (1000, False, None),
        (999, False, "answers-differ"),
        (801, True, "answers-differ"),
        (800, False, "answers-vary"),
        (800, True, None),
        (1, False, "answers-vary"),
    ],
)
def test_few_that_differ_are_doubted_and_many_vary(
    tmp_path: Path, usual: int, is_held: bool, code: str | None
) -> None:
    run = with_answers(observed(tmp_path), usual, is_held=is_held)
    found = list(answers_differ(run))
    assert [each.code for each in found] == ([code] if code else [])
    if code:
        severity = Severity.WARNING if code == "answers-differ" else Severity.NOTE
        assert found[0].severity is severity
        assert f"{1000 - usual} of 1,000 answers" in found[0].evidence


@pytest.mark.parametrize(
    ("usual_bytes", "others_bytes", "kinds", "code"),
    [
        (40, 79, 2, "answers-vary"),
        (40, 80, 2, "answers-of-two-lengths"),
        (2000, 40, 4, "answers-of-two-lengths"),
        (2000, 40, 5, "answers-vary"),
        (10, 25, 2, "answers-vary"),
    ],
    ids=["alike", "twice", "shorter", "many kinds", "some digits"],
)
@pytest.mark.parametrize("is_held", [False, True])
def test_an_error_that_counts_as_ok_is_told_by_its_length(
    tmp_path: Path, usual_bytes: int, others_bytes: int, kinds: int, code: str, is_held: bool
) -> None:
    answers = AnswerFacts(
        compared=1000,
        usual=600,
        usual_bytes=usual_bytes,
        others_as_long=0,
        all_bytes=600 * usual_bytes + 400 * others_bytes,
        kinds=kinds,
    )
    found = list(answers_differ(with_facts(observed(tmp_path), answers, is_held=is_held)))
    if is_held and code == "answers-vary":
        assert found == []
        return
    (finding,) = found
    assert finding.code == code
    if code == "answers-of-two-lengths":
        assert finding.severity is Severity.WARNING
        assert "400 answers of 1,000" in finding.evidence
        assert f"had {others_bytes:,} bytes at the mean" in finding.evidence


def with_bytes(run: WindowedRun, of_second: Callable[[int], int]) -> WindowedRun:
    """The run with answers of so many bytes in each second."""
    timeline = []
    for second, each in enumerate(run.timeline):
        operations = {
            name: seen.model_copy(
                update={"bytes_received": of_second(second) * sum(seen.outcomes.values())}
            )
            for name, seen in each.operations.items()
        }
        timeline.append(each.model_copy(update={"operations": operations}))
    return dataclasses.replace(run, timeline=tuple(timeline))


@pytest.mark.parametrize(
    ("last", "is_told"), [(1000, False), (810, False), (790, True), (1300, True)]
)
def test_answers_that_become_shorter_are_not_the_same_work(
    tmp_path: Path, last: int, is_told: bool
) -> None:
    run = observed(tmp_path, workload=closed(20, seconds=20))
    run = with_bytes(run, lambda second: last if second >= 16 else 1000)
    found = list(answer_size_changed(run))
    assert bool(found) is is_told
    if is_told:
        (finding,) = found
        assert (finding.code, finding.severity) == ("answer-size-changed", Severity.WARNING)
        assert f"1,000, 1,000, 1,000, 1,000 and {last:,} bytes" in finding.evidence


def test_failures_have_lengths_of_their_own(tmp_path: Path) -> None:
    run = observed(tmp_path, Behaviour(failing_share=0.1), closed(20, seconds=20))
    assert not list(
        answer_size_changed(with_bytes(run, lambda second: 100 if second >= 16 else 1000))
    )
