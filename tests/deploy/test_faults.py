"""What faults do to the processes of a deployed system, and undo."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from loadstone.deploy.confinement.interface import Confinement
from loadstone.deploy.deployment import Conditions
from loadstone.deploy.faults import FaultHands
from loadstone.errors import StepFailed
from loadstone.machine import procfs
from loadstone.study.values.manifest import Service, Setting, System
from loadstone.study.values.model import Limits
from telling_server import READY, conditions_in, deployed, told

WAIT_SECONDS = 10.0

SYSTEM = System(
    system="shop",
    title="A shop",
    directory=Path("/nowhere"),
    entry="gateway",
    dependencies={},
    services=(
        Service(service="users", legs=("look-up",), ready=READY),
        Service(service="gateway", legs=("client", "look-up"), needs=("users",), ready=READY),
    ),
    settings=(Setting(name="users-instances", levels=("1", "2"), instances="users"),),
)


@pytest.fixture
def conditions(tmp_path: Path) -> Conditions:
    return replace(conditions_in(tmp_path, SYSTEM), settings={"users-instances": "2"})


def nothing() -> None:
    """What is called while a process starts."""


@pytest.mark.parametrize(("act", "name"), [("kill", "SIGKILL"), ("remove", "SIGTERM")])
def test_a_process_that_is_ended_is_gone_and_no_failure(
    conditions: Conditions, act: str, name: str
) -> None:
    with deployed(SYSTEM, conditions) as system:
        getattr(FaultHands(system), act)("users.2")
        assert system.here["users.2"].child.ending() == f"was killed by {name}"
        system.refuse_ended("load", "in mid-load")
        assert told(system, "users")["PORT"]


def test_another_that_ends_by_itself_still_is_one(conditions: Conditions) -> None:
    with deployed(SYSTEM, conditions) as system:
        FaultHands(system).kill("users.2")
        system.here["users"].child.process.kill()
        system.here["users"].child.process.wait()
        with pytest.raises(StepFailed, match="users was killed by SIGKILL in mid-load"):
            system.refuse_ended("load", "in mid-load")


def test_one_more_has_the_next_name_a_port_and_a_log_of_its_own(conditions: Conditions) -> None:
    with deployed(SYSTEM, conditions) as system:
        added = FaultHands(system).add("users", nothing)
        assert added.name == "users.3"
        assert list(system.services) == ["users", "users.2", "gateway", "users.3"]
        assert len({each.base_url for each in system.services.values()}) == 4
        assert told(system, "users.3")["PORT"] == added.base_url.rpartition(":")[2]
        pid = added.child.pid
    assert (conditions.logs / "users.3.log").is_file()
    assert procfs.process_counters(pid, with_children=False) is None, "it ends with the system"


def test_one_more_has_the_cpus_of_the_window(conditions: Conditions) -> None:
    asked: dict[str, Limits] = {}

    def noting(name: str, limits: Limits) -> Confinement:
        asked[name] = limits
        return conditions.confine(name, limits)

    limits = {"users": Limits(cpus=0.5, warm_up_cpus=1)}
    with deployed(SYSTEM, replace(conditions, limits=limits, confine=noting)) as system:
        FaultHands(system).add("users", nothing)
    assert asked["users.2"] == limits["users"]
    assert asked["users.3"] == Limits(cpus=0.5)


def test_what_is_frozen_does_nothing_until_it_is_thawed(conditions: Conditions) -> None:
    with deployed(SYSTEM, conditions) as system:
        hands, pid = FaultHands(system), system.here["users"].child.pid
        hands.freeze("users")
        deadline = time.monotonic() + WAIT_SECONDS
        while not procfs.is_stopped(pid):  # a thread of its own stops when it is next scheduled
            assert time.monotonic() < deadline, "it was not stopped"
            time.sleep(0.01)
        system.refuse_ended("load", "in mid-load")
        hands.thaw("users")
        assert told(system, "users")["PORT"]


def test_everything_can_be_undone(conditions: Conditions) -> None:
    with deployed(SYSTEM, conditions) as system:
        hands = FaultHands(system)
        hands.freeze("users")
        hands.freeze("users.2")
        hands.undo()
        assert all(told(system, name)["PORT"] for name in ("users", "users.2"))
        hands.undo()


def test_a_start_that_is_not_waited_for_leaves_nothing(conditions: Conditions) -> None:
    def over() -> None:
        raise StepFailed("load", "the load ended")

    with deployed(SYSTEM, conditions) as system:
        with pytest.raises(StepFailed, match="the load ended"):
            FaultHands(system).add("users", over)
        assert "users.3" not in system.services
