"""The engine beside k6: five groups of a booking service, three users with fifty sessions each, ask a
service that keeps what it is asked. Both logs are the same, session by session and step by step, also
of sessions whose second step is refused, and of those that end early.
"""

import csv
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from recording_service import GROUP, SESSION, Asked, Place, RecordingService

from booking import DATA, plan_of

pytestmark = pytest.mark.slow

ENGINE = Path(sys.executable).parent / "loadstone-engine"
K6 = Path(__file__).parents[2] / ".loadstone" / "peers" / "bin" / "k6"
SCRIPT = Path(__file__).parent / "booking.js"
SEED = DATA / "booking" / "seed" / "small"
RUN_ID = "b2-07"

GROUPS = ("adders", "bookers", "browsers", "raters", "deciders")
USERS, EACH = 3, 50
SESSIONS = USERS * EACH
LOST_RACE, REFUSED = 409, 500
MOST_SECONDS = 120


def refusal(place: Place, step: int) -> int | None:
    """One session of seven is refused in its second step, and one booker of eleven loses a race."""
    if place.session % 7 == 3 and step == 1:
        return REFUSED
    is_race = place.group == "bookers" and place.session % 11 == 5 and step == 3
    return LOST_RACE if is_race else None


def engine_plan(address: str) -> dict[str, Any]:
    """The workload's plan for so many users throughout, who say in each request which session it is."""
    with plan_of("load") as plan:
        # The rows of feeds are gone with the block.
        for feed in plan["feeds"]:
            feed["bytes"] = Path(feed["file"]).read_bytes()
    for group in plan["groups"]:
        level = {"from": USERS, "to": USERS, "duration_ns": 1}
        group["arrivals"] = {"users": {"stages": [level]}}
        group["leave"] = "after_session"
        named = [
            [GROUP, [group["group"]]],
            [SESSION, [{"expression": "session_number", "as": "header"}]],
        ]
        for operation in group["operations"]:
            operation["headers"] = [*operation["headers"], *named]
    plan["target"] |= {"address": address, "host": address}
    return plan | {"duration_ns": MOST_SECONDS * 10**9}


def asked_by_the_engine(folder: Path) -> dict[Place, list[Asked]]:
    with RecordingService(refusal) as service:
        service.await_sessions(GROUPS, USERS, SESSIONS)
        plan = engine_plan(service.address)
        for index, feed in enumerate(plan["feeds"]):
            rows = folder / f"{index}.rows"
            rows.write_bytes(feed.pop("bytes"))
            feed["file"] = str(rows)
        with subprocess.Popen(
            [ENGINE, "run", "--plan", "-", "--out", folder / "records"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as running:
            assert running.stdin is not None
            running.stdin.write(json.dumps(plan))
            running.stdin.close()
            came_far = service.has_come_far.wait(MOST_SECONDS)
            running.send_signal(signal.SIGINT)
            assert running.stdout is not None
            last = json.loads(running.stdout.read().splitlines()[-1])
        assert running.returncode == 0, last
        assert came_far, last
        return service.sessions


def asked_by_k6(folder: Path) -> dict[Place, list[Asked]]:
    if not K6.exists():
        pytest.skip("k6 not found: scripts/install-benchmark-peers installs it")
    with RecordingService(refusal) as service:
        given = {
            "address": service.address,
            "run_id": RUN_ID,
            "users": USERS,
            "sessions": SESSIONS,
            "seed": yaml.safe_load((SEED / "seed.yaml").read_text()),
            "owners": emails("owners"),
            "players": emails("players"),
        }
        (folder / "given.json").write_text(json.dumps(given))
        done = subprocess.run(
            [K6, "run", "--quiet", "--no-usage-report", "--address=", SCRIPT],
            env={"GIVEN": str(folder / "given.json"), "HOME": str(folder)},
            capture_output=True,
            text=True,
            timeout=MOST_SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return service.sessions


def emails(name: str) -> list[str]:
    with (SEED / f"{name}.csv").open(newline="") as file:
        return [row["email"] for row in csv.DictReader(file)]


def test_the_engine_sends_what_k6_sends(tmp_path: Path) -> None:
    by_k6, by_engine = asked_by_k6(tmp_path), asked_by_the_engine(tmp_path)
    for group in GROUPS:
        for session in range(SESSIONS):
            place = Place(group, session)
            assert by_engine[place] == by_k6[place], place
            # Where the second step is refused, none follows.
            assert (len(by_k6[place]) == 2) == (session % 7 == 3 or group == "browsers")
    assert len(by_k6) == len(GROUPS) * SESSIONS
