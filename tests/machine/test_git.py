"""Git is asked about the repository of a folder, and changes nothing there."""

import os
from pathlib import Path

import pytest

from loadstone.machine.git import GitFailed, git, names_in, succeeds, text_of
from repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    found = Repository(tmp_path / "asked")
    found.write("a file\nof two lines", "x")
    found.commit()
    return found


def test_what_git_refuses_is_told_in_its_words(repository: Repository) -> None:
    with pytest.raises(GitFailed, match=r"^Needed a single revision$"):
        git(repository.root, "rev-parse", "--verify", "nothing")
    assert not succeeds(repository.root, "rev-parse", "--verify", "nothing")
    assert succeeds(repository.root, "rev-parse", "--verify", "HEAD")


def test_a_name_may_hold_anything(repository: Repository) -> None:
    assert names_in(repository.root, "ls-files", "-z") == ("a file\nof two lines",)


def test_a_lab_that_a_hook_has_started_is_led_nowhere_else(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository(tmp_path / "other")
    other.commit("of another")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git" / "index"))
    assert text_of(repository.root, "rev-parse", "--show-toplevel") == str(repository.root)


def test_a_question_does_not_refresh_the_index(repository: Repository) -> None:
    (path,) = (each for each in repository.root.iterdir() if each.is_file())
    os.utime(path, (1, 1))  # the index has another time of it, and would be written anew
    before = (repository.root / ".git" / "index").read_bytes()
    assert git(repository.root, "status", "--porcelain") == b""
    assert (repository.root / ".git" / "index").read_bytes() == before
