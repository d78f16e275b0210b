"""Rules that hold users to each other or to Little's law, group by group."""

import dataclasses
import json
import math
from pathlib import Path

import pytest
from changes import with_record

from loadstone.audit.engine.busy_generator import rate_not_achieved
from loadstone.audit.engine.late_requests import late_requests
from loadstone.audit.engine.saturation import is_to_saturate
from loadstone.audit.figures.arithmetic import users_accounted_for
from loadstone.audit.figures.pinned_throughput import pinned_throughput
from loadstone.audit.figures.stopped_early import stopped_early
from loadstone.audit.figures.user_cycle import cycles
from loadstone.audit.service.unequal_users import unequal_users
from loadstone.findings.model import Severity
from loadstone.metrics.outcomes import Clock
from loadstone.results import folder
from loadstone.results.load_facts import StopFacts
from loadstone.results.window import WindowedRun
from loadstone.stats.values.quantile import quantile_over_offered
from observed import observed
from results_builder import Behaviour
from simulated_load import SECOND_NS, group, grouped, step

USUAL_NS = 2**23
SLOW_STEPS = (step("list", think_ms=300), step("show", think_ms=500))


def run_of(directory: Path, behaviour: Behaviour | None = None, **pausing: object) -> WindowedRun:
    """Ten users who ask at once, and forty who pause, for another time behind each step."""
    groups = group("bookers", users=10), group("browsers", *SLOW_STEPS, users=40, **pausing)
    return observed(directory, behaviour, grouped(*groups))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> WindowedRun:
    return run_of(tmp_path_factory.mktemp("run"))


def with_facts(run: WindowedRun, name: str, **changes: object) -> WindowedRun:
    groups = {
        each: facts.model_copy(update=changes) if each == name else facts
        for each, facts in run.load.groups.items()
    }
    return dataclasses.replace(run, load=run.load.model_copy(update={"groups": groups}))


def test_each_group_has_the_pause_that_was_recorded(run: WindowedRun) -> None:
    busy, slow = cycles(run)
    assert (busy.group, slow.group) == ("bookers", "browsers")
    assert busy.pause_ns == 0
    assert slow.pause_ns == pytest.approx(0.4 * SECOND_NS, rel=0.05)
    assert not list(users_accounted_for(run))


@pytest.mark.parametrize(("pause_share", "is_told"), [(0.99, False), (0.5, True), (0.0, True)])
def test_users_of_one_group_who_are_not_accounted_for_are_told(
    run: WindowedRun, pause_share: float, is_told: bool
) -> None:
    think = run.load.groups["browsers"].think
    less = think.model_copy(update={"sum_ns": round(think.sum_ns * pause_share)})
    found = list(users_accounted_for(with_facts(run, "browsers", think=less)))
    assert [each.severity for each in found] == [Severity.WITHHOLD] * is_told
    assert all("40 users of browsers" in each.evidence for each in found)


def test_users_who_hang_in_one_group_are_told_though_others_pause(tmp_path: Path) -> None:
    hung = run_of(tmp_path, Behaviour(hung_users=2))
    (found,) = users_accounted_for(hung)
    assert "10 users of bookers" in found.evidence


@pytest.mark.parametrize(("pause_ms", "is_told"), [(100, False), (1_000, True)])
def test_throughput_is_pinned_group_by_group(tmp_path: Path, pause_ms: int, is_told: bool) -> None:
    pausing = group("browsers", step("list", think_ms=pause_ms), step("show", think_ms=pause_ms))
    found = list(pinned_throughput(observed(tmp_path, workload=grouped(group("bookers"), pausing))))
    assert len(found) == is_told
    assert all(each.evidence.startswith("users of browsers pause") for each in found)


def test_a_pace_is_a_pause(tmp_path: Path) -> None:
    paced = group("browsers", users=10, pace_ns=SECOND_NS)
    run = observed(tmp_path, workload=grouped(group("bookers"), paced))
    assert not list(users_accounted_for(run))
    assert [each.code for each in pinned_throughput(run)] == ["pinned-throughput"]


def test_a_load_with_a_pause_in_any_group_is_not_there_to_saturate(
    run: WindowedRun, tmp_path: Path
) -> None:
    assert not is_to_saturate(run)
    assert is_to_saturate(observed(tmp_path / "a", workload=grouped(group("a"), group("b"))))
    mixed = grouped(group("a"), group("b", per_second=10))
    assert not is_to_saturate(observed(tmp_path / "b", workload=mixed))


