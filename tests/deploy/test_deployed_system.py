"""A whole system of small services: what each is told, and which CPUs and limits it has."""

import json
import os
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from loadstone.deploy import page_cache
from loadstone.deploy.confinement.without import Without, confine
from loadstone.deploy.deployed_system import DeployedSystem, deploy_system
from loadstone.deploy.deployment import Conditions, Launch
from loadstone.deploy.placement import Placement
from loadstone.study.values.manifest import Ready, Service, Setting, System
from loadstone.study.values.model import Limits, Operation, Protocol

SERVER = """
import http.server, json, os
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps(dict(os.environ)).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *words):
        pass
http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""
READY = Ready(operation=Operation(operation="look", method="GET", path="/"))
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
CPUS = tuple(sorted(os.sched_getaffinity(0)))


@pytest.fixture
def conditions(tmp_path: Path) -> Conditions:
    return Conditions(
        legs={"client": Protocol.H1C, "ask": Protocol.H1C},
        limits={},
        placement=Placement(service=CPUS[-1:], bench=CPUS[:1]),
        confine=lambda _, limits: confine(limits, "not asked for"),
        logs=tmp_path,
        cache=tmp_path,
    )


@contextmanager
def deployed(conditions: Conditions) -> Iterator[DeployedSystem]:
    server = conditions.logs / "server.py"
    server.write_text(SERVER)
    launch = Launch(f"{sys.executable} {server}", conditions.logs)
    with deploy_system(SYSTEM, {"prices": launch, "gateway": launch}, conditions) as found:
        yield found


def told(system: DeployedSystem, service: str) -> dict[str, Any]:
    """The environment that a service was started with."""
    with urllib.request.urlopen(system.services[service].base_url) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def test_services_are_told_the_levels_that_hold(conditions: Conditions) -> None:
    with deployed(replace(conditions, settings={"delay": "5"})) as system:
        gateway, prices = told(system, "gateway"), told(system, "prices")
        assert (gateway["STRATEGY"], gateway["EXPECTED_MS"]) == ("one", "5")
        assert gateway["PRICES_URL"] == system.services["prices"].base_url
        assert prices["DELAY_MS"] == "5"
        assert "STRATEGY" not in prices


def test_without_any_the_first_levels_hold(conditions: Conditions) -> None:
    with deployed(conditions) as system:
        assert told(system, "gateway")["STRATEGY"] == "one"
        assert told(system, "prices")["DELAY_MS"] == "0"


@pytest.mark.skipif(len(CPUS) < 2, reason="both roles share the only CPU")
def test_a_service_on_the_bench_has_the_cpus_of_what_measures(conditions: Conditions) -> None:
    with deployed(conditions) as system:
        assert system.services["prices"].child.cpus() == CPUS[:1]
        assert system.services["gateway"].child.cpus() == CPUS[-1:]
        assert [each.service for each in system.measured] == ["gateway"]


def test_nothing_holds_back_what_stands_on_the_bench(conditions: Conditions) -> None:
    asked: dict[str, Limits] = {}

    def noting(name: str, limits: Limits) -> Without:
        asked[name] = limits
        return confine(limits, "not asked for")

    limits = {name: Limits(cpus=0.5) for name in ("gateway", "prices")}
    with deployed(replace(conditions, limits=limits, confine=noting)):
        pass
    assert asked == {"prices": Limits(), "gateway": Limits(cpus=0.5)}


def test_the_page_cache_is_dropped_for_what_is_measured_alone(
    conditions: Conditions, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped: list[bool] = []
    monkeypatch.setattr(page_cache, "drop", lambda: dropped.append(True))
    with deployed(replace(conditions, page_cache="cold")):
        assert len(dropped) == 1


def test_what_is_measured_alone_is_started_once_more_for_a_warm_page_cache(
    conditions: Conditions,
) -> None:
    with deployed(replace(conditions, page_cache="warm")):
        warming = {path.name for path in (conditions.logs / "warming").iterdir()}
    assert warming == {"gateway.log"}
