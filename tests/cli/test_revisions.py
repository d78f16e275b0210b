"""Two revisions of a stack that lives in somebody's repository are two arms of one study."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from lab import NEVER_WITHHELD, Ended, Lab, study_of, undo_last_run

from repository import Repository

FOLDER = "services/gateway"
MAIN, BRANCH = "{label: main, git: main, stack: mine}", "{label: branch, git: HEAD, stack: mine}"
TREE = "{label: tree, git: working-tree, stack: mine}"


@dataclass(frozen=True)
class Measured:
    """A study of two revisions, and what it left."""

    lab: Lab
    repository: Repository
    commits: dict[str, str]
    ended: Ended
    is_untouched: bool


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        changed.setenv("GIT_CONFIG_NOSYSTEM", "1")
        lab = Lab(tmp_path_factory.mktemp("measured"))
        repository = repository_with_a_stack(lab, tmp_path_factory.mktemp("mine"))
        commits = {"main": repository.commit("first")}
        repository.git("switch", "--quiet", "--create", "faster")
        source = repository.root / FOLDER / "gateway.go"
        source.write_text(f"{source.read_text()}\n// faster\n")
        commits["branch"] = repository.commit("faster")
        before = repository.state()
        lab.study(study_of(MAIN, BRANCH, metrics=NEVER_WITHHELD))
        ended = lab.run("run", "trial", "--profile", "short")
        yield Measured(lab, repository, commits, ended, repository.state() == before)
        assert lab.left_behind() == []
        lab.kill_all()


def repository_with_a_stack(lab: Lab, root: Path) -> Repository:
    """Move a stack into a repository of its own, and leave a link to it in the system."""
    repository = Repository(root)
    stack = lab.add_stack("mine", base="go")
    (root / FOLDER).parent.mkdir()
    stack.rename(root / FOLDER)
    stack.symlink_to(root / FOLDER)
    return repository


def records(lab: Lab) -> Iterator[dict[str, Any]]:
    for path in sorted(lab.results().glob("runs/*/run.json")):
        yield json.loads(path.read_text())


def findings(results: Path) -> set[str]:
    return {each["code"] for each in json.loads((results / "findings.json").read_text())}


def test_both_are_built_from_their_commit_and_the_repository_stays_as_it_was(
    measured: Measured,
) -> None:
    assert measured.ended.code == 0, measured.ended.stderr
    assert measured.is_untouched
    seen = {}
    for record in records(measured.lab):
        assert record["status"] == "completed", record["failure"]
        (service,) = (each for each in record["processes"] if each["role"] == "service")
        seen[record["run"]["arm"]] = service["build"]["revision"]
    assert {arm: each["commit"] for arm, each in seen.items()} == measured.commits
    assert {each["changes"] for each in seen.values()} == {None}
    assert {each["leaves_out"] for each in seen.values()} == {False}


def test_the_run_says_which_commit_each_is(measured: Measured) -> None:
    for label, commit in measured.commits.items():
        line = f"{label}: commit {commit[:12]} of {measured.repository.root}\n"
        assert line in measured.ended.stderr
        assert f"build {label}, commit {commit[:12]}\n" in measured.ended.stderr
    assert "same code" not in measured.ended.stderr
    assert not {"same-code", "uncommitted-changes"} & findings(measured.lab.results())
    environment = json.loads((measured.lab.results() / "environment.json").read_text())
    for label, commit in measured.commits.items():
        assert environment["code"][f"commit of {label}"] == commit


def test_a_study_whose_branch_has_moved_is_not_resumed(measured: Measured) -> None:
    undo_last_run(measured.lab.results())
    measured.repository.git("branch", "--force", "main", "faster")
    ended = measured.lab.run("run", "trial", "--profile", "short", "--resume")
    measured.repository.git("branch", "--force", "main", measured.commits["main"])
    assert ended.code == 2
    assert f"commit of main: was '{measured.commits['main']}'" in ended.stderr
    assert measured.lab.run("run", "trial", "--profile", "short", "--resume").code == 0


def test_one_commit_twice_and_changes_that_are_left_out_are_said_before_and_found_after(
    measured: Measured,
) -> None:
    lab = measured.lab
    note = measured.repository.write(f"{FOLDER}/notes.txt", "uncommitted")
    lab.study(study_of(BRANCH, TREE, metrics=NEVER_WITHHELD), "dirty")
    told = lab.run("run", "dirty", "--dry-run").stderr
    assert "the working tree has uncommitted changes, which are left out" in told
    assert "tree: commit" in told
    assert "with uncommitted changes of" in told
    assert "same code" not in told
    again = BRANCH.replace("label: branch", "label: again")
    lab.study(study_of(BRANCH, again, metrics=NEVER_WITHHELD), "twice")
    ended = lab.run("run", "twice", "--profile", "short", "--out", "twice")
    note.unlink()
    assert ended.code == 0, ended.stderr
    assert "branch and again are the same code: no difference between them" in ended.stderr
    (results,) = (lab.root / "twice").iterdir()
    assert {"same-code", "uncommitted-changes"} <= findings(results)


def test_a_revision_that_cannot_be_built_fails_its_own_runs_alone(measured: Measured) -> None:
    lab, repository = measured.lab, measured.repository
    source = repository.root / FOLDER / "gateway.go"
    whole = source.read_text()
    source.write_text("package broken\n")
    lab.study(study_of(BRANCH, TREE, metrics=NEVER_WITHHELD), "broken")
    ended = lab.run("run", "broken", "--profile", "short", "--out", "broken")
    source.write_text(whole)
    assert ended.code == 1
    failed = [
        json.loads(path.read_text())["failure"]
        for path in sorted((lab.root / "broken").glob("*/runs/*/run.json"))
    ]
    assert [each is None for each in failed].count(True) == 1
    (failure,) = (each for each in failed if each is not None)
    assert failure["step"] == "build"
    assert "go build" in failure["reason"]


def test_an_unknown_revision_is_refused_before_anything_starts(measured: Measured) -> None:
    path = measured.lab.study(study_of("go", MAIN.replace("git: main", "git: mian")), "typo")
    ended = measured.lab.run("run", "typo", "--out", "typo")
    assert ended.code == 2
    assert ended.stderr.startswith(f"error: {path}:6: arms.gateway[1].git: 'mian' is no revision")
    assert "did you mean main?" in ended.stderr
    assert not (measured.lab.root / "typo").exists()
