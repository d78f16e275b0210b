"""A cluster by Ray of machines that are namespaces: what it measures, and what becomes of it when
something dies. Simulated studies, since all machines share two CPUs.
"""

import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from lab import Lab, study_of
from namespaces import Machine, Machines, machines, reason_for_none

from loadstone.measure.prepare.preparation import build_stack
from loadstone.measure.prepare.stack_sources import found_source
from loadstone.study.systems.catalogue import Catalogue

REASON = reason_for_none()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.alone,
    pytest.mark.timeout(600),
    pytest.mark.skipif(REASON is not None, reason=str(REASON)),
]

COMMAND = (sys.executable, "-m", "loadstone")
WAIT_SECONDS = 120.0
BUILDS = ".cache/loadstone/cluster/builds"
"""Where a machine has them, below its home."""
MEASURED = "measured"
"""The one study that is not simulated."""
RELAYED = """
study: relayed
goal: see what a machine of its own makes of it
system: mediation
arms:
  gateway: [go, {stack: go, label: again}]
  relay: [go]
  client: [h1c]
  upstream: [h1c]
  onward: [h1c]
limits: {relay: {cpus: 0.5, memory: 256M}}
workloads: [saturation-50b]
blocks: 1
seed: 7
questions:
  - question: which gateway answers more?
    compare: gateway
    metrics: [rss_peak]
    margin: 3%
profiles:
  short: {window: 3s, warm_up: {until: steady, at_most: 12s}}
"""
GATEWAYS = ("go", "node", "{stack: go, label: again}", "{stack: node, label: other}")
BEHAVIOURS = "default: {}\nnode: {median: 26ms}\n"


@dataclass
class Cluster:
    """A head, from where studies are driven, and two machines that measure."""

    directory: Path
    made: Machines
    head: Machine
    lab: Lab
    relayed: Lab
    """A root whose gateway has a relay behind it."""
    results: int = 0

    @property
    def token(self) -> Path:
        return self.head.home / ".config" / "loadstone" / "token"

    def join(self, machine: Machine) -> None:
        """Let a machine join, and wait until it has."""
        copy = machine.home / ".config" / "loadstone" / "token"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.token, copy)
        machine.start(*COMMAND, "cluster", "join", self.head.address, "--as", machine.name)
        wait_for_raylet(machine)

    def add(self, name: str, **how: object) -> Machine:
        machine = self.made.add(name, **how)  # type: ignore[arg-type]
        self.join(machine)
        return machine

    def file_of(self, *sites: Machine) -> Path:
        path = self.directory / f"machines-{'-'.join(site.name for site in sites)}.yaml"
        listed = ", ".join(f"{site.name}: {{address: {site.address}}}" for site in sites)
        names = ", ".join(site.name for site in sites)
        path.write_text(
            f"head: {self.head.address}:6379\ntoken: {self.token}\n"
            f"machines: {{{listed}}}\nsites: [{names}]\n"
        )
        return path

    def roles_of(
        self, service: Machine, engines: tuple[Machine, ...], dependency: Machine | None
    ) -> Path:
        """The file of one site, whose engines or dependencies are on machines of their own."""
        path = self.directory / f"roles-{service.name}.yaml"
        apart = () if dependency is None else (dependency,)
        listed = ", ".join(
            f"{each.name}: {{address: {each.address}}}" for each in (service, *engines, *apart)
        )
        names = ", ".join(each.name for each in engines)
        roles = [f"service: {service.name}"]
        roles += [f"engine: [{names}]"] if engines else []
        roles += [f"dependency: {each.name}" for each in apart]
        path.write_text(
            f"head: {self.head.address}:6379\ntoken: {self.token}\n"
            f"machines: {{{listed}}}\nsites: [{{{', '.join(roles)}}}]\n"
        )
        return path

    def start_by_service(self, services: dict[str, Machine]) -> "Study":
        """Start a measured study at a site whose services have machines of their own."""
        path = self.directory / "by-service.yaml"
        listed = ", ".join(
            f"{each.name}: {{address: {each.address}}}" for each in services.values()
        )
        named = ", ".join(f"{name}: {machine.name}" for name, machine in services.items())
        path.write_text(
            f"head: {self.head.address}:6379\ntoken: {self.token}\n"
            f"machines: {{{listed}}}\nsites: [{{service: {{{named}}}}}]\n"
        )
        out = self.out()
        words = [*COMMAND, "run", "relayed", "--profile", "short", "--out", out]
        root = {"LOADSTONE_ROOT": str(self.relayed.root), "COLUMNS": "200"}
        command = self.head.start(*words, "--machines", path, **root)
        return Study(command, out, tuple(services.values()))

    def start_by_role(
        self,
        service: Machine,
        *engines: Machine,
        dependency: Machine | None = None,
        study: str = MEASURED,
    ) -> "Study":
        """Start a study at a site of several machines."""
        out, machines_file = self.out(), self.roles_of(service, engines, dependency)
        words = [*COMMAND, "run", study, "--profile", "short", "--out", out]
        words += ["--machines", machines_file]
        words += ["--simulate", self.lab.root / "behaviours.yaml"] if study != MEASURED else []
        root = {"LOADSTONE_ROOT": str(self.lab.root), "COLUMNS": "200"}
        machines = (service, *engines, *(() if dependency is None else (dependency,)))
        return Study(self.head.start(*words, **root), out, machines)

    def start(
        self, *sites: Machine, out: Path, resume: bool = False, study: str = "trial"
    ) -> "Study":
        """Start a study at some sites."""
        words = [*COMMAND, "run", study, "--profile", "short", "--out", out]
        words += ["--simulate", self.lab.root / "behaviours.yaml"] if study != MEASURED else []
        words += ["--machines", self.file_of(*sites)] if sites else []
        words += ["--resume"] if resume else []
        root = {"LOADSTONE_ROOT": str(self.lab.root), "COLUMNS": "200"}
        return Study(self.head.start(*words, **root), out, sites)

    def out(self) -> Path:
        self.results += 1
        return self.directory / f"results-{self.results}"


