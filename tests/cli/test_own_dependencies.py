"""A Redis and a server of one's own behind a service, through the command: record, order, end."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from lab import NEVER_WITHHELD, Lab, study_of, wait_for

from loadstone.deploy.dependencies.redis.program import find_program
from private_servers import require

SERVER = """
import pathlib, sys, http.server
journal = pathlib.Path("journal")

class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass

with journal.open("a") as file:
    file.write("start\\n")
print("broker is up", file=sys.stderr, flush=True)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Server).serve_forever()
"""
BROKER = """
  broker:
    kind: command
    start: python3 seed/broker/server.py {port}
    ready: {get: /ready}
    seed: echo seed >> journal
    reset: echo reset >> journal
    url: "broker://127.0.0.1:{port}"
"""
CACHE = """
  cache: {kind: redis, settings: {maxmemory: 32mb}}
"""


def with_dependency(lab: Lab, name: str, text: str) -> Path:
    """Let the gateway need one more dependency; return the folder of its seed."""
    path = lab.root / "systems/mediation/system.yaml"
    told = path.read_text()
    for old, new in (
        ("\nservices:\n", f"{text}\nservices:\n"),
        ("needs: [backend]", f"needs: [backend, {name}]"),
        (
            'variables: {UPSTREAM_URL: "{backend}"}',
            f'variables: {{UPSTREAM_URL: "{{backend}}", IT: "{{{name}}}"}}',
        ),
    ):
        assert told.count(old) == 1
        told = told.replace(old, new)
    path.write_text(told)
    seed = path.parent / "seed" / name
    seed.mkdir(parents=True)
    return seed


@pytest.fixture
def journal(lab: Lab) -> Path:
    """Where the server of one's own and its commands say what was done."""
    (with_dependency(lab, "broker", BROKER) / "server.py").write_text(SERVER)
    lab.study(study_of("go", metrics=NEVER_WITHHELD))
    return lab.root / "systems/mediation/journal"


def processes(lab: Lab) -> dict[str, dict[str, Any]]:
    (path,) = (lab.results() / "runs").glob("001-*/run.json")
    record = json.loads(path.read_text())
    assert record["status"] == "completed", record["failure"]
    return {
        each["name"]: each | record["resources"].get(each["name"], {})
        for each in record["processes"]
    }


@pytest.mark.slow
def test_a_server_of_ones_own_is_seeded_reset_and_recorded(lab: Lab, journal: Path) -> None:
    ended = lab.run("run", "trial", "--profile", "short")
    assert ended.code == 0, ended.stderr
    broker = processes(lab)["broker"]
    assert (broker["role"], broker["kind"]) == ("dependency", "command")
    assert broker["settings"]["start"] == "python3 seed/broker/server.py {port}"
    assert broker["rss_peak_bytes"] > 0
    done = journal.read_text().split()
    assert done[-6:] == ["start", "seed", "reset"] * 2, "of the two runs, behind the contract"
    environment = json.loads((lab.results() / "environment.json").read_text())
    assert "files of the dependency broker" in environment["code"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "step", "reason", "tail"),
    [
        (
            ("ready: {get: /ready}", "ready: {command: exit 3}"),
            "deploy",
            "is not ready",
            "broker is up",
        ),
        (
            ("echo seed >> journal", "echo no table >&2; exit 4"),
            "seed",
            "exited with code 4",
            "no table",
        ),
        (("echo reset >> journal", "exit 5"), "reset", "exited with code 5", "broker is up"),
    ],
    ids=["ready", "seed", "reset"],
)
def test_where_it_fails_the_run_says_so_and_nothing_of_it_is_left(
    lab: Lab, journal: Path, change: tuple[str, str], step: str, reason: str, tail: str
) -> None:
    path = lab.root / "systems/mediation/system.yaml"
    path.write_text(path.read_text().replace(*change))
    hasty = "from loadstone.deploy.dependencies import command\ncommand.READY_SECONDS = 1.0"
    ended = lab.run("run", "trial", "--profile", "short", changed=hasty)
    assert ended.code == 1
    (first, *_) = sorted((lab.results() / "runs").glob("*/run.json"))
    failure = json.loads(first.read_text())["failure"]
    assert failure["step"] == step, failure
    assert reason in failure["reason"]
    assert tail in failure["log_tail"]
    assert lab.left_behind() == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_lab_that_is_ended_in_mid_load_leaves_no_server_for_long(
    lab: Lab, journal: Path, number: signal.Signals
) -> None:
    command = lab.start("run", "trial", "--profile", "short")
    wait_for(lambda: any(lab.root.glob("results/*/runs/*/timeline.ndjson")))
    broker = lab.child("seed/broker/server.py")
    command.send_signal(number)
    lab.end(command)
    if number is signal.SIGKILL:
        assert broker.is_running(), "nobody was there to end it"
        ended = lab.run("run", "trial", "--profile", "short", "--resume")
        assert ended.code == 0, ended.stderr
        assert "removed what a killed lab left" in ended.stderr
    assert lab.left_behind() == []


@pytest.mark.slow
def test_a_redis_is_counted_beside_its_cpu_time(lab: Lab) -> None:
    require(find_program)
    seed = with_dependency(lab, "cache", CACHE)
    (seed / "keys.redis").write_text("SET greeting hello\n")
    lab.study(study_of("go", metrics=NEVER_WITHHELD))
    ended = lab.run("run", "trial", "--profile", "short")
    assert ended.code == 0, ended.stderr
    cache = processes(lab)["cache"]
    assert (cache["kind"], cache["settings"]["maxmemory"]) == ("redis", "32mb")
    assert cache["rss_peak_bytes"] > 0
    work = cache["store_work"]
    assert work["commands"] == 0, "this service asks nothing of it"
    assert (work["keys_before"], work["keys_after"]) == (1, 1)
    assert "keys added" in (lab.results() / "report.html").read_text()
