"""`warmed`: the load that makes a service warm before another one, and where it may stand."""

import pytest
from small_lab import BUSY_PATH, SmallLab, load_study, refuse_workload

from loadstone.errors import InputError
from loadstone.report.workload_text import workload_sentence
from loadstone.study.design.plan import estimate, make_plan
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.arrivals import Users, steady
from loadstone.study.values.model import Workload
from loadstone.study.values.stop_rules import StopRules

SECOND_NS = 10**9
WARMED = "warm_up: 2s\nwarmed: {at_most: 60s}\nthink: 1s\n"
OLD = "warm_up: 2s\n"


def read(lab: SmallLab, new: str = WARMED) -> Workload:
    workload = read_workload(lab.change(BUSY_PATH, OLD, new))
    assert isinstance(workload, Workload)
    return workload


def test_nothing_comes_before_a_load_unless_it_is_said(lab: SmallLab) -> None:
    assert read(lab, OLD).warmed_within_ns is None


def test_it_lasts_three_minutes_at_most_unless_it_is_said(lab: SmallLab) -> None:
    assert read(lab, "warm_up: 2s\nwarmed: {}\nthink: 1s\n").warmed_within_ns == 180 * SECOND_NS


def test_its_users_neither_pause_nor_come_later_nor_are_stopped(lab: SmallLab) -> None:
    new = WARMED + "start_after: 1s\nstop: {first_failure: true}\npace: 5s\n"
    warming = read(lab, new).warming()
    (group,) = warming.groups
    assert group.arrivals == Users(stages=steady(32)), "of fifty"
    assert (group.think, group.pace_ns, group.start_ns) == (None, None, 0)
    assert group.sends
    assert warming.stop == group.stop == StopRules()
    assert (warming.steady_within_ns, warming.warm_up_ns) == (60 * SECOND_NS, None)
    assert warming.warmed_within_ns is None


def test_few_users_are_as_many(lab: SmallLab) -> None:
    lab.change(BUSY_PATH, "users: 50", "users: 10")
    assert read(lab).warming().connections == 10


def test_pauses_of_steps_are_left_out_too(lab: SmallLab) -> None:
    lab.change(BUSY_PATH, "    post: /buy\n", "    post: /buy\n    think: 2s\n")
    workload = read(lab, "warm_up: 2s\nwarmed: {}\n")
    assert not any(send.think for send in workload.warming().groups[0].sends)


def test_people_are_told(lab: SmallLab) -> None:
    sentence = workload_sentence(read(lab))
    assert "of which the first 2 s are warm-up, before it users without pauses" in sentence
    assert "until the service is steady (at most 60 s)" in sentence


def test_its_time_counts(lab: SmallLab) -> None:
    read(lab)
    study = load_study(lab.study(), lab.catalogue)
    plan = make_plan(study)
    (run,) = [run for run in plan.runs[:4] if run.workload == "busy"][:1]
    alone = plan.model_copy(update={"runs": (run,)})
    told = estimate(alone)
    assert told.most_seconds - told.seconds == pytest.approx(60 - 45, abs=46)
    assert told.most_seconds > 70


def test_a_profile_that_sets_a_warm_up_takes_it_out(lab: SmallLab) -> None:
    read(lab)
    study = load_study(lab.study(), lab.catalogue)

    def within_ns(profile: str | None) -> list[int | None]:
        plan = make_plan(study, profile)
        return [each.warmed_within_ns for each in plan.workloads if isinstance(each, Workload)]

    assert within_ns(None) == [60 * SECOND_NS, None]
    assert within_ns("smoke") == [None, None]


STAGES = "users: {stages: [{up: 20, over: 1s, hold: 3s, times: 2}]}"


def test_users_who_never_pause_may_change(lab: SmallLab) -> None:
    lab.change(BUSY_PATH, "users: 50", STAGES)
    (group,) = read(lab, "warm_up: 2s\nwarmed: {at_most: 60s}\n").warming().groups
    assert group.arrivals == Users(stages=steady(32)), "of forty, from the begin on"


