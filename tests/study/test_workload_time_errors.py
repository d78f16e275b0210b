"""Times of a workload that are wrong: duration, warm-up, window, timeout."""

import pytest
from small_lab import SmallLab, refuse_workload

CASES = {
    "neither duration nor window": (
        "duration: 10s\nwarm_up: 2s",
        "",
        "busy.yaml:1: duration or window is missing",
    ),
    "duration and window": (
        "warm_up: 2s",
        "window: 2s",
        "busy.yaml:6: window: duration and window exclude each other",
    ),
    "a window behind a warm-up that is set": (
        "duration: 10s",
        "window: 10s",
        "busy.yaml:5: window: goes with warm_up: steady",
    ),
    "a warm-up until steady inside a duration": (
        "warm_up: 2s",
        "warm_up: steady",
        "busy.yaml:6: warm_up: until steady needs a window behind it",
    ),
    "a warm-up too short to see anything": (
        "duration: 10s\nwarm_up: 2s",
        "window: 10s\nwarm_up: {until: steady, at_most: 14s}",
        "busy.yaml:6: warm_up: is over before steadiness can be looked for",
    ),
    "a warm-up that is over before the users are there": (
        "users: 50\nduration: 10s\nwarm_up: 2s",
        "users: {stages: [{to: 50, over: 1m}]}\nwindow: 10s\nwarm_up: {until: steady, at_most: 60s}",
        "busy.yaml:6: warm_up: is over before steadiness can be looked for",
    ),
    "a warm-up until something else": (
        "duration: 10s\nwarm_up: 2s",
        "window: 10s\nwarm_up: {until: hot}",
        "busy.yaml:6: warm_up.until: must be 'steady', not 'hot'",
    ),
    "the window of a footprint": (
        "kind: load\ngroup: buyers\nusers: 50\nduration: 10s\nwarm_up: 2s",
        "kind: footprint\ngroup: buyers\nusers: 50\nwindow: 10s",
        "busy.yaml:5: window: cannot follow a load whose memory is marked",
    ),
    "negative duration": (
        "duration: 10s",
        "duration: -10s",
        "busy.yaml:5: duration: must not be negative, not -10s",
    ),
    "no unit": ("duration: 10s", "duration: 10", "busy.yaml:5: duration: 10 has no unit of time"),
    "part of a second": (
        "duration: 10s",
        "duration: 10500ms",
        "busy.yaml:5: duration: must be whole seconds, not 10500ms",
    ),
    "a warm-up of everything": (
        "warm_up: 2s",
        "warm_up: 10s",
        "busy.yaml:6: warm_up: must be shorter than duration",
    ),
    "a warm-up that cannot be detected": (
        "warm_up: 2s",
        "warm_up: detected",
        "busy.yaml:6: warm_up: cannot be detected in less than 30 s",
    ),
    "a warm-up of changing users": (
        "users: 50\nduration: 10s\nwarm_up: 2s",
        "users: {stages: [{to: 50, over: 10s}]}\nduration: 60s\nwarm_up: detected",
        "busy.yaml:6: warm_up: cannot be detected: users or rate change",
    ),
    "a warm-up in other words": (
        "warm_up: 2s",
        "warm_up: seen",
        "busy.yaml:6: warm_up: 'seen' is not a duration",
    ),
    "no timeout": (
        "warm_up: 2s",
        "timeout: 0s",
        "busy.yaml:6: timeout: must be more than zero, not 0s",
    ),
}


@pytest.mark.parametrize(("old", "new", "message"), CASES.values(), ids=CASES.keys())
def test_times_that_are_wrong_are_refused_with_file_line_and_key(
    lab: SmallLab, old: str, new: str, message: str
) -> None:
    refuse_workload(lab, old, new, message)
