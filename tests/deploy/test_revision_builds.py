"""A revision of a repository is built in a checkout of its own, and the repository stays as it was."""

import os
from pathlib import Path

import pytest

from loadstone.deploy import build as building
from loadstone.deploy.build import Built
from loadstone.deploy.unused_builds import KEPT_SECONDS
from loadstone.errors import StepFailed
from loadstone.study.systems.checkout import find_checkout
from loadstone.study.systems.launch import FoundRuntime
from loadstone.study.values.manifest import Runtime, Stack
from loadstone.study.values.model import Protocol
from repository import Repository

SHELL = FoundRuntime(
    runtime=Runtime(runtime="sh", title="sh", detect="sh", install="."), version="sh 1", home=None
)
FOLDER = "services/api"
BUILD = "cat source.txt ../../lib/shared.txt > artifact"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """`main`, and `branch`, which is checked out."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    found = Repository(tmp_path / "repository")
    found.write(f"{FOLDER}/source.txt", "old ")
    found.write("lib/shared.txt", "shared")
    found.write(".gitignore", "*.ignored\n")
    found.commit("first")
    found.git("switch", "--quiet", "--create", "branch")
    found.write(f"{FOLDER}/source.txt", "new ")
    found.commit("second")
    return found


def built(
    repository: Repository,
    revision: str,
    cache: Path,
    command: str = BUILD,
    stack: Stack | None = None,
) -> Built:
    stack = stack or stack_at(repository, revision, command)
    return building.build(stack, SHELL, cache, cache.with_name("log"))


def stack_at(repository: Repository, revision: str, command: str = BUILD) -> Stack:
    directory = repository.root / FOLDER
    return Stack(
        stack="api",
        language="sh",
        framework="none",
        build=command,
        run="./artifact",
        runtimes=("sh",),
        protocols={"client": (Protocol.H1C,)},
        directory=directory,
        checkout=find_checkout(directory, revision),
    )


def artifact(found: Built) -> str:
    return (found.run_directory / "artifact").read_text()


def test_two_revisions_are_built_side_by_side_and_the_repository_stays_as_it_was(
    repository: Repository, tmp_path: Path
) -> None:
    before = repository.state()
    main, head = (built(repository, each, tmp_path / "cache") for each in ("main", "HEAD"))
    assert (artifact(main), artifact(head)) == ("old shared", "new shared")
    assert main.directory != head.directory
    assert main.facts.artifact_bytes == len("old shared")
    assert repository.state() == before
    assert sorted(each.name for each in main.directory.iterdir()) == [
        "loadstone-build.json",
        "tree",
    ]
    assert not (main.directory / "tree" / ".git").exists()


def test_a_build_says_its_commit_and_is_found_by_it_whatever_it_is_called(
    repository: Repository, tmp_path: Path
) -> None:
    commit = repository.git("rev-parse", "main")
    first = built(repository, "main", tmp_path / "cache")
    again = built(repository, commit, tmp_path / "cache")
    assert (first.facts.cached, again.facts.cached) == (False, True)
    assert first.directory == again.directory
    assert first.directory.name.startswith(f"api.{commit[:12]}-")
    for found, revision in ((first, "main"), (again, commit)):
        facts = found.facts.revision
        assert facts is not None
        assert (facts.revision, facts.commit, facts.changes) == (revision, commit, None)


def test_another_command_or_commit_is_another_build(repository: Repository, tmp_path: Path) -> None:
    found = [
        built(repository, revision, tmp_path / "cache", command).facts.digest
        for revision in ("main", "branch")
        for command in (BUILD, f"{BUILD} && true")
    ]
    assert len(set(found)) == len(found)


def test_a_working_tree_is_built_with_what_is_changed_new_gone_and_executable(
    repository: Repository, tmp_path: Path
) -> None:
    repository.write("gone/with/it.txt", "x")
    repository.write("folder-then-file/in.txt", "x")
    repository.write("file-then-folder", "x")
    repository.commit()
    for name in ("gone/with/it.txt", "folder-then-file/in.txt", "file-then-folder"):
        (repository.root / name).unlink()
    (repository.root / "folder-then-file").rmdir()
    repository.write("folder-then-file", "now a file")
    repository.write("file-then-folder/in.txt", "now in a folder")
    repository.write(f"{FOLDER}/source.txt", "changed ")
    repository.write(f"{FOLDER}/left.ignored", "x")
    repository.write(f"{FOLDER}/new.sh", "#!/bin/sh\n").chmod(0o755)
    (repository.root / "link").symlink_to("lib/shared.txt")
    before = repository.state()
    found = built(repository, "working-tree", tmp_path / "cache")
    tree = found.directory / "tree"
    assert artifact(found) == "changed shared"
    assert not (tree / "gone/with/it.txt").exists()
    assert (tree / "folder-then-file").read_text() == "now a file"
    assert (tree / "file-then-folder/in.txt").read_text() == "now in a folder"
    assert os.access(tree / FOLDER / "new.sh", os.X_OK)
    assert (tree / "link").readlink() == Path("lib/shared.txt")
    assert not (tree / FOLDER / "left.ignored").exists()
    assert repository.state() == before
    assert found.facts.revision is not None
    assert found.facts.revision.changes is not None


def test_head_over_uncommitted_changes_is_the_commit_and_says_what_it_leaves_out(
    repository: Repository, tmp_path: Path
) -> None:
    repository.write(f"{FOLDER}/source.txt", "changed ")
    found = built(repository, "HEAD", tmp_path / "cache")
    assert artifact(found) == "new shared"
    assert found.facts.revision is not None
    assert found.facts.revision.leaves_out


def test_a_working_tree_that_changes_before_it_is_built_is_refused(
    repository: Repository, tmp_path: Path
) -> None:
    repository.write(f"{FOLDER}/source.txt", "changed ")
    stack = stack_at(repository, "working-tree")
    repository.write(f"{FOLDER}/source.txt", "changed again ")
    with pytest.raises(StepFailed, match="changed since the study began"):
        built(repository, "working-tree", tmp_path / "cache", stack=stack)
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_build_that_fails_says_what_was_not_checked_out_and_leaves_nothing(
    repository: Repository, tmp_path: Path
) -> None:
    commit = repository.git("rev-parse", "main")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},vendor/lib")
    repository.git("commit", "--quiet", "--message", "with a submodule")
    before = repository.state()
    with pytest.raises(StepFailed, match="exited with code 3") as failure:
        built(repository, "HEAD", tmp_path / "cache", "echo no lib >&2; exit 3")
    assert failure.value.reason.endswith("; submodules are not checked out: vendor/lib")
    assert failure.value.log_tail == "no lib"
    assert list((tmp_path / "cache").iterdir()) == []
    assert repository.state() == before


def test_git_answers_inside_a_build_and_no_hook_runs(
    repository: Repository, tmp_path: Path
) -> None:
    repository.git("tag", "v1", "main")
    hook = repository.write(".git/hooks/post-checkout", f"#!/bin/sh\ntouch {tmp_path}/hooked\n")
    hook.chmod(0o755)
    found = built(repository, "main", tmp_path / "cache", "git describe --tags > artifact")
    assert artifact(found) == "v1\n"
    assert not (tmp_path / "hooked").exists()


def test_a_folder_that_a_commit_does_not_have_is_made_for_the_build(
    repository: Repository, tmp_path: Path
) -> None:
    repository.write("late/stack.yaml", "stack: late\n")
    stack = stack_at(repository, "main", "cp ../lib/shared.txt artifact")
    checkout = find_checkout(repository.root / "late", "main")
    stack = stack.model_copy(update={"checkout": checkout})
    assert artifact(built(repository, "main", tmp_path / "cache", stack=stack)) == "shared"


def test_a_worktree_of_a_killed_lab_is_taken_off_the_list_and_those_of_others_are_not(
    repository: Repository, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    killed = cache / "api.0123456789ab-0123456789abcdef.partial-4194305" / "loadstone-checkout"
    unmounted = tmp_path / "elsewhere" / "loadstone-checkout"
    for path in (killed, unmounted):
        repository.git("worktree", "add", "--quiet", "--detach", str(path), "main")
    unmounted.rename(tmp_path / "mounted-elsewhere")
    built(repository, "main", cache)
    listed = repository.git("worktree", "list", "--porcelain")
    assert str(killed) not in listed
    assert not killed.exists()
    assert str(unmounted) in listed


def test_a_repository_that_cannot_be_read_any_more_fails_the_build(
    repository: Repository, tmp_path: Path
) -> None:
    stack = stack_at(repository, "main")
    (repository.root / ".git").rename(tmp_path / "moved")
    with pytest.raises(StepFailed, match=r"commit \w{12} cannot be checked out: .*not a git"):
        built(repository, "main", tmp_path / "cache", stack=stack)


def test_builds_that_nobody_has_asked_for_in_two_weeks_are_removed(
    repository: Repository, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    old, used = (built(repository, each, cache).directory for each in ("main", "branch"))
    trained, of_a_folder = cache / f"{old.name}-01234567", cache / "api-0123456789abcdef"
    for directory in (trained, of_a_folder):
        directory.mkdir()
    for directory in (old, used, trained, of_a_folder):
        long_ago = directory.stat().st_mtime - KEPT_SECONDS - 60
        os.utime(directory, (long_ago, long_ago))
    assert built(repository, "branch", cache).facts.cached, "which notes the use"
    repository.commit("third")
    third = built(repository, "HEAD", cache).directory
    assert sorted(cache.iterdir()) == sorted((used, of_a_folder, third))
