"""`loadstone run --machines`: a study at several sites through the real command, simulated here."""

import json
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from lab import SIMULATE, Lab, study_of, wait_for

MACHINES = """head: 127.0.0.1:6379
machines: {a: {address: 10.0.0.1}, b: {address: 10.0.0.2}, c: {address: 10.0.0.3}}
sites: [a, b]
"""
WORDS = ("run", "trial", "--profile", "short", *SIMULATE)
HERE = ("--machines", "machines.yaml", "--here")


@pytest.fixture
def several(lab: Lab) -> Lab:
    lab.behave("default: {}\nnode: {median: 26ms}\n")
    lab.study(study_of("go", "node", blocks=4))
    (lab.root / "machines.yaml").write_text(MACHINES)
    return lab


def runs_of(results: Path) -> dict[str, dict[str, bytes]]:
    """The files of every run by its id, and the record apart from where it was done."""
    found = {}
    for directory in sorted(results.glob("runs/*")):
        files = {path.name: path.read_bytes() for path in directory.iterdir() if path.is_file()}
        record = json.loads(files["run.json"])
        record["run"]["site"] = None
        found[directory.name] = {**files, "run.json": json.dumps(record).encode()}
    return found


def labs_of(several: Lab) -> list[psutil.Process]:
    """The labs that are at work for a command of this root."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if "loadstone.cluster.lab" in process.cmdline() and process.cwd() == str(several.root):
                found.append(process)
    return found


def test_the_same_study_has_the_same_plan_and_files_at_two_sites_as_at_one(several: Lab) -> None:
    one = several.run(*WORDS, "--out", "one")
    two = several.run(*WORDS, *HERE, "--out", "two")
    assert (one.code, two.code) == (0, 0), two.stderr
    (alone,), (together,) = ([*(several.root / name).iterdir()] for name in ("one", "two"))
    assert (alone / "plan.json").read_bytes() == (together / "plan.json").read_bytes()
    assert runs_of(alone) == runs_of(together)
    assert not (together / ".fetched").exists()
    environment = json.loads((together / "environment.json").read_text())
    assert {site: facts["address"] for site, facts in environment["machines"].items()} == {
        "a": "10.0.0.1",
        "b": "10.0.0.2",
    }
    assert labs_of(several) == []
    assert several.left_behind() == []


def test_a_dry_run_says_which_site_does_which_block(several: Lab) -> None:
    ended = several.run("run", "trial", "--profile", "short", "--dry-run", *HERE[:2])
    assert ended.code == 0, ended.stderr
    assert "on 2 sites, side by side: about 0:00:12 (h:mm:ss)" in ended.stdout
    rows = [line.split("│")[2:4] for line in ended.stdout.splitlines() if line.count("│") == 6]
    assert [(block.strip(), site.strip()) for block, site in rows] == [
        (str(block), "ab"[(block - 1) % 2]) for block in (1, 1, 2, 2, 3, 3, 4, 4)
    ]


def test_a_lab_that_is_killed_loses_nothing_but_its_half_block(several: Lab) -> None:
    command = several.start(*WORDS, *HERE)
    records = several.root / "results"
    wait_for(lambda: len([*records.glob("*/runs/*/run.json")]) >= 1)
    labs_of(several)[0].kill()
    ended = several.end(command)
    assert ended.code == 0, ended.stderr
    results = several.results()
    assert len(runs_of(results)) == 8
    assert "was lost: its lab ended" in ended.stderr
    assignments = json.loads((results / "assignments.json").read_text())["assignments"]
    assert any("was lost: its lab ended" in (each["reason"] or "") for each in assignments)
    assert labs_of(several) == []
    assert several.left_behind() == []


def test_a_study_that_is_interrupted_is_resumed_by_the_command_that_it_names(several: Lab) -> None:
    command = several.start(*WORDS, *HERE)
    records = several.root / "results"
    wait_for(lambda: len([*records.glob("*/runs/*/run.json")]) >= 1)
    command.terminate()
    ended = several.end(command)
    assert ended.code == 2
    assert f"--simulate {SIMULATE[1]} --here --out results --resume" in ended.stderr
    assert labs_of(several) == []
    assert several.left_behind() == []
    ended = several.run(*WORDS, *HERE, "--resume")
    assert ended.code == 0, ended.stderr
    assert len(runs_of(several.results())) == 8


def test_services_of_your_own_and_sites_on_one_machine_are_refused(several: Lab) -> None:
    ended = several.run("run", "trial", "--profile", "short", *HERE)
    assert (ended.code, "sites on one machine disturb each other" in ended.stderr) == (2, True)
    several.study(study_of("go", "{command: 'sleep 1', label: mine}"))
    several.behave("default: {}\n")
    ended = several.run(*WORDS, *HERE)
    assert ended.code == 2
    assert "mine is a service of your own" in ended.stderr
    assert not (several.root / "results").exists()


SEVERAL_SERVICES = """
study: trial
goal: see what a machine of its own makes of it
system: mediation
arms:
  gateway: [go, {stack: go, label: again}]
  relay: [go]
  client: [h1c]
  upstream: [h1c]
  onward: [h1c]
