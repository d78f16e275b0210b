"""A workload as one sentence."""

import pytest

from changed_workload import changed
from loadstone.report.workload_text import workload_sentence
from loadstone.study.values.arrivals import (
    ConstantThink,
    ExponentialThink,
    Rate,
    Stage,
    UniformThink,
    Users,
    steady,
)
from loadstone.study.values.faults import Fault
from loadstone.study.values.model import Operation, Workload
from loadstone.study.values.stop_rules import FailuresRule, MeanRule, StopRules

SECOND_NS = 10**9
WORKLOAD = Workload(
    workload="any",
    group="any",
    arrivals=Users(stages=steady(50)),
    session=(Operation(operation="look", method="GET", path="/look"),),
    duration_ns=10 * SECOND_NS,
    warm_up_ns=2 * SECOND_NS,
    connect_timeout_ns=SECOND_NS,
    timeout_ns=SECOND_NS,
    grace_ns=SECOND_NS,
)


def test_steady_users_are_a_number() -> None:
    assert workload_sentence(WORKLOAD) == (
        "50 closed users, for 10 s, of which the first 2 s are warm-up; session: look (GET /look)"
    )


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        (
            {
                "arrivals": Users(
                    stages=(
                        Stage(to=20, over_ns=10 * SECOND_NS),
                        Stage(to=20, over_ns=5 * SECOND_NS),
                        Stage(to=100, over_ns=0),
                    )
                )
            },
            "closed users from 0 to 20 in 10 s, at 20 for 5 s, to 100 at once, for",
        ),
        (
            {
                "arrivals": Rate(
                    stages=(*steady(10), Stage(to=100, over_ns=30 * SECOND_NS)), connections=1
                )
            },
            "sessions a second from 10, to 100 in 30 s over 1 connection, for",
        ),
        (
            {"arrivals": Rate(stages=steady(1000), connections=50, poisson=True)},
            "1,000 sessions a second at random (Poisson) over 50 connections, for",
        ),
        ({"think": ConstantThink(constant_ns=SECOND_NS)}, "users, a pause of 1 s between requests"),
        ({"think": UniformThink(uniform_ns=(0, SECOND_NS))}, "a pause of 0 to 1 s between"),
        ({"think": ExponentialThink(exponential_ns=SECOND_NS)}, "an exponential pause of 1 s in"),
        ({"streams": 10}, "users, 10 requests in flight on each connection, for"),
        ({"new_connections": True}, "users, a new connection for each request, for"),
        ({"redirects": 1}, "users, up to 1 redirect followed, for"),
        (
            {
                "stop": StopRules(
                    mean_response_time=MeanRule(above_ns=30 * SECOND_NS, for_ns=60 * SECOND_NS),
                    failures=FailuresRule(above_share=0.5, for_ns=10 * SECOND_NS),
                    first_timeout=True,
                    first_failed_check=True,
                )
            },
            "warm-up, ended early when the mean response time is above 30 s for 60 s or failures "
            "are above 50 % for 10 s or a request times out or an answer is not the expected one; "
            "session",
        ),
        (
            {"stop": StopRules(first_failure=True, holds_from="window")},
            "ended early when a request fails in the window; session",
        ),
        (
            {
                "faults": (
                    Fault(fault="kill", part="users.2", at_ns=SECOND_NS),
                    Fault(
                        fault="freeze", part="database", at_ns=3 * SECOND_NS, for_ns=2 * SECOND_NS
                    ),
                )
            },
            "warm-up, in whose window users.2 is killed after 1 s and database is frozen after 3 s for "
            "2 s; session",
        ),
    ],
)
def test_what_differs_from_steady_users_is_said(changes: dict[str, object], text: str) -> None:
    assert text in workload_sentence(changed(WORKLOAD, **changes))
