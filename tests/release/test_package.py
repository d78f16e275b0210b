"""The wheel of `loadstone`: what is in it, and that the same files give the same bytes."""

import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from loadstone import __version__

CHECKOUT = Path(__file__).resolve().parents[2]
SHIPPED = ("systems", "runtimes", "studies", "schemas")
EPOCH = "1700000000"


def build(folder: Path, *words: str) -> Path:
    """Build into a folder; return the one file that is there then."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", *words, "--directory", str(folder)],
        cwd=CHECKOUT,
        env={"PATH": "", "SOURCE_DATE_EPOCH": EPOCH},
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("loadstone-*")
    return built


def kept(*folders: str) -> set[str]:
    """What Git keeps of folders, or would."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *folders],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return {name for name in listed.split("\0") if name and (CHECKOUT / name).exists()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"), "--target", "wheel")


def test_the_wheel_has_the_code_and_all_that_is_shipped_and_nothing_else(wheel: Path) -> None:
    expected = {name.removeprefix("python/") for name in kept("python/loadstone")}
    expected |= {f"loadstone/shipped/{name}" for name in kept(*SHIPPED)}
    with ZipFile(wheel) as archive:
        found = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert found == expected


def test_it_needs_the_binaries_of_the_same_version(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (path,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        metadata = archive.read(path).decode()
    for name in ("loadstone-engine", "loadstone-echo"):
        assert f"\nRequires-Dist: {name}=={__version__}\n" in metadata
    assert wheel.name == f"loadstone-{__version__}-py3-none-any.whl"


def test_the_same_files_give_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    assert build(tmp_path, "--target", "wheel").read_bytes() == wheel.read_bytes()


def test_the_sources_have_what_the_wheel_is_built_from(tmp_path: Path) -> None:
    with tarfile.open(build(tmp_path, "--target", "sdist")) as archive:
        found = {member.name.partition("/")[2] for member in archive if member.isfile()}
    expected = kept("python/loadstone", *SHIPPED)
    assert expected <= found
    beside = {"PKG-INFO", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"}
    assert found - expected == {*beside, ".gitignore", "loadstone.yaml"}


def test_all_distributions_have_one_version() -> None:
    python = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    rust = tomllib.loads((CHECKOUT / "Cargo.toml").read_text())["workspace"]["package"]
    assert {python["version"], rust["version"]} == {__version__}
    pins = [each for each in python["dependencies"] if each.startswith("loadstone-")]
    assert pins == [f"loadstone-echo=={__version__}", f"loadstone-engine=={__version__}"]
