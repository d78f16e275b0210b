"""Simulated loads of groups: what is told of sessions and of requests adds up."""

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loadstone.metrics.outcomes import Outcome, SessionClock, Unreached
from loadstone.results import folder
from loadstone.results.histogram_log import read_histograms
from loadstone.results.timeline import read_timeline
from loadstone.simulate.behaviour import Behaviour
from loadstone.simulate.engine_files import GroupEnds, write_operations
from loadstone.simulate.load import SimulatedLoad, simulate_load
from loadstone.study.values.arrivals import Stage
from loadstone.study.values.feeds import Feed, Numbers
from loadstone.study.values.groups import Group
from loadstone.study.values.model import Workload
from loadstone.study.values.steps import Alternative, Choose, Repeat
from loadstone.study.values.stop_rules import P99Rule, StopRules
from simulated_load import SECOND_NS, closed, group, grouped, rate, step

SLOW = Behaviour(median_ms=150)
RAMP = (
    Stage(to=5, over_ns=2 * SECOND_NS),
    Stage(to=5, over_ns=SECOND_NS),
    Stage(to=1, over_ns=SECOND_NS),
)
DRAWN = Choose(
    choose=(
        Alternative(weight=3, steps=(step("list"),)),
        Alternative(weight=1, steps=(Repeat(repeat=3, steps=(step("show", think_ms=30),)),)),
    )
)
GROUPS = (
    group("plain", users=3),
    group("drawn", step("log-in", captures=True), DRAWN, step("book", or_end=409), users=2),
    group("leaving", step("a", think_ms=200), step("b"), ramp=RAMP, leave="after_request"),
    group("paced", step("a"), step("b"), users=2, pace_ns=SECOND_NS),
    group("first", step("a"), step("b"), users=2, once=(step("log-in"),)),
    group("arriving", per_second=8, poisson=True, start_ns=SECOND_NS),
    group("single", step("list"), per_second=8),
)

behaviours = st.builds(
    Behaviour,
    median_ms=st.sampled_from([20.0, 150.0, 900.0]),
    failing_share=st.sampled_from([0.0, 0.05, 0.5, 1.0]),
    missing_value_share=st.sampled_from([0.0, 0.2]),
    ending_share=st.sampled_from([0.0, 0.3, 1.0]),
    hung_users=st.sampled_from([0, 1]),
    still_ms=st.sampled_from([0.0, 400.0]),
    still_every_s=st.just(2.0),
    fails_after_ms=st.sampled_from([None, 2500.0]),
)
chosen = st.lists(
    st.sampled_from(GROUPS), min_size=1, max_size=4, unique_by=lambda each: each.group
)


def load_of(
    workload: Workload, behaviour: Behaviour = SLOW, seed: int = 1, factor: float = 1.0
) -> SimulatedLoad:
    return simulate_load(workload, behaviour, factor, np.random.default_rng(seed))


@settings(max_examples=60, deadline=None)
@given(chosen, behaviours, st.integers(0, 9), st.integers(1, 2))
def test_sessions_and_requests_add_up(
    groups: list[Group], behaviour: Behaviour, seed: int, streams: int
) -> None:
    load = load_of(grouped(*groups, seconds=5, warm_up=1, streams=streams), behaviour, seed)
    for each in load.groups:
        facts, operations = each.facts(), each.operation_facts()
        sessions = facts.sessions
        aborted = sum(sessions.aborted.values())
        assert sessions.begun == sessions.finished + aborted + sessions.cut
        assert sessions.ended_early <= sessions.finished
        assert sum(facts.aborted_at.values()) == aborted
        offered = Counter[Outcome]()
        for told in operations.values():
            offered.update(told.outcomes)
        assert offered == Counter(facts.outcomes)
        planned = list(each.performed.planned.values()) or [(0,)] * sessions.begun
        begun = set(each.steps.session.tolist())
        if each.performed.planned:
            planned = [each.performed.planned[number] for number in begun]
        unreached = sum(sum(told.unreached.values()) for told in operations.values())
        assert sum(map(len, planned)) == sum(offered.values()) + unreached
        if not aborted:
            assert not any(Unreached.ABORTED in told.unreached for told in operations.values())


@settings(max_examples=20, deadline=None)
@given(chosen, behaviours)
def test_the_files_tell_what_the_summary_tells(groups: list[Group], behaviour: Behaviour) -> None:
    workload = grouped(*groups, seconds=4, warm_up=1)
    load = load_of(workload, behaviour)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        ends = {each.group.name: GroupEnds(each.sessions, each.stays) for each in load.groups}
        write_operations(
            directory, load.by_operation(), load.stop.at_ns, workload.grace_ns, groups=ends
        )
        timeline = read_timeline(directory / folder.TIMELINE)
        found = read_histograms(directory / folder.HISTOGRAMS, lambda _start, _end: True)
    for each in load.groups:
        facts, name = each.facts().sessions, each.group.name
        told = [interval.groups[name].sessions for interval in timeline]
        assert sum(one.begun for one in told) == facts.begun
        assert sum(one.finished for one in told) == facts.finished
        assert sum(one.ended_early for one in told) == facts.ended_early
        assert sum(one.aborted for one in told) == sum(facts.aborted.values())
        assert sum(one.cut for one in told) == facts.cut
        assert told[-1].open == 0
        durations = sum(
            histogram.count
            for key, histogram in found.items()
            if key.operation == name and key.clock is SessionClock.SESSION_DURATION and key.ok
        )
        assert durations == facts.finished


