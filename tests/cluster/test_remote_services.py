"""A service on a machine of its own, as the lab that leads has it: a real one behind a real gateway."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import cast

import psutil
import pytest
from lab import Lab
from parts_here import APART, MACHINE, Apart, services_apart, unconfined

from loadstone.cluster.apart.remote_service import RemoteService
from loadstone.deploy.dependencies.postgres.programs import find_programs
from loadstone.deploy.deployed_system import DeployedSystem, deploy_system
from loadstone.deploy.deployment import Conditions
from loadstone.deploy.placement import Placement, available_cpus
from loadstone.errors import StepFailed
from loadstone.measure.prepare.prepared import spoken_by
from loadstone.results import folder
from loadstone.study.design.resolve import ResolvedPlan, resolve_plan
from loadstone.study.systems.catalogue import Catalogue
from private_servers import require

LEADING = "127.0.0.3"
WAIT_SECONDS = 30.0
STUDY = """
study: trial
goal: see what a machine of its own makes of it
system: mediation
arms:
  gateway: [go, {stack: go, label: again}]
  relay: [go]
  client: [h1c]
  upstream: [h1c]
  onward: [h1c]
limits: {relay: {cpus: 0.5}}
workloads: [saturation-50b]
blocks: 1
seed: 7
questions:
  - question: which gateway answers more?
    compare: gateway
    metrics: [rss_peak]
    margin: 3%
"""


PARK = """
study: trial
goal: see what a machine of its own makes of it
system: parking
arms:
  gateway: [go, {stack: go, label: again}]
  users: [go]
  registry: [go]
  found-by: [static]
  client: [h1c]
  upstream: [h1c]
  discovery: [h1c]
workloads: [starts]
blocks: 1
seed: 7
questions:
  - question: which gateway answers sooner?
    compare: gateway
    metrics: [startup]
    margin: 3%
"""


@dataclass
class Site:
    """A gateway here, and a service behind it on a machine of its own."""

    apart: Apart
    resolved: ResolvedPlan
    logs: Path
    service: str

    @contextmanager
    def deployed(self) -> Iterator[DeployedSystem]:
        (arm, _), host = self.resolved.plan.arms, self.apart.lab.services
        assert host is not None
        parts = host.ready[spoken_by(arm)]
        assert not isinstance(parts, StepFailed)
        cpus = available_cpus()[-1:]
        conditions = Conditions(
            arm.legs,
            {},
            Placement(service=cpus, bench=cpus),
            unconfined,
            self.logs,
            cache=self.resolved.builds,
            settings=arm.settings,
            address=LEADING,
            services_elsewhere={
                self.service: partial(self.apart.remote.start_service, arm.id, False)
            },
        )
        launches = {name: each.launch for name, each in parts.items()}
        with deploy_system(self.resolved.system, launches, conditions) as system:
            yield system


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    root = tmp_path / "root"
    root.mkdir()
    lab = Lab(root)
    lab.add_relay()
    resolved = resolve_plan(lab.study(STUDY), Catalogue(lab.root))
    with services_apart(tmp_path, resolved, "relay") as apart:
        yield Site(apart, resolved, tmp_path / "run-logs", "relay")


@pytest.fixture(params=["static", "eureka"])
def park(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Site]:
    """Gateways that are told where users stand, or find them in a registry beside them."""
    require(find_programs)
    root = tmp_path / "root"
    root.mkdir()
    lab = Lab(root)
    resolved = resolve_plan(lab.study(PARK.replace("static", request.param)), Catalogue(lab.root))
    with services_apart(tmp_path, resolved, "users") as apart:
        yield Site(apart, resolved, tmp_path / "run-logs", "users")


def relay_of(system: DeployedSystem) -> RemoteService:
    return cast(RemoteService, system.services["relay"])


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not what() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert what()


def test_it_stands_there_is_called_from_here_and_calls_what_stands_here(site: Site) -> None:
    with site.deployed() as system:
        assert system.target.address.startswith(f"{LEADING}:")
        assert [*system.here] == ["gateway"]
        (backend,) = system.dependencies
        assert backend.url.startswith(f"http://{LEADING}:")
        relay = relay_of(system)
        assert relay.base_url.startswith(f"http://{APART}:")
        facts = relay.facts
        assert (facts.role, facts.name, facts.machine) == ("service", "relay", MACHINE)
        assert (facts.stack, facts.runtime, facts.cpus) == ("go", "go", available_cpus()[:1])
        assert facts.startup is not None
        assert facts.build is not None
        relay.ask()
        assert not relay.end_warm_up()
        assert relay.confinement_facts() is not None
        figures = relay.runtime_figures(None)
        assert figures.gc_not_measured == "the run has no window"
        system.refuse_ended("load", "in mid-load")
    assert not psutil.pid_exists(facts.pid)
    assert {"relay.log", "gateway.log"} <= {each.name for each in site.logs.iterdir()}
    relay.stop()


def test_it_finds_the_database_of_the_machine_that_leads(park: Site) -> None:
    with park.deployed() as system:  # its gateway was ready by an answer that came of all of them
        assert {*system.here} == {"registry", "gateway"}
        assert {*system.elsewhere} == {"users"}
        (database,) = system.dependencies
        assert database.url.startswith(f"{LEADING}:")
        before = database.open_connections()
        assert before
        system.reset()
        assert (database.open_connections() or 0) >= before


def test_one_that_ends_of_itself_is_told_without_being_asked(site: Site) -> None:
    with site.deployed() as system:
        relay = relay_of(system)
        os.kill(relay.facts.pid, signal.SIGKILL)

        def is_told() -> bool:
            try:
                system.refuse_ended("load", "in mid-load")
            except StepFailed as failed:
                told.append(failed.reason)
            return bool(told)

        told: list[str] = []
        wait_for(is_told)
    assert set(told) == {f"relay was killed by SIGKILL in mid-load, on {MACHINE}"}


def test_one_that_does_not_come_up_is_told_as_its_step(site: Site) -> None:
    host = site.apart.lab.services
    assert host is not None
    broken = StepFailed("build", "it is not built here", "its log")
    site.apart.lab.services = replace(host, ready=dict.fromkeys(host.ready, broken))
    remote = site.apart.remote
    arm, service = site.resolved.plan.arms[0].id, site.resolved.system.service("relay")
    with pytest.raises(StepFailed) as failed:
        remote.start_service(arm, False, "relay", service, {}, site.logs)
    assert (failed.value.step, failed.value.log_tail) == ("build", "its log")
    assert failed.value.reason == f"{MACHINE}: it is not built here"


def test_what_it_uses_is_told_while_a_load_goes_on_and_kept_behind_it(
    site: Site, tmp_path: Path
) -> None:
    with site.deployed() as system:
        watch = site.apart.remote.watch()
        watch.begin()
        started_ns = time.time_ns()
        wait_for(lambda: len(watch.counters("relay")) > 5)
        assert watch.counters("gateway") == []
        ticks = watch.counters("relay")
        assert ticks == sorted(ticks)
        assert abs(ticks[-1].unix_ns - time.time_ns()) < 10_000_000_000
        run = tmp_path / "run"
        ((machine, beside),) = watch.left(started_ns, run).items()
        relay = relay_of(system)
    assert machine == MACHINE
    rows = beside.ticks_of_processes
    assert set(rows["name"]) == {relay.name, f"probe@{MACHINE}"}
    assert (run / folder.APART / MACHINE / folder.RESOURCES).is_file()
