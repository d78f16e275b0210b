"""Several processes of a service: each with a port, a name, a log and a confinement of its own."""

from dataclasses import replace
from pathlib import Path

import pytest

from loadstone.deploy import page_cache
from loadstone.deploy.confinement.without import Without, confine
from loadstone.deploy.deployment import Conditions
from loadstone.errors import StepFailed
from loadstone.study.values.manifest import Service, Setting, System
from loadstone.study.values.model import Limits
from telling_server import READY, conditions_in, deployed, told

SYSTEM = System(
    system="shop",
    title="A shop",
    directory=Path("/nowhere"),
    entry="gateway",
    dependencies={},
    services=(
        Service(service="users", legs=("look-up",), ready=READY),
        Service(
            service="gateway",
            legs=("client", "look-up"),
            needs=("users",),
            variables={"INSTANCES": "users={users}"},
            ready=READY,
        ),
    ),
    settings=(Setting(name="users-instances", levels=("1", "2", "3"), instances="users"),),
)
THREE = ["users", "users.2", "users.3"]


@pytest.fixture
def conditions(tmp_path: Path) -> Conditions:
    return replace(conditions_in(tmp_path, SYSTEM), settings={"users-instances": "3"})


def test_a_caller_is_told_all_base_urls_in_order(conditions: Conditions) -> None:
    with deployed(SYSTEM, conditions) as system:
        assert list(system.services) == [*THREE, "gateway"]
        urls = [system.services[name].base_url for name in THREE]
        assert len(set(urls)) == 3
        assert told(system, "gateway")["INSTANCES"] == f"users={','.join(urls)}"
        ports = [told(system, name)["PORT"] for name in THREE]
        assert [url.rpartition(":")[2] for url in urls] == ports


def test_at_the_first_level_there_is_one(conditions: Conditions) -> None:
    with deployed(SYSTEM, replace(conditions, settings={})) as system:
        assert list(system.services) == ["users", "gateway"]
        url = system.services["users"].base_url
        assert told(system, "gateway")["INSTANCES"] == f"users={url}"


def test_all_are_measured_each_under_the_limits_of_the_service(conditions: Conditions) -> None:
    asked: dict[str, Limits] = {}

    def noting(name: str, limits: Limits) -> Without:
        asked[name] = limits
        return confine(limits, "not asked for")

    limits = {"users": Limits(cpus=0.5)}
    with deployed(SYSTEM, replace(conditions, limits=limits, confine=noting)) as system:
        assert [each.name for each in system.measured] == ["gateway", *THREE]
        assert [each.service for each in system.measured] == ["gateway", "users", "users", "users"]
        assert list(system.confined) == [*THREE, "gateway"]
        assert all(each.startup.first_correct_response_ns > 0 for each in system.measured)
    assert asked == {**dict.fromkeys(THREE, Limits(cpus=0.5)), "gateway": Limits()}
    logs = {path.name for path in conditions.logs.glob("*.log")}
    assert logs == {"gateway.log", *(f"{name}.log" for name in THREE)}


def test_one_that_ends_by_itself_is_named(conditions: Conditions) -> None:
    with deployed(SYSTEM, conditions) as system:
        system.refuse_ended("load", "in mid-load")
        system.here["users.2"].child.process.kill()
        system.here["users.2"].child.process.wait()
        with pytest.raises(StepFailed, match=r"users\.2 was killed by SIGKILL in mid-load"):
            system.refuse_ended("load", "in mid-load")


def test_one_that_is_called_itself_is_alone(conditions: Conditions) -> None:
    with deployed(SYSTEM, conditions, entry="users", upstream_url="http://127.0.0.1:9") as system:
        assert list(system.services) == ["users"]
        assert system.base_url == system.services["users"].base_url


def test_each_is_started_with_cold_files_and_the_first_alone_to_warm_them(
    conditions: Conditions, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped: list[bool] = []
    monkeypatch.setattr(page_cache, "drop", lambda: dropped.append(True))
    with deployed(SYSTEM, replace(conditions, page_cache="cold")):
        assert len(dropped) == 4
    with deployed(SYSTEM, replace(conditions, page_cache="warm")):
        warming = {path.name for path in (conditions.logs / "warming").iterdir()}
    assert warming == {"gateway.log", "users.log"}