workloads: [saturation-50b]
blocks: 2
seed: 7
questions:
  - question: which gateway answers more?
    compare: gateway
    metrics: [rss_peak]
    margin: 3%
profiles:
  short: {duration: 2s, warm_up: 0s}
"""
BY_SERVICE = "sites: [{service: {gateway: a, relay: b}}]"


@pytest.fixture
def by_service(lab: Lab) -> Lab:
    """A gateway on one machine, and a relay on another."""
    stack = lab.add_relay() / "go" / "stack.yaml"
    stack.write_text(stack.read_text().replace("onward: [h1c]", "onward: [h1c, h1]"))
    lab.behave("default: {}\n")
    lab.study(SEVERAL_SERVICES)
    (lab.root / "machines.yaml").write_text(MACHINES.replace("sites: [a, b]", BY_SERVICE))
    return lab


def test_a_site_of_a_machine_for_each_service_does_all_blocks(by_service: Lab) -> None:
    ended = by_service.run(*WORDS, *HERE)
    assert ended.code == 0, ended.stderr
    (results,) = (by_service.root / "results").iterdir()
    environment = json.loads((results / "environment.json").read_text())
    assert [*environment["machines"]] == ["a"]
    assert [*environment["machines"]["a"]["services"]] == ["b"]
    assert len([*results.glob("runs/*/run.json")]) == 4
    wait_for(lambda: not labs_of(by_service))
    assert by_service.left_behind() == []


@pytest.mark.parametrize(
    ("file", "old", "new", "message", "remedy"),
    [
        ("machines.yaml", "relay: b", "replay: b", "mediation has none of that name", "relay?"),
        (
            "machines.yaml",
            "{gateway: a, relay: b}",
            "{relay: b, gateway: a}",
            "b leads its site, and does not have gateway, the service that is called",
            "write gateway as the first",
        ),
        (
            "studies/trial.yaml",
            "onward: [h1c]",
            "onward: [h1]",
            "the service relay has legs over TLS",
            "write `service: a`",
        ),
        (
            "studies/trial.yaml",
            "workloads: [saturation-50b]",
            "workloads: [saturation-50b, footprint-50b]",
            "reads the memory of services, and some are on machines of their own",
            "take the workload out",
        ),
        (
            "studies/trial.yaml",
            "  onward: [h1c]\n",
            "  onward: [h1c]\n  page-cache: [cold, warm]\n",
            "empties or warms the page cache",
            "write `service: a`",
        ),
        (
            "systems/mediation/system.yaml",
            "  relay:\n",
            "  relay:\n    role: bench\n",
            "the service relay stands with what measures",
            "take relay out",
        ),
    ],
)
def test_what_cannot_be_on_a_machine_of_its_own_is_refused(
    by_service: Lab, file: str, old: str, new: str, message: str, remedy: str
) -> None:
    path = by_service.root / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    ended = by_service.run(*WORDS, *HERE)
    assert ended.code == 2, ended.told
    assert message in ended.told
    assert remedy in ended.told
    assert labs_of(by_service) == []


def test_a_wrong_file_of_machines_is_told(several: Lab) -> None:
    (several.root / "machines.yaml").write_text(MACHINES.replace("[a, b]", "[a, d]"))
    for words in (HERE, (*HERE, "--dry-run")):
        ended = several.run(*WORDS, *words)
        assert ended.code == 2
        assert "machines.yaml:3: sites[1]: there is no machine d" in ended.stderr