SMOKE = "{blocks: 1, duration: 2s, warm_up: 0s}"
"""The profile of the lab's study."""
STEADY_PATH = "systems/shop/workloads/steady.yaml"
RATE = "rate: {per_second: 1000, connections: 50}"


def changing(lab: SmallLab) -> None:
    """Let users of both workloads change."""
    lab.change(BUSY_PATH, "users: 50", STAGES)
    lab.change(STEADY_PATH, RATE, STAGES)


def test_a_profile_may_ask_for_it_before_every_load(lab: SmallLab) -> None:
    changing(lab)
    study = load_study(lab.study(SMOKE, "{warm_up: 1s, warmed: {at_most: 90s}}"), lab.catalogue)

    def timing(profile: str | None) -> list[tuple[int | None, int | None]]:
        workloads = make_plan(study, profile).workloads
        loads = [each for each in workloads if isinstance(each, Workload)]
        return [(each.warm_up_ns, each.warmed_within_ns) for each in loads]

    assert timing("smoke") == [(SECOND_NS, 90 * SECOND_NS)] * 2
    assert timing(None) == [(2 * SECOND_NS, None), (0, None)], "the study itself has none"


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ("{warmed: {}}", "warmed: stands before busy, whose users never pause nor change"),
        ("{warmed: {}, workloads: [steady]}", "warmed: is only for a load of closed users"),
        (
            "{warmed: {}, warm_up: steady, window: 9s}",
            "warmed: stands beside the warm-up of busy, which is watched itself",
        ),
    ],
)
def test_a_profile_cannot_ask_for_it_before_any_load(
    lab: SmallLab, profile: str, message: str
) -> None:
    if "window" in profile:
        changing(lab)
    with pytest.raises(InputError) as caught:
        load_study(lab.study(SMOKE, profile), lab.catalogue)
    assert f"which.yaml:17: profiles.smoke.{message}" in caught.value.message
    assert caught.value.remedy


def test_a_profile_cannot_ask_for_too_short_a_one(lab: SmallLab) -> None:
    changing(lab)
    with pytest.raises(InputError, match="over before steadiness can be looked for"):
        load_study(lab.study(SMOKE, "{warmed: {at_most: 5s}}"), lab.catalogue)


@pytest.mark.parametrize(
    ("new", "message"),
    [
        (
            "warm_up: 2s\nwarmed: {}\n",
            "busy.yaml:7: warmed: stands before busy, whose users never pause nor change",
        ),
        (
            "warm_up: 2s\nthink: 1s\nwarmed: {at_most: 5s}\n",
            "busy.yaml:8: warmed.at_most: is over before steadiness can be looked for",
        ),
        (
            "warm_up: 2s\nthink: 1s\nwarmed: {until: idle}\n",
            "busy.yaml:8: warmed.until: ",
        ),
    ],
)
def test_a_wrong_one_is_refused(lab: SmallLab, new: str, message: str) -> None:
    refuse_workload(lab, OLD, new, message)


def test_it_is_not_for_a_rate(lab: SmallLab) -> None:
    lab.change(BUSY_PATH, "users: 50", "rate: {per_second: 10, connections: 5}")
    refuse_workload(lab, OLD, WARMED, "busy.yaml:7: warmed: is only for a load of closed users")


def test_it_is_not_for_a_footprint(lab: SmallLab) -> None:
    lab.change(BUSY_PATH, "kind: load", "kind: footprint")
    refuse_workload(lab, OLD, WARMED, "busy.yaml:7: warmed: is only for a load of closed users")


def test_a_warm_up_that_is_watched_is_enough(lab: SmallLab) -> None:
    lab.change(BUSY_PATH, "duration: 10s\n", "window: 10s\n")
    refuse_workload(
        lab,
        OLD,
        "warm_up: steady\nwarmed: {}\nthink: 1s\n",
        "busy.yaml:7: warmed: stands beside the warm-up of busy, which is watched itself",
    )