@dataclass
class Study:
    """A study that is under way."""

    process: "object"
    out: Path
    sites: tuple[Machine, ...]
    told: str = ""

    def runs(self) -> list[Path]:
        return sorted(self.out.glob("*/runs/*/run.json"))

    def wait_for_runs(self, count: int) -> None:
        wait_for(lambda: len(self.runs()) >= count, f"{count} runs")

    def end(self) -> int:
        """Wait for its end; return the exit code, and keep what it told."""
        stdout, _ = self.process.communicate(timeout=WAIT_SECONDS)  # type: ignore[attr-defined]
        self.told = stdout
        return int(self.process.returncode)  # type: ignore[attr-defined]

    @property
    def results(self) -> Path:
        (found,) = self.out.iterdir()
        return found

    def assignments(self) -> list[dict[str, object]]:
        text = (self.results / "assignments.json").read_text()
        return [*json.loads(text)["assignments"]]

    def places(self) -> dict[int, set[tuple[str, int]]]:
        """Site and attempt of the runs of each block."""
        found: dict[int, set[tuple[str, int]]] = {}
        for path in self.runs():
            run = json.loads(path.read_text())["run"]
            found.setdefault(run["block"], set()).add((run["site"], run["attempt"]))
        return found

    def assert_whole(self, blocks: int) -> None:
        """Every run is there, and each block was done at one site."""
        assert len(self.runs()) == blocks * len(GATEWAYS), self.told
        assert all(len(places) == 1 for places in self.places().values())


