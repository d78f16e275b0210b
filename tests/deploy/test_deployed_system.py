"""A whole system of small services: what each is told, and which CPUs and limits it has."""

from dataclasses import replace
from pathlib import Path

import pytest

from loadstone.deploy import page_cache
from loadstone.deploy.confinement.without import Without, confine
from loadstone.deploy.deployment import Conditions
from loadstone.errors import StepFailed
from loadstone.study.values.manifest import Service, Setting, System
from loadstone.study.values.model import Limits
from telling_server import CPUS, READY, SERVER, conditions_in, deployed, told

SYSTEM = System(
    system="shop",
    title="A shop",
    directory=Path("/nowhere"),
    entry="gateway",
    dependencies={},
    services=(
        Service(service="prices", legs=("ask",), ready=READY, is_bench=True),
        Service(
            service="gateway",
            legs=("client", "ask"),
            needs=("prices",),
            variables={"PRICES_URL": "{prices}"},
            ready=READY,
        ),
    ),
    settings=(
        Setting(name="strategy", levels=("one", "all"), variables={"gateway": "STRATEGY"}),
        Setting(
            name="delay",
            levels=("0", "5"),
            variables={"prices": "DELAY_MS", "gateway": "EXPECTED_MS"},
        ),
    ),
)


@pytest.fixture
def conditions(tmp_path: Path) -> Conditions:
    return conditions_in(tmp_path, SYSTEM)


def test_services_are_told_the_levels_that_hold(conditions: Conditions) -> None:
    with deployed(SYSTEM, replace(conditions, settings={"delay": "5"})) as system:
        gateway, prices = told(system, "gateway"), told(system, "prices")
        assert (gateway["STRATEGY"], gateway["EXPECTED_MS"]) == ("one", "5")
        assert gateway["PRICES_URL"] == system.services["prices"].base_url
        assert prices["DELAY_MS"] == "5"
        assert "STRATEGY" not in prices


def test_without_any_the_first_levels_hold(conditions: Conditions) -> None:
    with deployed(SYSTEM, conditions) as system:
        assert told(system, "gateway")["STRATEGY"] == "one"
        assert told(system, "prices")["DELAY_MS"] == "0"


@pytest.mark.skipif(len(CPUS) < 2, reason="both roles share the only CPU")
def test_a_service_on_the_bench_has_the_cpus_of_what_measures(conditions: Conditions) -> None:
    with deployed(SYSTEM, conditions) as system:
        assert system.here["prices"].child.cpus() == CPUS[:1]
        assert system.here["gateway"].child.cpus() == CPUS[-1:]
        assert [each.service for each in system.measured] == ["gateway"]


def test_nothing_holds_back_what_stands_on_the_bench(conditions: Conditions) -> None:
    asked: dict[str, Limits] = {}

    def noting(name: str, limits: Limits) -> Without:
        asked[name] = limits
        return confine(limits, "not asked for")

    limits = {name: Limits(cpus=0.5) for name in ("gateway", "prices")}
    with deployed(SYSTEM, replace(conditions, limits=limits, confine=noting)):
        pass
    assert asked == {"prices": Limits(), "gateway": Limits(cpus=0.5)}


def test_the_page_cache_is_dropped_for_what_is_measured_alone(
    conditions: Conditions, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped: list[bool] = []
    monkeypatch.setattr(page_cache, "drop", lambda: dropped.append(True))
    with deployed(SYSTEM, replace(conditions, page_cache="cold")):
        assert len(dropped) == 1


def test_what_is_measured_alone_is_started_once_more_for_a_warm_page_cache(
    conditions: Conditions,
) -> None:
    with deployed(SYSTEM, replace(conditions, page_cache="warm")):
        warming = {path.name for path in (conditions.logs / "warming").iterdir()}
    assert warming == {"gateway.log"}


def test_only_the_service_that_is_called_listens_where_others_reach_it(
    conditions: Conditions,
) -> None:
    with deployed(SYSTEM, replace(conditions, address="127.0.0.2")) as system:
        assert told(system, "gateway")["HOST"] == "127.0.0.2"
        assert told(system, "prices")["HOST"] == "127.0.0.1"
        assert system.base_url.startswith("http://127.0.0.2:")
        assert system.target.ip == "127.0.0.2"
        assert told(system, "gateway")["PRICES_URL"].startswith("http://127.0.0.1:")


def test_a_service_that_does_not_read_host_is_told_as_such(
    conditions: Conditions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loadstone.deploy.deployment.START_UP_TIMEOUT_SECONDS", 2.0)
    deaf = SERVER.replace('os.environ["HOST"]', '"127.0.0.1"')
    with (
        pytest.raises(StepFailed, match="its stack does not read HOST") as caught,
        deployed(SYSTEM, replace(conditions, address="127.0.0.2"), server_text=deaf),
    ):
        pass
    assert caught.value.step == "start-up"
    assert "HOST told it to listen at 127.0.0.2" in caught.value.reason
