"""The published tables of users over time, ten times faster, against a service that slows down with
load: the engine has as many users at each second as the tables say.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from slowing_service import Slowing

from booking import plan_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

ENGINE = Path(sys.executable).parent / "loadstone-engine"
SECOND_NS = 10**9
FASTER = 10
GROUPS = ("adders", "bookers", "browsers", "raters", "deciders")

ADDED, RAMP_SECONDS = 20, 10
DELAYS = (0, 120, 240, 360, 480)
HOLDS_END, SHUTDOWN_SECONDS = 1510, 300
LOAD_SECONDS = HOLDS_END + SHUTDOWN_SECONDS
"""Of the load's table: every step of 20 users a group has its delay, and all end together."""

LEVEL_SECONDS, LEVEL_USERS = 60, 100
"""Of the stress: level k begins at 60(k - 1) s, with 100 k users a group."""
ABOVE_SECONDS, FOR_SECONDS = 30, 60

LOAD_CAPACITY = 600.0
STRESS_CAPACITY = 450.0
"""500 k users wait 500 k / 450 s: above 3 s, a tenth of 30 s, from the third level on."""


def in_table_of_load(second: float) -> float:
    """Users of a group at a second of the published time."""
    rising = sum(min(1.0, max(0.0, (second - delay) / RAMP_SECONDS)) for delay in DELAYS)
    falling = min(1.0, max(0.0, (second - HOLDS_END) / SHUTDOWN_SECONDS))
    return ADDED * rising * (1 - falling)


def in_table_of_stress(second: float) -> float:
    level, within = divmod(max(0.0, second), LEVEL_SECONDS)
    return LEVEL_USERS * (level + min(1.0, within))


def faster(name: str, address: str) -> dict[str, Any]:
    """A workload's plan, in a tenth of its time."""
    with plan_of(name) as plan:
        rows = {feed["file"]: Path(feed["file"]).read_bytes() for feed in plan["feeds"]}
    plan["target"] |= {"address": address, "host": address}
    plan["duration_ns"] //= FASTER
    for group in plan["groups"]:
        group["start_ns"] //= FASTER
        for stage in group["arrivals"]["users"]["stages"]:
            stage["duration_ns"] = max(1, stage["duration_ns"] // FASTER)
    for rule in ("mean_response_time", "failures"):
        for key, value in (plan["stop"].get(rule) or {}).items():
            if key.endswith("_ns"):
                plan["stop"][rule][key] = value // FASTER
    return plan | {"rows": rows}


def loaded(plan: dict[str, Any], folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Load, and return the summary and the seconds of the timeline before the stop."""
    rows = plan.pop("rows")
    for index, feed in enumerate(plan["feeds"]):
        file = folder / f"{index}.rows"
        file.write_bytes(rows[feed["file"]])
        feed["file"] = str(file)
    done = subprocess.run(
        [ENGINE, "run", "--plan", "-", "--out", folder / "records"],
        input=json.dumps(plan),
        capture_output=True,
        text=True,
        check=False,
    )
    last = json.loads(done.stdout.splitlines()[-1])
    assert last["event"] == "finished", last
    lines = (folder / "records" / "timeline.ndjson").read_text().splitlines()
    seconds = [line for line in map(json.loads, lines) if not line["grace"]]
    return last["summary"], seconds


def assert_users_are_as_in_the_table(seconds: list[dict[str, Any]], table: Any) -> None:
    """At the end of each second, give or take one: a user who leaves ends its request before."""
    for line in seconds:
        end = line["end_ns"] / SECOND_NS
        around = [table((end + off) * FASTER) for off in (-1.0, -0.5, 0.0, 0.5, 1.0)]
        for group in GROUPS:
            users = line["groups"][group]["users"]
            assert min(around) - 1 <= users <= max(around) + 1, (end, group, users, around)


def test_users_of_the_load_are_those_of_the_published_table(tmp_path: Path) -> None:
    with Slowing(LOAD_CAPACITY) as service:
        summary, seconds = loaded(faster("load", service.address), tmp_path)
    assert summary["stop"]["reason"] == "duration"
    assert len(seconds) == LOAD_SECONDS // FASTER
    assert_users_are_as_in_the_table(seconds, in_table_of_load)
    failed = {name: n for name, n in summary["outcomes"].items() if n and name != "ok"}
    assert failed == {}
    for group in GROUPS:
        sessions = summary["groups"][group]["sessions"]
        ended = sessions["finished"] + sum(sessions["aborted"].values()) + sessions["cut"]
        assert sessions["begun"] == ended
        assert sessions["most_at_once"] == ADDED * len(DELAYS)


def test_the_stress_is_stopped_by_its_mean_response_time_at_the_level_that_the_table_has_then(
    tmp_path: Path,
) -> None:
    with Slowing(STRESS_CAPACITY) as service:
        summary, seconds = loaded(faster("stress", service.address), tmp_path)
    stop = summary["stop"]
    assert stop["reason"] == "mean_response_time"
    assert_users_are_as_in_the_table(seconds, in_table_of_stress)
    assert stop["users_by_group"] == dict.fromkeys(GROUPS, stop["users"] // len(GROUPS))
    # The rule fires once the mean was above its limit so long, and not before.
    limit_ns, lasting = ABOVE_SECONDS * SECOND_NS / FASTER, FOR_SECONDS // FASTER
    whole = [line for line in seconds if line["end_ns"] % SECOND_NS == 0]  # not the one of the stop
    means = [mean_ns(line) for line in whole]
    assert all(mean > limit_ns for mean in means[-lasting:])
    before = [means[first : first + lasting] for first in range(len(means) - lasting)]
    assert not any(all(mean > limit_ns for mean in window) for window in before)


def mean_ns(line: dict[str, Any]) -> float:
    """The mean response time of a second, over all operations together."""
    clocks = [operation["response_time"]["ok"] for operation in line["operations"].values()]
    ended = [clock for clock in clocks if clock]
    count = sum(clock["count"] for clock in ended)
    return sum(clock["count"] * clock["mean_ns"] for clock in ended) / count if count else 0.0
