"""`faults` of a workload: what they become, and how wrong ones are refused."""

import pytest
from small_lab import BUSY_PATH, SmallLab, load_study, plan_of, refuse_workload

from loadstone.errors import InputError
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.faults import Fault
from loadstone.study.values.model import Workload

SECOND_NS = 10**9
SYSTEM = """\
system: shop
title: A shop
dependencies: {backend: echo, database: postgres}
settings:
  users-instances: {instances: users, levels: ["1", "2"]}
services:
  gateway:
    legs: [client, look-up]
    needs: [users]
    ready: {operation: buy, get: /buy}
  users:
    legs: [look-up, upstream]
    needs: [backend, database]
    ready: {operation: look, get: /user}
"""
USERS = """\
stack: go
language: Go
framework: none
build: make
run: ./run
runtimes: [go]
protocols: {look-up: [h1c], upstream: [h1c]}
"""
ARMS = "arms:\n  gateway: [go, node]\n  client: [h1c]\n  upstream: [h1c]\n"
OWN_ARMS = """\
arms:
  gateway: [go, node]
  users: [go]
  client: [h1c]
  look-up: [h1c]
  upstream: [h1c]
  users-instances: ["2"]
"""
FAULTS = """\
faults:
  - {at: 5s, freeze: database, for: 2s}
  - {at: 1s, kill: users.2}
  - {at: 0s, add: users}
"""
MEANT = (
    Fault(fault="add", part="users", at_ns=0),
    Fault(fault="kill", part="users.2", at_ns=SECOND_NS),
    Fault(fault="freeze", part="database", at_ns=5 * SECOND_NS, for_ns=2 * SECOND_NS),
)


@pytest.fixture
def shop(lab: SmallLab) -> SmallLab:
    lab.write("systems/shop/system.yaml", SYSTEM)
    lab.write("systems/shop/users/go/stack.yaml", USERS)
    for stack in ("go", "node"):
        lab.change(f"systems/shop/gateway/{stack}/stack.yaml", "upstream:", "look-up:")
    lab.study(ARMS, OWN_ARMS)
    lab.change(BUSY_PATH, "warm_up: 2s\n", f"warm_up: 2s\n{FAULTS}")
    return lab


def faults(lab: SmallLab, text: str) -> tuple[Fault, ...]:
    workload = read_workload(lab.change(BUSY_PATH, "warm_up: 2s\n", text))
    assert isinstance(workload, Workload)
    return workload.faults


def test_they_are_told_in_the_order_of_time(lab: SmallLab) -> None:
    assert faults(lab, f"warm_up: 2s\n{FAULTS}") == MEANT


def test_they_may_count_from_a_window_behind_a_watched_warm_up(lab: SmallLab) -> None:
    lab.change(BUSY_PATH, "duration: 10s\n", "window: 8s\n")
    assert faults(lab, f"warm_up: steady\n{FAULTS}") == MEANT


def test_a_load_without_the_key_has_none(lab: SmallLab) -> None:
    assert faults(lab, "warm_up: 2s\n") == ()


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("[]", "busy.yaml:7: faults: must not be empty"),
        (
            "[{at: 1s}]",
            "busy.yaml:7: faults[0]: must have one of kill, remove, add, freeze and stop",
        ),
        (
            "[{at: 1s, kill: users, add: users}]",
            "busy.yaml:7: faults[0]: must have one of kill, remove, add, freeze and stop",
        ),
        ("[{kill: users}]", "busy.yaml:7: faults[0].at: is missing"),
        ("[{at: 1s, kill: users, for: 1s}]", "busy.yaml:7: faults[0]: kill does not end"),
        ("[{at: 1s, remove: users, for: 1s}]", "busy.yaml:7: faults[0]: remove does not end"),
        ("[{at: 1s, freeze: users}]", "busy.yaml:7: faults[0]: freeze must say for how long"),
        ("[{at: 1s, stop: database}]", "busy.yaml:7: faults[0]: stop must say for how long"),
        (
            "[{at: 1s, kill: Users}]",
            "busy.yaml:7: faults[0].kill: 'Users' is not the name of a part",
        ),
        ("[{at: 1s, kill: users.0}]", "busy.yaml:7: faults[0].kill: 'users.0' is not the name"),
        (
            "[{at: 7s, freeze: users, for: 2s}]",
            "busy.yaml:7: faults[0]: ends 9.00 s after the window began, which lasts 8.00 s",
        ),
        ("[{at: 9s, kill: users}]", "busy.yaml:7: faults[0]: ends 9.00 s after the window began"),
        (
            "[{at: 3s, freeze: users, for: 2s}, {at: 4s, kill: users}]",
            "busy.yaml:7: faults[1]: finds users in an earlier fault",
        ),
        (
            "[{at: 4s, freeze: users, for: 2s}, {at: 3s, kill: users}]",
            "busy.yaml:7: faults[1]: finds users in an earlier fault",
        ),
    ],
)
def test_what_no_load_can_have_is_refused(lab: SmallLab, typed: str, message: str) -> None:
    refuse_workload(lab, "warm_up: 2s\n", f"warm_up: 2s\nfaults: {typed}\n", message)


