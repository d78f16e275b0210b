"""Finding the roots, and where builds of each are kept."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.errors import InputError, Unavailable
from loadstone.machine.user_cache import user_cache
from loadstone.study.files.root_file import read_root
from loadstone.study.systems import roots
from loadstone.study.systems.roots import builds_of, own_root, shipped_root

MARKED = "format: 1\n"


def marked(folder: Path, text: str = MARKED) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "loadstone.yaml").write_text(text)
    return folder


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lab as a wheel installs it: what it ships is beside its code."""
    folder = tmp_path / "site-packages" / "loadstone" / "shipped"
    (folder / "systems").mkdir(parents=True)
    monkeypatch.setattr(roots, "INSTALLED", folder)
    return folder


def test_the_nearest_marked_folder_upwards_is_the_users(tmp_path: Path) -> None:
    marked(tmp_path)
    inner = marked(tmp_path / "inner")
    (inner / "a" / "b").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    assert own_root(inner / "a" / "b", environment={}) == inner.resolve()
    assert own_root(tmp_path / "other", environment={}) == tmp_path.resolve()


def test_a_folder_of_that_name_is_no_marker(tmp_path: Path) -> None:
    (tmp_path / "loadstone.yaml").mkdir()
    assert own_root(tmp_path, environment={}) is None


def test_what_is_named_comes_before_the_variable_and_that_before_what_is_found(
    tmp_path: Path,
) -> None:
    found, variable, named = (marked(tmp_path / each) for each in ("found", "variable", "named"))
    environment = {"LOADSTONE_ROOT": str(variable)}
    assert own_root(found, environment={}) == found.resolve()
    assert own_root(found, environment=environment) == variable.resolve()
    assert own_root(found, named, environment) == named.resolve()


@pytest.mark.parametrize("by", ["--root", "LOADSTONE_ROOT"])
def test_a_folder_that_is_named_and_not_marked_is_refused(tmp_path: Path, by: str) -> None:
    named = tmp_path if by == "--root" else None
    with pytest.raises(InputError, match=f"{by} names it") as caught:
        own_root(Path("/"), named, {"LOADSTONE_ROOT": str(tmp_path)})
    assert caught.value.path == tmp_path
    assert "`format: 1`" in (caught.value.remedy or "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: the file is empty"),
        ("format: 2\n", ":1: format: 2 is not known here"),
        ("format: true\n", ":1: format: "),
        ("format: '1'\n", ":1: format: "),
        ("format: 1\nsystems: here\n", ":2: systems: "),
        ("study: trial\n", ":1: study: "),
    ],
)
def test_a_wrong_marker_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    folder = marked(tmp_path, text)
    for find in (
        lambda: own_root(folder, environment={}),
        lambda: own_root(Path("/"), folder, {}),
    ):
        with pytest.raises(InputError) as caught:
            find()
        said = caught.value.message.removeprefix(f"{folder / 'loadstone.yaml'}")
        assert said.startswith(message)


@given(number=st.integers().filter(lambda number: number != 1))
def test_every_other_format_is_refused(
    tmp_path_factory: pytest.TempPathFactory, number: int
) -> None:
    path = tmp_path_factory.mktemp("root") / "loadstone.yaml"
    path.write_text(f"format: {number}\n")
    with pytest.raises(InputError):
        read_root(path)


def test_a_marker_that_anyone_could_have_put_there_is_taken_only_by_name(tmp_path: Path) -> None:
    folder = marked(tmp_path / "everyones")
    folder.chmod(0o1777)
    with pytest.raises(InputError, match="anyone may write") as caught:
        own_root(folder, environment={})
    assert f"--root {folder.resolve()}" in (caught.value.remedy or "")
    assert own_root(Path("/"), folder, {}) == folder.resolve()


def test_what_is_shipped_is_the_checkout_or_what_a_wheel_installed(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shipped_root() == installed
    assert roots.checkout() is None
    monkeypatch.undo()
    assert (shipped_root() / "python/loadstone/study/systems/roots.py").is_file()
    assert roots.checkout() == shipped_root()


def test_a_lab_without_its_systems_says_where_they_should_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roots, "INSTALLED", tmp_path / "python" / "loadstone" / "shipped")
    with pytest.raises(Unavailable, match=f"not in {tmp_path}"):
        shipped_root()


def test_stacks_are_built_in_their_root_where_that_can_be_written(tmp_path: Path) -> None:
    assert builds_of(tmp_path) == tmp_path / ".loadstone" / "builds"
    assert list(tmp_path.iterdir()) == [], "and nothing is made by asking"


def test_stacks_of_what_is_installed_are_built_in_the_users_cache(installed: Path) -> None:
    assert builds_of(installed) == user_cache() / "builds"


@pytest.mark.parametrize("refused", ["", ".loadstone", ".loadstone/builds"])
def test_stacks_of_a_root_that_cannot_be_written_are_built_in_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    (tmp_path / refused).mkdir(parents=True, exist_ok=True)
    allowed = os.access  # root may write everywhere, so that a mode would not tell
    monkeypatch.setattr(
        roots.os, "access", lambda path, mode: path != tmp_path / refused and allowed(path, mode)
    )
    assert builds_of(tmp_path) == user_cache() / "builds"


def test_a_user_without_a_home_is_told_how_to_name_a_folder(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(Unavailable, match="no home") as caught:
        builds_of(installed)
    assert "XDG_CACHE_HOME" in (caught.value.remedy or "")
