"""`from: window` of stop rules: where it may stand, and what it becomes."""

import pytest
from small_lab import BUSY_PATH, SmallLab, refuse_workload

from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.model import Workload
from loadstone.study.values.stop_rules import StopRules

RULE = "stop: {from: window, first_failure: true}\n"


def read(lab: SmallLab, new: str, old: str = "warm_up: 2s\n") -> Workload:
    workload = read_workload(lab.change(BUSY_PATH, old, new))
    assert isinstance(workload, Workload)
    return workload


def test_rules_hold_from_the_start_unless_it_is_said(lab: SmallLab) -> None:
    assert not read(lab, "warm_up: 2s\nstop: {first_failure: true}\n").stop.from_window


@pytest.mark.parametrize("warm_up", ["warm_up: 2s\n", "warm_up: 0s\n"])
def test_they_may_wait_for_a_window_whose_begin_is_set(lab: SmallLab, warm_up: str) -> None:
    stop = read(lab, warm_up + RULE).stop
    assert stop == StopRules(first_failure=True, holds_from="window")


def test_they_may_wait_for_a_window_behind_a_watched_warm_up(lab: SmallLab) -> None:
    lab.change(BUSY_PATH, "duration: 10s\n", "window: 10s\n")
    assert read(lab, f"warm_up: steady\n{RULE}").stop.from_window


def test_the_rules_of_a_group_may_wait_too(lab: SmallLab) -> None:
    text = (lab.root / BUSY_PATH).read_text()
    _, _, session = text.partition("session:\n")
    path = lab.write(
        BUSY_PATH,
        "workload: busy\nkind: load\nduration: 10s\nwarm_up: 2s\ngroups:\n- group: buyers\n  users: 5\n"
        f"  {RULE}  session:\n" + "\n".join(f"  {line}" for line in session.splitlines()) + "\n",
    )
    workload = read_workload(path)
    assert isinstance(workload, Workload)
    assert workload.groups[0].stop.from_window
    assert workload.stop == StopRules()


def test_a_shorter_profile_keeps_it() -> None:
    assert StopRules(first_failure=True, holds_from="window").in_shorter_time(0.5).from_window


@pytest.mark.parametrize(
    ("new", "message"),
    [
        (
            "warm_up: 2s\nstop: {from: window}\n",
            "busy.yaml:7: stop.from: says from when on, and there",
        ),
        (
            "warm_up: 2s\nstop: {from: end, first_failure: true}\n",
            "busy.yaml:7: stop.from: must be ",
        ),
    ],
)
def test_a_wrong_one_is_refused(lab: SmallLab, new: str, message: str) -> None:
    refuse_workload(lab, "warm_up: 2s\n", new, message)


def test_a_window_that_is_found_afterwards_cannot_be_waited_for(lab: SmallLab) -> None:
    lab.change(BUSY_PATH, "duration: 10s\n", "duration: 40s\n")
    refuse_workload(
        lab,
        "warm_up: 2s\n",
        f"warm_up: detected\n{RULE}",
        "busy.yaml:7: stop.from: waits for a window that is found when the load is over",
    )