def test_a_window_that_is_found_afterwards_has_no_time_for_them(lab: SmallLab) -> None:
    lab.change(BUSY_PATH, "duration: 10s\n", "duration: 40s\n")
    refuse_workload(
        lab,
        "warm_up: 2s\n",
        f"warm_up: detected\n{FAULTS}",
        "busy.yaml:7: faults: count from a window that is found when the load is over",
    )


def test_a_footprint_has_none(lab: SmallLab) -> None:
    lab.change(BUSY_PATH, "kind: load\n", "kind: footprint\n")
    refuse_workload(
        lab, "warm_up: 2s\n", f"warm_up: 2s\n{FAULTS}", "busy.yaml:7: faults: is only for a load"
    )


def test_a_study_has_them_where_every_arm_has_their_parts(shop: SmallLab) -> None:
    plan = plan_of(shop.study(), shop.catalogue)
    (busy,) = (each for each in plan.workloads if each.workload == "busy")
    assert isinstance(busy, Workload)
    assert busy.faults == MEANT


def test_a_profile_moves_them_with_its_window(shop: SmallLab) -> None:
    shop.study(
        "smoke: {blocks: 1, duration: 2s, warm_up: 0s}", "smoke: {duration: 4s, warm_up: 0s}"
    )
    (busy, _) = plan_of(shop.study(), shop.catalogue, "smoke").workloads
    assert isinstance(busy, Workload)
    assert [(each.at_ns, each.for_ns) for each in busy.faults] == [
        (0, None),
        (SECOND_NS // 2, None),
        (5 * SECOND_NS // 2, SECOND_NS),
    ]


CASES = {
    "an unknown part": (
        "kill: users.2",
        "kill: user",
        "user is no part of shop that this is done to",
    ),
    "a process that an arm lacks": ("kill: users.2", "kill: users.3", "go has no process users.3"),
    "the entry": ("kill: users.2", "kill: gateway", "gateway is the entry"),
    "one more of the entry": ("add: users", "add: gateway", "gateway is the entry"),
    "a dependency that is killed": (
        "freeze: database, for: 2s",
        "kill: database",
        "database is no part of shop",
    ),
    "an echo": ("freeze: database", "freeze: backend", "backend is no part of shop"),
    "a service that is stopped": ("freeze: database", "stop: users", "users is no part of shop"),
}


@pytest.mark.parametrize(("old", "new", "message"), CASES.values(), ids=CASES.keys())
def test_a_fault_of_what_is_not_there_is_refused_with_the_workload(
    shop: SmallLab, old: str, new: str, message: str
) -> None:
    path = shop.change(BUSY_PATH, old, new)
    with pytest.raises(InputError) as caught:
        load_study(shop.study(), shop.catalogue)
    assert caught.value.path == path
    assert message in caught.value.message
    assert caught.value.remedy


def test_the_entry_may_be_frozen(shop: SmallLab) -> None:
    shop.change(BUSY_PATH, "freeze: database", "freeze: gateway")
    assert load_study(shop.study(), shop.catalogue).workloads
