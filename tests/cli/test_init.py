"""`loadstone init` in a project of one's own, and the study that it wrote, run with real services."""

import os
import pty
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from lab import COMMAND
from own_project import STARTS, OwnProject, recording

from repository import Repository

PROCESSES = "web: ./a\nworker: ./b\nclock: ./c\n"


@pytest.fixture
def project(tmp_path: Path) -> OwnProject:
    return OwnProject(tmp_path / "my-shop")


def stack_of(project: OwnProject) -> str:
    (path,) = project.root.rglob("stack.yaml")
    return path.read_text()


def test_a_project_is_described_and_its_study_runs_at_once(project: OwnProject) -> None:
    ended = project.init()
    assert ended.code == 0, ended.stderr
    for told in (
        "systems/my-shop/system.yaml",
        "studies/again.yaml",
        "1 operation in 1 workload: reads (1)",
        "1 operation left out; each is named with its reason in workloads/reads.yaml",
        "starts by `python3 service.py`, built by `true`",
        "loadstone run again --dry-run",
    ):
        assert told in ended.stdout
    dry = project.run("run", "again", "--dry-run")
    assert dry.code == 0, dry.stderr
    assert "2 arms × 1 workload × 6 blocks = 12 runs" in dry.stdout
    run = project.run("run", "again", "--profile", "smoke")
    assert run.code in (0, 1), run.stderr  # a busy machine withholds a figure
    assert "check my-shop against the contract of my-shop" in run.stderr
    records = project.records()
    assert [each["status"] for each in records] == ["completed", "completed"], records
    for record in records:
        assert [each["failed"] for each in record["checks"]] == [[], [], []]
        assert all(each["checked"] for each in record["checks"])
        assert record["outcomes"]["ok"] > 0
    codes = {each["code"] for each in project.findings()}
    assert not codes & {"contract", "unchecked-answers", "answers-not-held"}


def test_a_branch_is_measured_against_main_each_as_it_is_committed(project: OwnProject) -> None:
    repository = Repository(project.folder)
    commits = {"main": repository.commit("first")}
    repository.git("switch", "--quiet", "--create", "faster")
    commits["branch"] = repository.commit("faster")
    assert (
        project.init().code == 0
    )  # what it writes is not committed, and is no part of the service
    dry = project.run("run", "branch", "--dry-run")
    assert dry.code == 0, dry.stderr
    assert "left out" not in dry.stderr
    for label, commit in commits.items():
        assert f"{label}: commit {commit[:12]} of {project.folder}" in dry.stderr
    run = project.run("run", "branch", "--profile", "smoke")
    assert run.code in (0, 1), run.stderr  # a busy machine withholds a figure
    records = project.records()
    assert [each["status"] for each in records] == ["completed", "completed"], records
    built = {}
    for record in records:
        (service,) = (each for each in record["processes"] if each["role"] == "service")
        built[record["run"]["arm"]] = service["build"]["revision"]
    assert {arm: each["commit"] for arm, each in built.items()} == commits
    assert {each["leaves_out"] for each in built.values()} == {False}
    assert not {"same-code", "uncommitted-changes"} & {each["code"] for each in project.findings()}


def test_an_answer_under_load_that_does_not_fit_its_document_is_told_with_its_place(
    tmp_path: Path,
) -> None:
    project = OwnProject(tmp_path / "shop", price='"1.5"')
    assert project.init().code == 0
    assert project.run("run", "again", "--profile", "smoke").code == 1
    found = [each for each in project.findings() if each["code"] == "contract"]
    assert len(found) == 2
    for each in found:
        assert "openapi: get-items at " in each["evidence"]
        assert "/0/price: '1.5' is not of type 'number'" in each["evidence"]
        assert "(#/components/schemas/Item/properties/price/type)" in each["evidence"]


def test_without_a_contract_the_study_runs_and_says_so(project: OwnProject) -> None:
    assert project.init().code == 0
    for name in ("checks.yaml", "openapi.json"):
        (project.root / "systems" / "my-shop" / name).unlink()
    held = project.run("check", "my-shop")
    assert held.code == 2
    assert "has no checks to hold its stacks against" in held.stderr
    assert "write checks.yaml there" in held.stderr
    run = project.run("run", "again", "--profile", "smoke")
    assert run.code in (0, 1), run.stderr
    assert "start my-shop once: my-shop has no checks to hold it against" in run.stderr
    assert "unchecked-answers" in {each["code"] for each in project.findings()}


