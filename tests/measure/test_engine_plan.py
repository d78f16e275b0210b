"""The engine's plan for a workload: valid by the engine's own schema, and true to what was asked.

What sessions of several groups become is `test_session_plan.py`.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from loadstone.deploy.target_address import resolve_targets
from loadstone.measure.loading.engine_plan import EngineOptions, engine_plan, protocol_of
from loadstone.study.values.arrivals import (
    ExponentialThink,
    Rate,
    Stage,
    UniformThink,
    Users,
    steady,
)
from loadstone.study.values.model import Operation, Protocol, Workload
from loadstone.study.values.stop_rules import FailuresRule, MeanRule, P99Rule, StopRules

SECOND_NS = 10**9
SCHEMA = Path(__file__).parents[2] / "schemas" / "engine-plan.schema.json"
VALIDATOR = Draft202012Validator(json.loads(SCHEMA.read_text()))


def workload(**changes: Any) -> Workload:
    values: dict[str, Any] = {
        "workload": "any",
        "group": "users",
        "arrivals": Users(stages=steady(5)),
        "session": (Operation(operation="get", method="GET", path="/"),),
        "duration_ns": 10 * SECOND_NS,
        "warm_up_ns": 0,
        "connect_timeout_ns": SECOND_NS,
        "timeout_ns": SECOND_NS,
        "grace_ns": SECOND_NS,
    }
    return Workload(**(values | changes))


def plan_of(url: str = "http://127.0.0.1:80/", **changes: Any) -> dict[str, Any]:
    options = changes.pop("options", None)
    protocol = changes.pop("protocol", protocol_of(url))
    late_look_ns = changes.pop("late_look_ns", 0)
    plan = engine_plan(
        workload(**changes),
        target=resolve_targets(url, ())[0],
        protocol=protocol,
        cpus=(0,),
        seed=7,
        options=options,
        late_look_ns=late_look_ns,
    )
    written: dict[str, Any] = json.loads(json.dumps(plan))
    return written


@pytest.mark.parametrize("url", ["http://127.0.0.1:80/", "https://127.0.0.1/"])
def test_a_plan_is_valid_by_the_schema_of_the_engine(url: str) -> None:
    rate = Rate(stages=steady(9), connections=3, poisson=True)
    for changes in ({}, {"arrivals": rate}, {"think": ExponentialThink(exponential_ns=9)}):
        VALIDATOR.validate(plan_of(url, **changes))


def test_users_that_stay_are_one_stage() -> None:
    plan = plan_of()
    assert plan["groups"][0]["arrivals"] == {
        "users": {"stages": [{"from": 5, "to": 5, "duration_ns": 1}]}
    }
    assert (plan["protocol"], plan["streams"], plan["connections"]) == ("h1c", 1, "kept")
    assert "tls" not in plan
    assert plan["target"]["server_name"] is None


def test_a_step_has_no_length_and_the_next_stage_begins_where_it_went() -> None:
    stages = (
        Stage(to=10, over_ns=0),
        Stage(to=20, over_ns=5),
        Stage(to=50, over_ns=0),
        Stage(to=50, over_ns=7),
        Stage(to=1, over_ns=0),
    )
    arrivals = Rate(stages=stages, connections=3, poisson=True)
    assert plan_of(arrivals=arrivals)["groups"][0]["arrivals"] == {
        "rate": {
            "stages": [
                {"from": 10, "to": 20, "duration_ns": 5},
                {"from": 50, "to": 50, "duration_ns": 7},
                {"from": 1, "to": 1, "duration_ns": 1},
            ],
            "process": "poisson",
            "connections": 3,
            "sessions": 100_000,
            "own_connections": False,
        }
    }


def test_behind_a_ramp_the_load_stays_as_a_window_of_unknown_begin_needs_it() -> None:
    ramp = Users(stages=(Stage(to=300, over_ns=5),))
    assert plan_of(arrivals=ramp)["groups"][0]["arrivals"]["users"]["stages"] == [
        {"from": 0.0, "to": 300, "duration_ns": 5},
        {"from": 300, "to": 300, "duration_ns": 1},
    ]


@given(
    st.lists(
        st.builds(
            Stage, to=st.floats(0.5, 1000), over_ns=st.one_of(st.just(0), st.integers(1, 99))
        ),
        min_size=1,
    )
)
def test_stages_last_as_long_as_typed_and_end_where_typed(stages: list[Stage]) -> None:
    arrivals = Rate(stages=tuple(stages), connections=1)
    written = plan_of(arrivals=arrivals)["groups"][0]["arrivals"]["rate"]["stages"]
    assert written[-1]["from"] == written[-1]["to"] == stages[-1].to
    assert sum(stage["duration_ns"] for stage in written) - arrivals.length_ns in (0, 1)
    assert all(stage["duration_ns"] > 0 for stage in written)


@pytest.mark.parametrize(
    ("url", "http2", "protocol"),
    [
        ("http://127.0.0.1/", False, Protocol.H1C),
        ("https://127.0.0.1/", False, Protocol.H1),
        ("http://127.0.0.1/", True, Protocol.H2C),
        ("https://127.0.0.1/", True, Protocol.H2),
    ],
)
def test_the_scheme_and_the_version_say_what_is_spoken(
    url: str, http2: bool, protocol: Protocol
) -> None:
    assert protocol_of(url, http2=http2) is protocol
    assert plan_of(url, protocol=protocol)["protocol"] == protocol


@pytest.mark.parametrize(
    ("url", "address", "host", "name"),
    [
        ("https://127.0.0.1/", "127.0.0.1:443", "127.0.0.1", "127.0.0.1"),
        ("https://[::1]/x", "[::1]:443", "[::1]", "::1"),
        ("https://[::1]:8443/", "[::1]:8443", "[::1]:8443", "::1"),
    ],
)
def test_a_target_over_tls_has_port_443_and_a_name_without_brackets(
    url: str, address: str, host: str, name: str
) -> None:
    assert plan_of(url)["target"] == {"address": address, "host": host, "server_name": name}


def test_what_is_asked_of_tls_and_of_the_engine_is_passed_on() -> None:
    options = EngineOptions(
        verify=False,
        roots_pem="PEM",
        resumed_share=0.5,
        event_loop="epoll",
        record_requests=True,
    )
    plan = plan_of("https://127.0.0.1/", options=options)
    assert plan["tls"] == {
        "verify": False,
        "roots_pem": "PEM",
        "resumed_share": 0.5,
        "cipher_suite": None,
    }
    assert (plan["event_loop"], plan["record_requests"]) == ("epoll", True)


def test_what_happens_on_connections_between_requests_and_at_the_end_is_passed_on() -> None:
    plan = plan_of(
        think=UniformThink(uniform_ns=(1, 2)),
        redirects=3,
        new_connections=True,
        stop=StopRules(
            mean_response_time=MeanRule(above_ns=5, for_ns=SECOND_NS),
            p99=P99Rule(above_ns=7, for_ns=SECOND_NS),
            failures=FailuresRule(above_share=0.5, for_ns=SECOND_NS),
            first_timeout=True,
        ),
    )
    assert plan["groups"][0]["session"] == [
        {"send": {"operation": 0, "think": {"uniform_ns": [1, 2]}, "when": None}}
    ]
    assert (plan["redirects"], plan["connections"]) == (3, "per_request")
    assert plan["stop"] == {
        "mean_response_time": {"above_ns": 5, "for_ns": SECOND_NS},
        "p99": {"above_ns": 7, "for_ns": SECOND_NS},
        "failures": {"above_share": 0.5, "for_ns": SECOND_NS},
        "first_timeout": True,
    }
    exponential = plan_of(think=ExponentialThink(exponential_ns=9), streams=10)
    (node,) = exponential["groups"][0]["session"]
    assert node["send"]["think"] == {"exponential_ns": 9}
    assert exponential["streams"] == 10


def test_rules_that_hold_from_the_window_on_say_so() -> None:
    stop = StopRules(first_timeout=True, holds_from="window")
    plan = plan_of(stop=stop, warm_up_ns=2 * SECOND_NS)
    VALIDATOR.validate(plan)
    assert plan["stop"] == {"first_timeout": True, "holds_from": "window"}


def test_a_late_look_comes_behind_the_window() -> None:
    watched = {"warm_up_ns": None, "steady_within_ns": 60 * SECOND_NS}
    written = plan_of(**watched, late_look_ns=180 * SECOND_NS)
    assert written["duration_ns"] == 190 * SECOND_NS
    assert written["warm_up"] == {"at_most_ns": 60 * SECOND_NS}
