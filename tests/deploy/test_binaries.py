"""Where the lab's own binaries are found: its wheel, beside Python, the checkout, the PATH."""

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from loadstone import __version__
from loadstone.deploy import binaries
from loadstone.deploy.binaries import find_binary, find_engine
from loadstone.errors import Unavailable
from loadstone.study.systems import roots

NAME = "loadstone-probe"


def program(path: Path, version: str = __version__) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {path.name} {version}\n")
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine with none of them: Python, its scripts, the checkout and the PATH are folders here."""
    monkeypatch.setattr(binaries.sys, "executable", str(tmp_path / "python" / "python"))
    monkeypatch.setattr(binaries.sysconfig, "get_path", lambda _: str(tmp_path / "scripts"))
    monkeypatch.setattr(roots, "INSTALLED", tmp_path / "checkout" / "python" / "loadstone" / "none")
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    find_binary.cache_clear()
    find_engine.cache_clear()
    yield tmp_path
    find_binary.cache_clear()
    find_engine.cache_clear()


def install(
    site: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str = NAME,
    version: str = __version__,
) -> Path:
    """Install a wheel of one binary as pip does for a user: its scripts are beside no Python."""
    information = site / "lib" / "site-packages" / f"{name.replace('-', '_')}-1.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1\n")
    (information / "RECORD").write_text(f"../../bin/{name},,\n")
    monkeypatch.syspath_prepend(information.parent)
    return program(site / "bin" / name, version)


def test_the_nearest_place_is_taken(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = "checkout/target/release"
    for folder in ("path", release, "scripts", "python"):
        wanted = program(places / folder / NAME)
        assert find_binary(NAME) == wanted
        find_binary.cache_clear()
    wanted = install(places / "site", monkeypatch)
    assert find_binary(NAME) == wanted.resolve()


def test_a_wheel_whose_binary_was_taken_away_does_not_hide_another(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(places / "site", monkeypatch).unlink()
    assert metadata.files(NAME) is not None
    wanted = program(places / "path" / NAME)
    assert find_binary(NAME) == wanted


def test_what_is_nowhere_is_told_with_every_place(places: Path) -> None:
    with pytest.raises(Unavailable) as caught:
        find_binary(NAME)
    for folder in ("python", "scripts", "checkout/target/release"):
        assert str(places / folder / NAME) in caught.value.message
    assert caught.value.remedy == "run `make setup`"


def test_where_loadstone_is_installed_it_is_to_be_installed_too(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (places / "shipped").mkdir()
    monkeypatch.setattr(roots, "INSTALLED", places / "shipped")
    with pytest.raises(Unavailable) as caught:
        find_binary(NAME)
    assert "target" not in caught.value.message
    assert caught.value.remedy == f"pip install {NAME}=={__version__}"


def test_an_engine_of_another_version_is_refused(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = install(places / "site", monkeypatch, "loadstone-engine", "0.0.1").resolve()
    with pytest.raises(Unavailable, match=f"{found} is version 0.0.1, but this is loadstone"):
        find_engine()


def test_an_engine_of_this_version_is_taken(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = install(places / "site", monkeypatch, "loadstone-engine")
    assert find_engine() == found.resolve()
