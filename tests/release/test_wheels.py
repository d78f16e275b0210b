"""What `make wheels` builds, installed into an empty environment, and quickstart's smoke from there."""

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from lab import code_of

from loadstone import __version__

CHECKOUT = Path(__file__).resolve().parents[2]
BINARIES = ("loadstone-engine", "loadstone-echo")
NOBODY = 65534
"""A user without a home, on every Linux."""

pytestmark = [
    pytest.mark.slow,
    # Cargo's tools and the binaries are compiled where they are new.
    pytest.mark.timeout(5400),
]


@pytest.fixture(scope="module")
def dist() -> Path:
    subprocess.run(["make", "wheels"], cwd=CHECKOUT, check=True)
    return CHECKOUT / "dist"


@pytest.fixture(scope="module")
def environment(dist: Path) -> Iterator[Path]:
    """An empty environment with the wheels alone, in a folder that every user can read."""
    with TemporaryDirectory(prefix="loadstone-wheels-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        bin_folder = folder / "environment" / "bin"
        subprocess.run([sys.executable, "-m", "venv", bin_folder.parent], check=True)
        install = [bin_folder / "python", "-m", "pip", "install", "--quiet"]
        pinned = CHECKOUT / "requirements" / "installed.txt"
        subprocess.run([*install, "--require-hashes", "--requirement", pinned], check=True)
        wheels = ["--no-deps", "--no-index", "--find-links", dist, f"loadstone=={__version__}"]
        wheels += [f"{each}=={__version__}" for each in BINARIES]
        subprocess.run([*install, *wheels], check=True)
        yield bin_folder.parent


def loadstone(
    environment: Path, folder: Path, *words: str, user: int | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run the installed command in a folder, with a home and nothing else of this machine's user."""
    variables = {name: os.environ[name] for name in ("PATH", "GOCACHE") if name in os.environ}
    return subprocess.run(
        [environment / "bin" / "loadstone", *words],
        cwd=folder,
        env={**variables, "HOME": str(folder / "home"), "COLUMNS": "200", "GOFLAGS": "-modcacherw"},
        capture_output=True,
        text=True,
        check=False,
        user=user,
    )


def state_of(folder: Path) -> dict[str, str]:
    """Every file below a folder by its digest; compiled Python left out."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_quickstart_runs_in_any_folder_and_leaves_what_is_installed_alone(
    environment: Path, tmp_path: Path
) -> None:
    (tmp_path / "home").mkdir()
    (shipped,) = environment.glob("lib/python3*/site-packages/loadstone/shipped")
    before = state_of(shipped)
    ended = loadstone(environment, tmp_path, "run", "quickstart", "--profile", "smoke")
    (results,) = (tmp_path / "results").iterdir()
    assert ended.returncode == code_of(results), ended.stderr
    assert f"records: results/{results.name}" in ended.stderr
    assert (results / "report.html").is_file()
    assert list((tmp_path / "home" / ".cache" / "loadstone" / "builds").glob("go-*"))
    assert state_of(shipped) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "results"]


def test_the_binaries_are_here_in_this_version(environment: Path, tmp_path: Path) -> None:
    found = json.loads(loadstone(environment, tmp_path, "doctor", "--json").stdout)
    rows = {row["label"]: row for row in found["rows"]}
    for name in BINARIES:
        assert (rows[name]["mark"], rows[name]["text"]) == ("ok", __version__)
        assert (environment / "bin" / name).is_file()
    assert "(shipped)" in rows["roots"]["text"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_another_user_can_use_what_root_installed(environment: Path) -> None:
    with TemporaryDirectory(prefix="loadstone-nobody-") as name:
        folder = Path(name)
        os.chown(folder, NOBODY, NOBODY)
        for words in (("systems", "mediation"), ("run", "quickstart", "--dry-run")):
            ended = loadstone(environment, folder, *words, user=NOBODY)
            assert ended.returncode == 0, ended.stderr


def test_a_release_is_complete_and_its_checksums_are_right(dist: Path) -> None:
    names = {path.name for path in dist.iterdir()} - {"SHA256SUMS"}
    sums = dict(
        reversed(line.split(maxsplit=1)) for line in (dist / "SHA256SUMS").read_text().splitlines()
    )
    assert sums == {name: hashlib.sha256((dist / name).read_bytes()).hexdigest() for name in names}
    expected = {f"loadstone-{__version__}-py3-none-any.whl", f"loadstone-{__version__}.tar.gz"}
    for name in ("loadstone", *BINARIES):
        expected |= {f"{name}-{__version__}.cdx.json", f"{name}-{__version__}-licences.txt"}
    expected |= {f"{name.replace('-', '_')}-{__version__}.tar.gz" for name in BINARIES}
    wheels = names - expected
    assert expected <= names
    assert len(wheels) == len(BINARIES)
    for wheel in wheels:
        assert "manylinux_2_17_" in wheel, "as old as Rust's own library permits"


def test_every_library_has_a_line_in_the_bills_and_a_licence(dist: Path) -> None:
    for name, library in (
        ("loadstone", "polars"),
        ("loadstone-engine", "rustls"),
        ("loadstone-echo", "hyper"),
    ):
        bill = json.loads((dist / f"{name}-{__version__}.cdx.json").read_text())
        assert bill["bomFormat"] == "CycloneDX"
        assert library in {each["name"] for each in bill["components"]}
        assert library in (dist / f"{name}-{__version__}-licences.txt").read_text()
        assert str(CHECKOUT) not in json.dumps(bill)


@pytest.mark.parametrize("tool", ["uvx", "pipx"])
def test_the_one_line_of_the_guide_works(tool: str, dist: Path, tmp_path: Path) -> None:
    own = Path(sys.executable).parent  # uvx comes with the development's packages
    program = shutil.which(tool, path=f"{own}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        pytest.skip(f"{tool} is not here")
    guide = (CHECKOUT / "docs" / "guides" / "install.md").read_text()
    (line,) = (each for each in guide.splitlines() if each.startswith(f"{tool} "))
    words = shlex.split(line.replace("find-links dist", f"find-links {dist}"))
    assert words.pop() == "quickstart"
    ended = subprocess.run(
        [program, *words[1:], "--version"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout == f"loadstone {__version__}\n", ended.stderr
