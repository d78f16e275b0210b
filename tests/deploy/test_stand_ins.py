"""Who stands while a service is held against the contract, and who is stood in for."""

from pathlib import Path

import pytest

from loadstone.deploy.stand_ins import standing_while_held, upstream_legs
from loadstone.study.values.manifest import Ready, Service, System
from loadstone.study.values.model import Check
from loadstone.study.values.standing import standing
from telling_server import READY, conditions_in, deployed, told

PARKING = System(
    system="parking",
    title="A gateway, users and a registry",
    directory=Path("/nowhere"),
    entry="gateway",
    dependencies={"database": "postgres"},
    services=(
        Service(service="registry", legs=("discovery",), ready=READY, is_bench=True),
        Service(
            service="users",
            legs=("upstream", "discovery"),
            needs=("database", "registry"),
            ready=READY,
        ),
        Service(
            service="gateway",
            legs=("client", "upstream", "discovery"),
            needs=("users", "registry"),
            variables={"USERS": "{users}", "REGISTRY": "{registry}"},
            ready=READY,
        ),
    ),
    recorded=("users",),
)
BY_DEFAULT = PARKING.model_copy(update={"recorded": None})
WITHOUT_DATABASE = PARKING.model_copy(
    update={
        "dependencies": {},
        "services": tuple(
            each.model_copy(update={"needs": tuple(set(each.needs) - {"database"})})
            for each in PARKING.services
        ),
    }
)
RECORDER = "http://127.0.0.1:9"
"""Where nobody is: these servers do not ask."""


def test_what_is_recorded_does_not_stand_nor_what_it_alone_needs() -> None:
    assert standing_while_held(PARKING, None) == {"gateway", "registry"}
    assert upstream_legs(PARKING, None) == ("upstream",)


def test_it_is_real_where_it_is_held_itself() -> None:
    assert standing_while_held(PARKING, "users") == {"users", "database", "registry"}
    assert upstream_legs(PARKING, "users") == ()


def test_what_stands_on_the_bench_is_held_with_what_it_needs() -> None:
    assert standing_while_held(PARKING, "registry") == {"registry"}
    assert upstream_legs(PARKING, "registry") == ()


def test_by_default_what_stands_on_the_bench_is_stood_in_for() -> None:
    assert standing_while_held(BY_DEFAULT, None) == {"gateway", "users", "database"}
    assert upstream_legs(BY_DEFAULT, None) == ("discovery",)
    assert standing_while_held(BY_DEFAULT, "users") == {"users", "database"}
    assert standing_while_held(BY_DEFAULT, "registry") == {"registry"}


def test_nothing_may_be_stood_in_for() -> None:
    nobody = PARKING.model_copy(update={"recorded": ()})
    assert standing_while_held(nobody, None) == {"gateway", "users", "registry", "database"}
    assert upstream_legs(nobody, None) == ()


def test_the_recorder_speaks_on_the_legs_of_what_stands_alone() -> None:
    prices = Service(service="prices", legs=("ask",), ready=READY)
    gateway = PARKING.service("gateway")
    asking = gateway.model_copy(
        update={"legs": (*gateway.legs, "ask"), "needs": (*gateway.needs, "prices")}
    )
    others = [each for each in PARKING.services if each.service != "gateway"]
    system = PARKING.model_copy(
        update={"services": (prices, *others, asking), "recorded": ("users", "prices")}
    )
    assert upstream_legs(system, None) == ("ask", "upstream")
    assert upstream_legs(system, "users") == ()


def test_in_a_run_all_of_a_system_stands() -> None:
    everything = {"gateway", "users", "registry", "database"}
    assert standing(PARKING, None) == everything
    assert standing(PARKING, "users") == {"users", "registry", "database"}


def test_the_entry_stands_also_where_what_needs_it_does_not() -> None:
    watcher = Service(service="watcher", legs=("watch",), needs=("gateway",), ready=READY)
    services = (*PARKING.services, watcher.model_copy(update={"is_bench": True}))
    watched = BY_DEFAULT.model_copy(update={"services": services})
    assert standing_while_held(watched, None) == {"gateway", "users", "database"}


@pytest.mark.parametrize(
    ("entry", "stand"), [(None, ["registry", "gateway"]), ("users", ["registry", "users"])]
)
def test_a_system_is_deployed_so(tmp_path: Path, entry: str | None, stand: list[str]) -> None:
    conditions = conditions_in(tmp_path, WITHOUT_DATABASE)
    with deployed(WITHOUT_DATABASE, conditions, entry=entry, upstream_url=RECORDER) as system:
        assert list(system.services) == stand
        if entry is None:
            gateway = told(system, "gateway")
            assert gateway["USERS"] == RECORDER
            assert gateway["REGISTRY"] == system.services["registry"].base_url


def test_what_is_in_front_of_a_stand_in_is_ready_by_its_status(tmp_path: Path) -> None:
    operation = READY.operation.model_copy(update={"check": Check(body_contains="a user's name")})
    demanding = [
        each.model_copy(update={"ready": Ready(operation=operation)})
        if each.service == "gateway"
        else each
        for each in WITHOUT_DATABASE.services
    ]
    system = WITHOUT_DATABASE.model_copy(update={"services": tuple(demanding)})
    with deployed(system, conditions_in(tmp_path, system), upstream_url=RECORDER) as found:
        ready = found.here["gateway"].start.service.ready
        assert ready.operation.check == Check()
        assert found.here["registry"].start.service.ready == READY