def wait_for(is_so: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError(f"it never came: {what}")


def wait_for_raylet(machine: Machine) -> None:
    """Wait until its Ray stands.

    A raylet gives its agents some 15 s to come up, and all share one CPU here: of two machines that
    join at once both may fail.
    """
    logs = Path(f"/proc/{machine.init}/root/tmp/ray")
    wait_for(
        lambda: any(
            "Raylet consists of" in path.read_text()
            for path in logs.glob("session_2*/logs/raylet.out")
        ),
        f"the raylet of {machine.name}",
    )


def left_on(machine: Machine) -> list[str]:
    """Labs, actors, services and folders that are left of a study on a machine."""
    found = []
    for process in machine.processes():
        with suppress(psutil.Error):  # it has just ended
            command = " ".join(process.cmdline())
            if "loadstone.cluster" in command or "ray::MachineHost" in command:
                found.append(command)
    for place in ("tmp", "dev/shm"):
        folder = Path(f"/proc/{machine.init}/root/{place}")
        found += [path.name for path in folder.glob("loadstone-*")]
    return found


def assert_nothing_left(*sites: Machine) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while any(map(left_on, sites)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert {site.name: left_on(site) for site in sites} == {site.name: [] for site in sites}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    directory = Path(tempfile.mkdtemp(prefix="loadstone-cluster-", dir="/var/tmp"))
    try:
        with machines(directory) as made:
            root = directory / "root"
            root.mkdir()
            lab = Lab(root)
            lab.behave(BEHAVIOURS)
            lab.study(study_of(*GATEWAYS, blocks=8))
            text = study_of(*GATEWAYS, blocks=200)
            lab.study(text.replace("study: trial", "study: endless"), "endless")
            text = study_of("node", blocks=2, limits="{gateway: {cpus: 0.5}}")
            lab.study(text.replace("study: trial", f"study: {MEASURED}"), MEASURED)
            (directory / "relayed").mkdir()
            relayed = Lab(directory / "relayed")
            relayed.add_relay()
            relayed.study(RELAYED, "relayed")
            head = made.add("head")
            head.start(*COMMAND, "cluster", "up", "--address", head.address)
            wait_for_raylet(head)
            yield Cluster(directory, made, head, lab, relayed)
    finally:
        shutil.rmtree(directory)


@pytest.fixture(scope="module")
def a(cluster: Cluster) -> Machine:
    return cluster.add("a", groups=True)


@pytest.fixture(scope="module")
def b(cluster: Cluster) -> Machine:
    return cluster.add("b", shifted_seconds=5000)


def test_two_machines_come_to_the_plan_and_the_runs_of_one(
    cluster: Cluster, a: Machine, b: Machine
) -> None:
    together, alone = cluster.start(a, b, out=cluster.out()), None
    assert together.end() == 0, together.told
    together.assert_whole(8)
    assert {site for places in together.places().values() for site, _ in places} == {"a", "b"}
    alone = cluster.start(out=cluster.out())
    assert alone.end() == 0, alone.told
    plans = [(study.results / "plan.json").read_bytes() for study in (together, alone)]
    assert plans[0] == plans[1]
    for one, two in zip(alone.runs(), together.runs(), strict=True):
        records = [json.loads(path.read_text()) for path in (one, two)]
        records[1]["run"]["site"] = None
        assert records[0] == records[1]
        for path in one.parent.iterdir():
            if path.name != "run.json" and path.is_file():
                assert path.read_bytes() == (two.parent / path.name).read_bytes()
    environment = json.loads((together.results / "environment.json").read_text())
    offsets = [machine["clock"] for machine in environment["machines"].values()]
    assert all(abs(each["offset_ns"]) <= 2 * each["bound_ns"] for each in offsets)
    assert_nothing_left(a, b)


def build_for(lab: Lab, cache: Path, service: str, name: str) -> None:
    """Build a stack for a machine that has no internet."""
    catalogue = Catalogue(lab.root)
    stack = catalogue.stack(catalogue.system("mediation"), service, name)
    build_stack(found_source(catalogue, stack, name), cache, cache.parent / "build.log")


def build_node(lab: Lab, cache: Path) -> None:
    """Build the gateway of most studies."""
    build_for(lab, cache, "gateway", "node")


@pytest.mark.skipif(
    os.getpriority(os.PRIO_PROCESS, 0) != 0, reason="the tests run with a priority of their own"
)
def test_what_is_measured_has_the_priority_groups_and_builds_of_one_machine(
    cluster: Cluster, a: Machine, b: Machine
) -> None:
    build_node(cluster.lab, a.home / BUILDS)
    study = cluster.start(a, b, out=cluster.out(), study=MEASURED)
    assert study.end() in (0, 1), (
        study.told
    )  # two machines on the same CPUs: figures may be withheld
    assert {block: site for block, ((site, _),) in study.places().items()} == {1: "a", 2: "b"}
    builds = [{path.name for path in (site.home / BUILDS).glob("node-*")} for site in (a, b)]
    assert builds[0] == builds[1] != set()
    assert study.told.count("build ") == 4, "two arms at each site"
    for path in study.runs():
        record = json.loads(path.read_text())
        assert record["status"] == "completed", record["failure"]
        by_role = {process["role"]: process for process in record["processes"]}
        for role in ("service", "engine"):
            assert (by_role[role]["nice"], by_role[role]["oom_score"]) == (0, 0)
        assert by_role["service"]["cpus"] != by_role["engine"]["cpus"]
        assert by_role["cluster"]["command"].endswith("/raylet")
        assert record["resources"]["cluster"]["cpu_ns"] >= 0
    findings = json.loads((study.results / "findings.json").read_text())
    assert "wrong-priority" not in {finding["code"] for finding in findings}
    assert_nothing_left(a, b)


@pytest.mark.skipif(
    os.getpriority(os.PRIO_PROCESS, 0) != 0, reason="the tests run with a priority of their own"
)
def test_engines_on_machines_of_their_own_load_a_service_together(
    cluster: Cluster, a: Machine, b: Machine
) -> None:
    """The clock of one of them is shifted by 5000 s: whatever compared it would show."""
    build_node(cluster.lab, a.home / BUILDS)
    other = cluster.add("other")
    study = cluster.start_by_role(a, b, other)
    assert study.end() in (0, 1), study.told
    assert {block: site for block, ((site, _),) in study.places().items()} == {1: "a", 2: "a"}
    for path in study.runs():
        record = json.loads(path.read_text())
        assert record["status"] == "completed", record["failure"]
        engines = [each for each in record["processes"] if each["role"] == "engine"]
        assert [(each["name"], each["machine"]) for each in engines] == [
            ("engine@b", "b"),
            ("engine@other", "other"),
        ]
        assert [(each["nice"], each["oom_score"]) for each in engines] == [(0, 0)] * 2
        (service,) = (each for each in record["processes"] if each["role"] == "service")
        assert service["machine"] is None
        loads = record["loads"]
        assert [*loads] == ["b", "other"]
        for outcome, count in record["load"]["outcomes"].items():
            assert count == sum(each["load"]["outcomes"][outcome] for each in loads.values())
        assert record["load"]["outcomes"]["ok"] > 0
        assert record["resources"]["engine@b"]["cpu_ns"] > 0
        assert record["resources"][service["name"]]["cpu_ns"] > 0
        for each in loads.values():
            before, after = each["clock_before"], each["clock_after"]
            assert abs(before["offset_ns"]) <= 5 * before["bound_ns"]
            assert abs(after["offset_ns"] - before["offset_ns"]) < 2_000_000
            assert each["network"]["sent_bytes"] > 0
        assert {each.name for each in (path.parent / "engines").iterdir()} == {"b", "other"}
    findings = json.loads((study.results / "findings.json").read_text())
    codes = {finding["code"] for finding in findings}  # others come of machines that share CPUs
    assert codes.isdisjoint({"clock-apart", "wrong-priority"}), findings
    environment = json.loads((study.results / "environment.json").read_text())
    assert [*environment["machines"]["a"]["engines"]] == ["b", "other"]
    assert_nothing_left(a, b, other)


@pytest.mark.skipif(
    os.getpriority(os.PRIO_PROCESS, 0) != 0, reason="the tests run with a priority of their own"
)
@pytest.mark.parametrize("engines", [0, 1], ids=["engine with the service", "engine apart"])
def test_dependencies_on_a_machine_of_their_own_are_started_and_watched_there(
    cluster: Cluster, a: Machine, b: Machine, engines: int
) -> None:
    """The clock of their machine is shifted by 5000 s: whatever compared it would show."""
    build_node(cluster.lab, a.home / BUILDS)
    other = cluster.add(f"other-{engines}")
    study = cluster.start_by_role(a, *(other,) * engines, dependency=b)
    assert study.end() in (0, 1), study.told
    for path in study.runs():
        record = json.loads(path.read_text())
        assert record["status"] == "completed", record["failure"]
        (backend,) = (each for each in record["processes"] if each["role"] == "dependency")
        assert (backend["name"], backend["machine"]) == ("backend", "b")
        assert b.address in backend["command"]
        assert record["resources"]["backend"]["cpu_ns"] > 0
        assert record["load"]["outcomes"]["ok"] > 0
        assert [*record["loads"]] == [other.name] * engines
        assert [*record["beside"]] == ["b"]
        seen = record["beside"]["b"]
        assert abs(seen["clock_before"]["offset_ns"]) <= 5 * seen["clock_before"]["bound_ns"]
        assert seen["network"]["received_bytes"] > 0
        assert (path.parent / "apart" / "b" / "resources.parquet").is_file()
        assert (path.parent / "logs" / "backend.log").is_file()
    codes = {each["code"] for each in json.loads((study.results / "findings.json").read_text())}
    assert codes.isdisjoint({"clock-apart", "wrong-priority"}), (
        study.results / "findings.json"
    ).read_text()
    environment = json.loads((study.results / "environment.json").read_text())
    assert [*environment["machines"]["a"]["dependencies"]] == ["b"]
    assert_nothing_left(a, b, *(other,) * engines)


@pytest.mark.skipif(
    os.getpriority(os.PRIO_PROCESS, 0) != 0, reason="the tests run with a priority of their own"
)
def test_a_service_on_a_machine_of_its_own_is_started_held_and_watched_there(
    cluster: Cluster, a: Machine, b: Machine
) -> None:
    """The clock of its machine is shifted by 5000 s: whatever compared it would show."""
    for service in ("gateway", "relay"):
        build_for(cluster.relayed, a.home / BUILDS, service, "go")
    study = cluster.start_by_service({"gateway": a, "relay": b})
    assert study.end() in (0, 1), study.told
    assert len(study.runs()) == 2
    for path in study.runs():
        record = json.loads(path.read_text())
        assert record["status"] == "completed", record["failure"]
        gateway, relay = (each for each in record["processes"] if each["role"] == "service")
        assert [(each["name"], each["machine"]) for each in (gateway, relay)] == [
            ("gateway", None),
            ("relay", "b"),
        ]
        assert relay["build"]["digest"]
        assert relay["startup"]["first_correct_response_ns"] > 0
        assert relay["confinement"]["memory_bytes"] == 256 << 20
        assert relay["runtime_figures"]["source"] == "go-gctrace"
        for name in ("gateway", "relay"):
            assert record["resources"][name]["cpu_ns"] > 0
        assert record["window"]["steady_by"] is not None
        assert record["load"]["outcomes"]["ok"] > 0
        assert [*record["beside"]] == ["b"]
        seen = record["beside"]["b"]
        assert abs(seen["clock_before"]["offset_ns"]) <= 5 * seen["clock_before"]["bound_ns"]
        assert seen["network"]["received_bytes"] > 0
        assert (path.parent / "apart" / "b" / "resources.parquet").is_file()
        assert {"gateway.log", "relay.log"} <= {x.name for x in (path.parent / "logs").iterdir()}
    codes = {each["code"] for each in json.loads((study.results / "findings.json").read_text())}
    assert codes.isdisjoint({"clock-apart", "wrong-priority"})
    environment = json.loads((study.results / "environment.json").read_text())
    assert [*environment["machines"]["a"]["services"]] == ["b"]
    assert_nothing_left(a, b)


def test_a_machine_of_a_service_that_dies_takes_its_site(
    cluster: Cluster, a: Machine, b: Machine
) -> None:
    for service in ("gateway", "relay"):
        build_for(cluster.relayed, a.home / BUILDS, service, "go")
    study = cluster.start_by_service({"gateway": a, "relay": b})
    b.process("/gateway")
    b.process("loadstone.cluster.lab").kill()
    assert study.end() == 2, study.told
    assert "no site is left; the last one was a, which was lost: b: its lab ended" in study.told
    assert_nothing_left(a, b)


def test_a_machine_of_dependencies_that_dies_takes_its_site(
    cluster: Cluster, a: Machine, b: Machine
) -> None:
    build_node(cluster.lab, a.home / BUILDS)
    study = cluster.start_by_role(a, dependency=b)
    b.process("loadstone-echo")
    b.process("loadstone.cluster.lab").kill()
    assert study.end() == 2, study.told
    assert "no site is left; the last one was a, which was lost: b: its lab ended" in study.told
    assert_nothing_left(a, b)


def test_a_machine_of_an_engine_that_dies_takes_its_site(cluster: Cluster, a: Machine) -> None:
    engine = cluster.add("engine")
    study = cluster.start_by_role(a, engine, study="endless")
    study.wait_for_runs(1)
    engine.process("loadstone.cluster.lab").kill()
    assert study.end() == 2, study.told
    assert (
        "no site is left; the last one was a, which was lost: engine: its lab ended" in study.told
    )
    assert_nothing_left(a, engine)


def test_check_says_what_the_machines_are(cluster: Cluster, a: Machine, b: Machine) -> None:
    command = cluster.head.start(
        *COMMAND, "cluster", "check", "--machines", cluster.file_of(a, b), COLUMNS="200"
    )
    stdout, _ = command.communicate(timeout=WAIT_SECONDS)
    assert command.returncode == 0, stdout
    assert "They are alike in all that must be" in stdout
    assert_nothing_left(a, b)


def test_a_second_study_is_refused_and_told_by_whom(
    cluster: Cluster, a: Machine, b: Machine
) -> None:
    first = cluster.start(a, b, out=cluster.out(), study="endless")
    first.wait_for_runs(1)
    second = cluster.start(b, out=cluster.out())
    assert second.end() == 2
    assert "b is in use by " in second.told
    assert "@head for endless, since " in second.told
    cluster.head.process("loadstone run endless").send_signal(signal.SIGINT)
    assert first.end() == 2
    assert_nothing_left(a, b)


def test_a_machine_that_has_not_joined_is_named(cluster: Cluster, a: Machine) -> None:
    absent = cluster.made.add("absent")
    study = cluster.start(a, absent, out=cluster.out())
    assert study.end() == 2
    assert "s for absent to join" in study.told
    assert f"loadstone cluster join {cluster.head.address}:6379 --as absent" in study.told
    copy = absent.home / ".config" / "loadstone" / "token"
    copy.parent.mkdir(parents=True)
    copy.write_text("0" * 64)
    copy.chmod(0o600)
    joining = absent.start(*COMMAND, "cluster", "join", cluster.head.address, "--as", "absent")
    joining.communicate(timeout=WAIT_SECONDS)
    assert joining.returncode == 2
    wait_for(lambda: not absent.processes(), "nothing of Ray on a machine with another token")


@pytest.mark.parametrize("victim", ["loadstone.cluster.lab", "ray::MachineHost"])
def test_a_lab_or_an_actor_that_dies_loses_half_a_block_at_most(
    cluster: Cluster, a: Machine, b: Machine, victim: str
) -> None:
    study = cluster.start(a, b, out=cluster.out())
    study.wait_for_runs(2)
    b.process(victim).kill()
    assert study.end() == 0, study.told
    assert "site b was lost" in study.told
    study.assert_whole(8)
    assert any("b was lost" in str(each["reason"]) for each in study.assignments())
    assert_nothing_left(a, b)


def test_a_driver_that_dies_leaves_nothing_and_its_study_is_resumed(
    cluster: Cluster, a: Machine, b: Machine
) -> None:
    out = cluster.out()
    study = cluster.start(a, b, out=out)
    study.wait_for_runs(3)
    cluster.head.process("loadstone run trial", "--machines").kill()
    study.end()
    assert_nothing_left(a, b)
    before = {path.parent.name: path.stat().st_mtime_ns for path in study.runs()}
    resumed = cluster.start(a, b, out=out, resume=True)
    assert resumed.end() == 0, resumed.told
    resumed.assert_whole(8)
    after = {path.parent.name: path.stat().st_mtime_ns for path in resumed.runs()}
    assert {name: after[name] for name in before} == before


def test_ctrl_c_takes_down_every_lab(cluster: Cluster, a: Machine, b: Machine) -> None:
    study = cluster.start(a, b, out=cluster.out())
    study.wait_for_runs(2)
    cluster.head.process("loadstone run trial", "--machines").send_signal(signal.SIGINT)
    assert study.end() == 2
    assert "--resume" in study.told
    assert_nothing_left(a, b)


def test_a_network_that_is_cut_for_seconds_loses_nothing(
    cluster: Cluster, a: Machine, b: Machine
) -> None:
    study = cluster.start(a, b, out=cluster.out())
    study.wait_for_runs(2)
    b.cut()
    time.sleep(4)
    b.cut(is_cut=False)
    assert study.end() == 0, study.told
    assert "was lost" not in study.told
    study.assert_whole(8)
    assert_nothing_left(a, b)


def test_a_network_that_stays_cut_loses_its_site_alone(cluster: Cluster, a: Machine) -> None:
    distant = cluster.add("distant")
    study = cluster.start(a, distant, out=cluster.out())
    study.wait_for_runs(2)
    distant.cut()
    assert study.end() == 0, study.told
    assert "site distant was lost" in study.told
    study.assert_whole(8)
    distant.cut(is_cut=False)
    assert_nothing_left(a, distant)


def test_ray_that_dies_on_a_machine_loses_its_site_alone(cluster: Cluster, a: Machine) -> None:
    fragile = cluster.add("fragile")
    study = cluster.start(a, fragile, out=cluster.out())
    study.wait_for_runs(2)
    fragile.process("raylet", "--gcs-address").kill()
    assert study.end() == 0, study.told
    assert "site fragile was lost" in study.told
    study.assert_whole(8)
    assert_nothing_left(a, fragile)
    wait_for(lambda: not fragile.processes(), "nothing of Ray where its raylet died")


def test_a_machine_that_goes_off_loses_its_site_alone(cluster: Cluster, a: Machine) -> None:
    doomed = cluster.add("doomed")
    study = cluster.start(a, doomed, out=cluster.out())
    study.wait_for_runs(2)
    doomed.off()
    assert study.end() == 0, study.told
    assert "site doomed was lost" in study.told
    study.assert_whole(8)
    assert_nothing_left(a)


def test_a_machine_that_leaves_has_nothing_of_ray_any_more(cluster: Cluster) -> None:
    leaving = cluster.add("leaving")
    join = leaving.process("cluster join")
    os.kill(join.pid, signal.SIGINT)
    wait_for(lambda: not leaving.processes(), "nothing on a machine that has left")


def test_a_head_that_dies_ends_nothing_at_once_and_everything_later(
    cluster: Cluster, a: Machine
) -> None:
    """The last one: there is no cluster behind it."""
    study = cluster.start(a, out=cluster.out())
    study.wait_for_runs(2)
    cluster.head.process("gcs_server").kill()
    study.end()
    wait_for(lambda: not a.processes(), "nothing of Ray where its head is gone")
