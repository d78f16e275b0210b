"""Workload files: what they mean. Those that are refused: `test_workload_errors.py`."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_lab import BUSY, SmallLab

from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.arrivals import (
    ConstantThink,
    ExponentialThink,
    Rate,
    Stage,
    Think,
    UniformThink,
    Users,
    steady,
)
from loadstone.study.values.model import Check, Operation
from loadstone.study.values.payload import payload
from loadstone.study.values.stop_rules import FailuresRule, MeanRule, StopRules

BUSY_PATH = "systems/shop/workloads/busy.yaml"
SECOND_NS = 10**9


def test_closed_users_with_a_payload_are_read(lab: SmallLab) -> None:
    workload = read_workload(lab.root / BUSY_PATH)
    assert workload.arrivals == Users(stages=steady(50))
    assert (workload.duration_ns, workload.warm_up_ns) == (10 * SECOND_NS, 2 * SECOND_NS)
    assert workload.session == (
        Operation(
            operation="buy",
            method="POST",
            path="/buy",
            headers=(("accept", "*/*"), ("content-type", "application/json")),
            body=payload("array", 50),
            check=Check(status=200, body_contains="50B"),
        ),
    )


@pytest.mark.parametrize(
    ("typed", "within_seconds"),
    [
        ("window: 20s", 180),
        ("warm_up: steady\nwindow: 20s", 180),
        ("warm_up: {until: steady}\nwindow: 20s", 180),
        ("window: 20s\nwarm_up: {until: steady, at_most: 2m}", 120),
    ],
)
def test_a_window_waits_until_the_load_is_steady(
    lab: SmallLab, typed: str, within_seconds: int
) -> None:
    lab.change(BUSY_PATH, "duration: 10s\nwarm_up: 2s", typed)
    workload = read_workload(lab.root / BUSY_PATH)
    assert workload.steady_within_ns == within_seconds * SECOND_NS
    assert (workload.duration_ns, workload.warm_up_ns) == (20 * SECOND_NS, None)


@pytest.mark.parametrize(
    ("stages", "changes_s"),
    [
        ("[{to: 20, over: 0s}]", 0),
        ("[{to: 20, over: 0s}, {hold: 9s}]", 0),
        ("[{to: 20, over: 10s}]", 10),
        ("[{to: 20, over: 10s}, {hold: 9s}]", 10),
        ("[{to: 20, over: 10s}, {hold: 9s}, {to: 10, over: 0s}, {hold: 5s}]", 19),
    ],
)
def test_users_change_until_their_last_stage_that_goes_anywhere(
    lab: SmallLab, stages: str, changes_s: int
) -> None:
    lab.change(BUSY_PATH, "users: 50", f"users: {{stages: {stages}}}")
    lab.change(BUSY_PATH, "duration: 10s\nwarm_up: 2s", "window: 20s")
    assert read_workload(lab.root / BUSY_PATH).arrivals.changes_ns == changes_s * SECOND_NS


@pytest.mark.parametrize(
    ("typed", "duration", "warm_up_ns"),
    [
        ("warm_up: 2s\n", "30s", 2 * SECOND_NS),
        ("warm_up: 0s\n", "30s", 0),
        ("warm_up: detected\n", "30s", None),
        ("", "30s", None),
        ("", "29s", 0),
    ],
)
def test_a_warm_up_is_set_or_detected_where_the_load_is_long_enough(
    lab: SmallLab, typed: str, duration: str, warm_up_ns: int | None
) -> None:
    lab.change(BUSY_PATH, "warm_up: 2s\n", typed)
    lab.change(BUSY_PATH, "duration: 10s", f"duration: {duration}")
    assert read_workload(lab.root / BUSY_PATH).warm_up_ns == warm_up_ns


def test_users_that_change_have_no_warm_up_to_detect(lab: SmallLab) -> None:
    stages = "users: {stages: [{to: 50, over: 10s}, {hold: 50s}]}"
    lab.change(BUSY_PATH, "users: 50", stages)
    lab.change(BUSY_PATH, "duration: 10s\nwarm_up: 2s", "duration: 60s")
    assert read_workload(lab.root / BUSY_PATH).warm_up_ns == 0


def test_a_rate_is_read_and_what_is_not_typed_has_its_default(lab: SmallLab) -> None:
    workload = lab.catalogue.workload("shop", "steady")
    assert workload.arrivals == Rate(stages=steady(1000), connections=50)
    assert (workload.think, workload.streams, workload.redirects) == (None, 1, 0)
    assert not workload.new_connections
    assert workload.stop == StopRules()
    assert workload.warm_up_ns == 0
    assert workload.connect_timeout_ns == 10 * SECOND_NS
    assert workload.timeout_ns == 30 * SECOND_NS
    assert workload.grace_ns == 5 * SECOND_NS
    assert workload.session[0] == Operation(operation="look", method="GET", path="/look")


@pytest.mark.parametrize(
    ("typed", "body", "headers"),
    [
        ("json: {a: [1, null]}", '{"a":[1,null]}', (("content-type", "application/json"),)),
        ("json: null", "null", (("content-type", "application/json"),)),
        ("json: {}\n    headers: {Content-Type: a/b}", "{}", (("Content-Type", "a/b"),)),
        ("body: a=1", "a=1", ()),
        ("body: ''", "", ()),
    ],
)
def test_a_body_is_sent_as_typed(
    lab: SmallLab, typed: str, body: str, headers: tuple[tuple[str, str], ...]
) -> None:
    path = lab.change(
        BUSY_PATH,
        '    headers: {accept: "*/*"}\n    payload: {kind: array, bytes: 50}\n',
        f"    {typed}\n",
    )
    operation = read_workload(path).session[0]
    assert (operation.body, operation.headers) == (body, headers)


def test_stages_hold_rise_and_step(lab: SmallLab) -> None:
    path = lab.change(
        BUSY_PATH,
        "users: 50",
        "users: {stages: [{to: 20, over: 2s}, {hold: 3s}, {to: 40, over: 0s}, {to: 10, over: 5s}]}",
    )
    assert read_workload(path).arrivals == Users(
        stages=(
            Stage(to=20, over_ns=2 * SECOND_NS),
            Stage(to=20, over_ns=3 * SECOND_NS),
            Stage(to=40, over_ns=0),
            Stage(to=10, over_ns=5 * SECOND_NS),
        )
    )


def test_a_rate_has_stages_and_poisson_arrivals(lab: SmallLab) -> None:
    path = lab.change(
        BUSY_PATH,
        "users: 50",
        "rate: {stages: [{to: 0.5, over: 10s}], connections: 7, poisson: true}",
    )
    stages = (Stage(to=0.5, over_ns=10 * SECOND_NS),)
    assert read_workload(path).arrivals == Rate(stages=stages, connections=7, poisson=True)


@pytest.mark.parametrize(
    ("typed", "think"),
    [
        ("500ms", ConstantThink(constant_ns=SECOND_NS // 2)),
        ("{constant: 1s}", ConstantThink(constant_ns=SECOND_NS)),
        ("{uniform: [0s, 2s]}", UniformThink(uniform_ns=(0, 2 * SECOND_NS))),
        ("{exponential: 3s}", ExponentialThink(exponential_ns=3 * SECOND_NS)),
    ],
)
def test_a_pause_is_a_time_or_a_distribution(lab: SmallLab, typed: str, think: Think) -> None:
    path = lab.change(BUSY_PATH, "users: 50", f"users: 50\nthink: {typed}")
    assert read_workload(path).think == think


def test_what_happens_on_a_connection_and_what_stops_the_load_are_read(lab: SmallLab) -> None:
    path = lab.change(
        BUSY_PATH,
        "users: 50\n",
        "users: 50\nstreams: 10\nredirects: 3\nstop:\n"
        "  mean_response_time: {above: 30s, for: 60s}\n"
        "  failures: {above: 50%, for: 10s}\n"
        "  first_timeout: true\n"
        "  first_failed_check: true\n",
    )
    workload = read_workload(path)
    assert (workload.streams, workload.redirects) == (10, 3)
    assert workload.stop == StopRules(
        mean_response_time=MeanRule(above_ns=30 * SECOND_NS, for_ns=60 * SECOND_NS),
        failures=FailuresRule(above_share=0.5, for_ns=10 * SECOND_NS),
        first_timeout=True,
        first_failed_check=True,
    )
    path = lab.change(BUSY_PATH, "streams: 10", "new_connections: true")
    assert read_workload(path).new_connections


@given(size_bytes=st.integers(50, 3000), kind=st.sampled_from(["array", "simple"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_payload_has_the_size_that_was_typed(tmp_path: Path, size_bytes: int, kind: str) -> None:
    path = tmp_path / "busy.yaml"
    path.write_text(BUSY.replace("kind: array, bytes: 50", f"kind: {kind}, bytes: {size_bytes}"))
    assert len(read_workload(path).session[0].body.encode()) == size_bytes
