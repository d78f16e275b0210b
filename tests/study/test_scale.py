"""A profile that makes every load shorter and smaller alike."""

import pytest
from small_lab import SmallLab, load_study, plan_of

from loadstone.errors import InputError
from loadstone.study.values.arrivals import Rate, Stage, Users, steady
from loadstone.study.values.model import Workload
from loadstone.study.values.stop_rules import FailuresRule, MeanRule, P99Rule, StopRules

SECOND_NS = 10**9
STAGED = """\
workload: busy
kind: load
duration: 100s
warm_up: 15s
stop: {mean_response_time: {above: 30s, for: 60s}, failures: {above: 50%, for: 4s}}
each_group: {session: [{operation: buy, get: /}]}
groups:
- group: users
  users: {stages: [{up: 20, over: 10s, hold: 20s, times: 2}]}
  start_after: 5s
- group: visitors
  rate: {stages: [{to: 100, over: 50s}], connections: 50}
  stop: {p99: {above: 2s, for: 30s}}
"""
SMOKE = "smoke: {blocks: 1, duration: 2s, warm_up: 0s}"


def scaled(lab: SmallLab, scale: str, **others: str) -> Workload:
    lab.write("systems/shop/workloads/busy.yaml", STAGED)
    keys = "".join(f", {key}: {value}" for key, value in others.items())
    path = lab.study(SMOKE, f"small: {{blocks: 1, scale: {scale}{keys}}}")
    busy = next(
        each for each in plan_of(path, lab.catalogue, "small").workloads if each.workload == "busy"
    )
    assert isinstance(busy, Workload)
    return busy


def test_stages_delays_rules_and_the_duration_become_shorter(lab: SmallLab) -> None:
    busy = scaled(lab, "{time: 10%, users: 20%}")
    users, visitors = busy.groups
    assert users.arrivals == Users(
        stages=tuple(
            Stage(to=to, over_ns=seconds * SECOND_NS)
            for to, seconds in ((4, 1), (4, 2), (8, 1), (8, 2))
        )
    )
    assert users.start_ns == SECOND_NS // 2
    assert visitors.arrivals == Rate(stages=(Stage(to=100, over_ns=5 * SECOND_NS),), connections=50)
    assert (busy.duration_ns, busy.warm_up_ns) == (10 * SECOND_NS, SECOND_NS)
    assert busy.stop == StopRules(
        mean_response_time=MeanRule(above_ns=3 * SECOND_NS, for_ns=6 * SECOND_NS),
        failures=FailuresRule(above_share=0.5, for_ns=SECOND_NS),
    )
    assert visitors.stop == StopRules(p99=P99Rule(above_ns=SECOND_NS // 5, for_ns=3 * SECOND_NS))


def test_what_the_profile_says_itself_is_not_scaled(lab: SmallLab) -> None:
    busy = scaled(lab, "{time: 50%}", duration="60s", warm_up="2s")
    assert (busy.duration_ns, busy.warm_up_ns) == (60 * SECOND_NS, 2 * SECOND_NS)
    assert busy.groups[0].arrivals.highest == 40
    assert busy.groups[0].arrivals.length_ns == 30 * SECOND_NS


def test_nobody_is_scaled_away(lab: SmallLab) -> None:
    assert scaled(lab, "{users: 1%}").groups[0].arrivals.highest == 1


def test_the_groups_of_a_profile_without_a_scale_stay_as_they_are(lab: SmallLab) -> None:
    busy = scaled(lab, "{}")
    assert busy.groups[0].arrivals.highest == 40
    assert busy.duration_ns == 100 * SECOND_NS


def test_a_ramp_brings_the_users_of_each_group(lab: SmallLab) -> None:
    text = STAGED.replace("{stages: [{up: 20, over: 10s, hold: 20s, times: 2}]}", "40")
    lab.write("systems/shop/workloads/busy.yaml", text)
    path = lab.study(SMOKE, "small: {blocks: 1, ramp: 10s}")
    busy = plan_of(path, lab.catalogue, "small").workloads[0]
    assert isinstance(busy, Workload)
    assert busy.groups[0].arrivals == Users(stages=(Stage(to=40, over_ns=10 * SECOND_NS),))
    assert busy.groups[1].arrivals.highest == 100


@pytest.mark.parametrize(
    ("scale", "message"),
    [
        ("{time: 0%}", "profiles.small.scale.time: must be more than 0% and at most 100%"),
        ("{users: 200%}", "profiles.small.scale.users: must be more than 0% and at most 100%"),
        ("{user: 20%}", "profiles.small.scale.user: is not a known key"),
    ],
)
def test_a_wrong_scale_is_refused(lab: SmallLab, scale: str, message: str) -> None:
    path = lab.study(SMOKE, f"small: {{blocks: 1, scale: {scale}}}")
    with pytest.raises(InputError) as caught:
        load_study(path, lab.catalogue)
    assert caught.value.remedy
    assert message in caught.value.message


def test_steady_users_of_before_have_no_length_to_shorten(lab: SmallLab) -> None:
    path = lab.study(SMOKE, "small: {blocks: 1, scale: {time: 20%, users: 10%}}")
    busy = plan_of(path, lab.catalogue, "small").workloads[0]
    assert isinstance(busy, Workload)
    assert busy.arrivals == Users(stages=steady(5))
    assert (busy.duration_ns, busy.warm_up_ns) == (2 * SECOND_NS, 0)