def test_requests_are_late_where_any_group_has_times_that_are_planned(tmp_path: Path) -> None:
    late = Behaviour(lag_ms=5)
    mixed = observed(tmp_path / "a", late, grouped(group("a"), group("b", per_second=10)))
    assert list(late_requests(mixed))
    closed = observed(tmp_path / "b", late, grouped(group("a"), group("b")))
    assert not list(late_requests(closed))


@pytest.mark.parametrize(("begun", "is_told"), [(199, False), (190, True)])
def test_each_rate_is_held_to_its_own(tmp_path: Path, begun: int, is_told: bool) -> None:
    run = observed(tmp_path, workload=grouped(group("a"), group("b", per_second=10)))
    sessions = run.load.groups["b"].sessions.model_copy(update={"begun": begun})
    found = list(rate_not_achieved(with_facts(run, "b", sessions=sessions)))
    assert [each.severity for each in found] == [Severity.WITHHOLD] * is_told
    assert all(f"{begun} of 200 sessions of b were begun" in each.evidence for each in found)


def with_users(
    run: WindowedRun, times: list[float], answers: list[int], group_at: int = 0
) -> WindowedRun:
    """The run with users of one of its groups that took so many times the usual."""
    count = len(times)
    columns = {
        "from_ns": SECOND_NS,
        "every": 1,
        "groups": ["bookers", "browsers"],
        "group": [group_at] * count,
        "user": list(range(count)),
        "first_ns": [0] * count,
        "answers": answers,
        "mean_ns": [USUAL_NS * time for time in times],
        "mean_response_ns": [USUAL_NS * time for time in times],
        "max_ns": [2 * USUAL_NS * time for time in times],
        "log2_mean": [23 + math.log2(time) for time in times],
        "log2_variance": [0.2] * count,
    }
    (run.directory / folder.USERS).write_text(json.dumps(columns, default=int))
    return dataclasses.replace(run)


def evidence_of(run: WindowedRun) -> str:
    return "; ".join(each.evidence for each in unequal_users(run))


def test_users_of_two_groups_are_not_held_against_each_other(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    both = json.loads((run.directory / folder.USERS).read_text())
    browsing = [at == 1 for at in both["group"]]
    shift = [10 if each else 1 for each in browsing]
    for name in ("mean_ns", "mean_response_ns"):
        both[name] = [value * times for value, times in zip(both[name], shift, strict=True)]
    both["log2_mean"] = [
        value + math.log2(times) for value, times in zip(both["log2_mean"], shift, strict=True)
    ]
    (run.directory / folder.USERS).write_text(json.dumps(both))
    assert evidence_of(dataclasses.replace(run)) == ""


@pytest.mark.parametrize(("least", "is_told"), [(200, False), (199, True), (3, True)])
def test_a_user_with_less_than_half_of_the_answers_is_told(
    tmp_path: Path, least: int, is_told: bool
) -> None:
    run = with_users(run_of(tmp_path), [1.0] * 10, [400] * 9 + [least])
    assert ("1 of 10 users of bookers had fewer than 50 %" in evidence_of(run)) is is_told


def test_of_a_median_below_twenty_answers_half_is_chance(tmp_path: Path) -> None:
    run = with_users(run_of(tmp_path), [1.0] * 10, [19] * 9 + [0])
    assert evidence_of(run) == ""


@pytest.mark.parametrize(("times", "is_told"), [(9.0, False), (11.0, True)])
def test_a_user_who_waits_ten_times_the_p99_is_told_by_a_single_answer(
    tmp_path: Path, times: float, is_told: bool
) -> None:
    run = run_of(tmp_path)
    part = run.groups["bookers"]
    ok = run.histogram(Clock.RESPONSE_TIME, ok=True, part=part)
    p99 = quantile_over_offered(*ok.recorded, failed=0, quantile=0.99)
    assert p99 is not None
    waits = times * p99 / USUAL_NS
    changed = with_users(run, [1.0] * 9 + [waits], [19] * 9 + [1])
    assert ("user number 9 of bookers waited" in evidence_of(changed)) is is_told


def test_a_rule_of_a_group_is_named_with_the_users_of_all(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    stop = StopFacts(
        reason="p99",
        at_ns=4 * SECOND_NS,
        users=50,
        rule_group="browsers",
        users_by_group={"bookers": 10, "browsers": 40},
    )
    load = run.load.model_copy(update={"stop": stop})
    (found,) = stopped_early(dataclasses.replace(with_record(run), load=load))
    assert "at 50 users (10 of bookers, 40 of browsers)" in found.evidence
    assert found.evidence.endswith("the p99 stayed above its limit, of browsers")