def test_a_check_that_does_not_hold_stops_the_study(project: OwnProject) -> None:
    assert project.init().code == 0
    checks = project.root / "systems" / "my-shop" / "checks.yaml"
    checks.write_text(checks.read_text().replace("check: {status: 200}", "check: {status: 204}"))
    held = project.run("check", "my-shop")
    assert held.code == 1
    assert "get-items" in held.stdout
    assert "the status is 200, not 204" in held.stdout
    assert project.run("run", "again", "--profile", "smoke").code == 1
    assert {each["failure"]["step"] for each in project.records()} == {"check"}


def test_without_a_terminal_the_option_that_is_missing_is_named(project: OwnProject) -> None:
    ended = project.run("init", "--openapi", "openapi.json")
    assert (ended.code, ended.stdout) == (2, "")
    assert ended.stderr.splitlines() == [
        "error: no file of the project says how its service starts",
        "hint: say how the service starts: loadstone init ... --command './service --port $PORT'",
    ]
    (project.folder / "Procfile").write_text(PROCESSES)
    ended = project.run("init", "--openapi", "openapi.json")
    assert "Procfile has 3 processes (web: ./a; worker: ./b; clock: ./c)" in ended.stderr
    assert "--process web" in ended.stderr
    assert not project.root.exists()
    assert project.run("init", "--openapi", "openapi.json", "--process", "clock").code == 0
    assert 'run: "./c"' in stack_of(project)


def test_on_a_terminal_the_process_is_asked_for(project: OwnProject) -> None:
    (project.folder / "Procfile").write_text(PROCESSES)
    controller, terminal = pty.openpty()
    try:
        os.write(controller, b"worker\n")
        ended = project.run("init", "--openapi", "openapi.json", stdin=terminal)
    finally:
        os.close(controller)
        os.close(terminal)
    assert ended.code == 0, ended.stderr
    assert "Which is the service?" in ended.stderr
    assert 'run: "./b"' in stack_of(project)


def test_a_second_time_nothing_is_overwritten(project: OwnProject) -> None:
    assert project.init().code == 0
    before = project.written
    ended = project.run("init", "--openapi", "openapi.json", "--command", "other")
    assert ended.code == 2
    assert "is there already, and nothing is overwritten" in ended.stderr
    assert "mv loadstone loadstone-before" in ended.stderr
    assert project.written == before


class Counting(BaseHTTPRequestHandler):
    """Notes what it is asked."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(f"{self.command} {self.path}")
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        self.do_GET()

    def do_OPTIONS(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def counting() -> Iterator[str]:
    Counting.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Counting) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_a_url_is_got_once_and_nothing_else_is_asked(project: OwnProject) -> None:
    with counting() as url:
        ended = project.run("init", "--url", f"{url}/items?page=1", "--command", STARTS)
    assert ended.code == 0, ended.stderr
    assert Counting.asked == ["GET /items?page=1"]
    text = (project.root / "systems/my-shop/workloads/reads.yaml").read_text()
    assert 'get: "/items?page=1"' in text


def test_an_address_that_is_not_ones_own_is_not_asked(project: OwnProject) -> None:
    ended = project.run("init", "--url", "http://192.0.2.1/", "--command", STARTS)
    assert ended.code == 2
    assert "which is not loopback; nothing was sent" in ended.stderr
    assert "--allow-target 192.0.2.1" in ended.stderr
    assert not project.root.exists()


def test_secrets_of_a_recording_are_told_by_their_variables_alone(project: OwnProject) -> None:
    (project.folder / "visit.har").write_text(recording(Authorization="Bearer very-secret-indeed"))
    ended = project.run("init", "--har", "visit.har", "--command", STARTS)
    assert ended.code == 0, ended.stderr
    assert "API_AUTHORIZATION: the header authorization" in ended.stdout
    written = b"".join(project.written.values()).decode()
    assert "very-secret" not in written + ended.stdout + ended.stderr


def test_from_the_project_itself_the_root_that_was_written_is_pointed_to(
    project: OwnProject,
) -> None:
    assert project.init().code == 0
    ended = project.run("run", "again", "--dry-run", at=project.folder)
    assert ended.code == 2
    assert "loadstone is a root, and is not looked at from here: cd loadstone" in ended.stderr
    assert (
        project.run("run", "again", "--dry-run", "--root", "loadstone", at=project.folder).code == 0
    )


def test_in_a_folder_that_is_gone_nothing_is_written(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    ended = subprocess.run(
        ["sh", "-c", 'rmdir "$PWD" && exec "$0" init --url http://127.0.0.1:1/', COMMAND],
        cwd=gone,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert "the folder that this was called in is gone" in ended.stderr