def test_a_failed_step_ends_its_session_and_the_next_one_begins() -> None:
    workload = grouped(group("a", step("one"), step("two"), users=1), seconds=5)
    (only,) = load_of(workload, Behaviour(failing_share=0.3)).groups
    failed = only.requests.outcome != Outcome.OK
    assert 0 < failed.sum() < len(failed)
    order = np.argsort(only.requests.intended_ns)
    session, step_of = only.steps.session[order], only.steps.step[order]
    after = np.flatnonzero(failed[order][:-1]) + 1
    assert (step_of[after] == 0).all()
    assert (session[after] == session[after - 1] + 1).all()
    assert (only.requests.intended_ns[order][1:] >= only.requests.done_ns[order][:-1]).all()


def test_a_session_of_a_closed_group_has_the_number_of_its_place() -> None:
    (only,) = load_of(grouped(group("a", users=3), seconds=5)).groups
    assert (only.steps.session % 3 == only.steps.place).all()


def test_what_comes_once_is_done_before_the_first_session_and_has_no_part_in_its_duration() -> None:
    first = group("a", step("list"), step("show"), users=2, once=(step("log-in"),))
    (only,) = load_of(grouped(first, seconds=5), Behaviour(median_ms=100, spread=0)).groups
    names = [each.operation for each in only.group.steps]
    assert only.by_operation()["a.log-in"].done_ns.size == 2
    assert names[0] == "log-in"
    durations = only.sessions.durations(0, 10 * SECOND_NS, ok=True)
    assert np.ptp(durations) < 10**6


def test_paces_hold_and_are_missed() -> None:
    paced = group("a", step("list"), step("show"), users=2, pace_ns=SECOND_NS)
    quick, slow = (
        load_of(grouped(paced, seconds=8), Behaviour(median_ms=ms, spread=0)).groups[0].facts()
        for ms in (20, 800)
    )
    assert quick.paces is not None
    assert slow.paces is not None
    assert (quick.paces.missed, slow.paces.held) == (0, 0)
    assert quick.sessions.begun == 16
    assert quick.think.sum_ns > 10 * SECOND_NS


def test_a_feed_that_is_taken_once_stops_the_load_where_it_has_no_row() -> None:
    feed = Feed(feed="slot", source=Numbers(first=1, last=30, step=1), take="once")
    workload = grouped(group("a", per_second=10, feeds=(feed,)), seconds=8)
    load = load_of(workload, Behaviour())
    assert load.stop.reason == "feed_exhausted"
    assert load.stop.at_ns == pytest.approx(3 * SECOND_NS, abs=SECOND_NS // 5)
    (facts,) = (each.facts() for each in load.groups)
    assert [(each.used, each.rows, each.turns) for each in facts.feeds] == [(30, 30, 0)]


def test_a_rule_of_one_group_looks_at_it_alone_and_stops_the_whole_load() -> None:
    rule = StopRules(p99=P99Rule(above_ns=10**8, for_ns=2 * SECOND_NS))
    slow = group("slow", step("list", think_ms=1), step("show"), users=2, stop=rule)
    load = load_of(grouped(slow, group("other", users=3), seconds=8), Behaviour(median_ms=150))
    assert (load.stop.reason, load.stop.rule_group) == ("p99", "slow")
    assert load.stop.at_ns == 2 * SECOND_NS
    assert load.stop.users_by_group == {"slow": 2, "other": 3}


def test_the_first_failure_of_any_kind_stops() -> None:
    workload = grouped(group("a", users=2), seconds=8, stop=StopRules(first_failure=True))
    assert load_of(workload, Behaviour(missing_value_share=0.5)).stop.reason == "first_failure"


@pytest.mark.parametrize("workload", [closed(4), rate(50)], ids=["users", "rate"])
def test_where_a_session_is_one_request_there_are_as_many_of_both(workload: Workload) -> None:
    (only,) = load_of(workload, Behaviour(failing_share=0.1)).groups
    facts = only.facts()
    assert facts.sessions.begun == len(only.requests.done_ns)
    assert facts.sessions.cut == 0
    assert facts.sessions.aborted[Outcome.STATUS] == facts.outcomes[Outcome.STATUS] > 0
