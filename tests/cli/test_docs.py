"""Every command in the documentation is run, in a form that ends in seconds, or is in the Makefile."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab import CHECKOUT, Lab
from servers import Hello, http_server, node_server

PAGES = sorted(
    [CHECKOUT / "README.md", CHECKOUT / "CONTRIBUTING.md", *(CHECKOUT / "docs").rglob("*.md")]
)
BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^ *(?:\$ )?((?:loadstone|make) [^#\n]*?) *(?:#.*)?$", re.MULTILINE)


def commands() -> list[str]:
    found = []
    for page in PAGES:
        for block in BLOCK.findall(page.read_text()):
            found += [command.strip() for command in COMMAND.findall(block)]
    return found


LOADSTONE = sorted({command for command in commands() if command.startswith("loadstone ")})
MAKE = sorted({command for command in commands() if command.startswith("make ")})


@pytest.fixture(scope="module")
def served() -> Iterator[dict[str, str]]:
    """What a page writes to the real address behind it."""
    with http_server(Hello) as url, node_server("h2") as secure_url:
        yield {"http://127.0.0.1:8080": url, "https://127.0.0.1:8443": secure_url}


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """A root with the committed studies, shortened to their smoke profile, and one set of results."""
    lab = Lab(tmp_path_factory.mktemp("documented"))
    for path in (CHECKOUT / "studies").glob("*.yaml"):
        lab.study(path.read_text(), path.stem)
    assert lab.run("run", "quickstart", "--profile", "smoke").code in (0, 1)
    return lab


def test_there_are_commands_to_test() -> None:
    assert len(LOADSTONE) >= 8
    assert "make quickstart" in MAKE


@pytest.mark.parametrize("command", MAKE)
def test_a_documented_target_is_in_the_makefile(command: str) -> None:
    for target in command.split()[1:]:
        dry = subprocess.run(
            ["make", "--dry-run", target], cwd=CHECKOUT, capture_output=True, text=True, check=False
        )
        assert dry.returncode == 0, dry.stderr


@pytest.mark.parametrize("command", LOADSTONE)
def test_a_documented_command_works(command: str, documented: Lab, served: dict[str, str]) -> None:
    for written, url in served.items():
        command = command.replace(written, url)
    words = shlex.split(command)[1:]
    words = [str(documented.results()) if word == "RESULTS" else word for word in words]
    if words[0] == "quickstart" or (words[0] == "run" and "--dry-run" not in words):
        words = shortened(words)
    ended = documented.run(*words)
    assert ended.code in (0, 1), ended.stderr
    assert ended.stdout


def shortened(words: list[str]) -> list[str]:
    """Replace a full study by its smoke profile, into a folder of its own."""
    study = "quickstart" if words[0] == "quickstart" else words[1]
    study = study.replace("STUDY", "quickstart")
    return ["run", Path(study).stem, "--profile", "smoke", "--out", "shortened"]
