"""Asking a runtime for its version: bounded, and with a reason when it is not here."""

import os
import sys
from pathlib import Path

import psutil
import pytest

from loadstone.errors import Unavailable
from loadstone.study.systems.availability import availability, require_runtime
from loadstone.study.values.manifest import Runtime


def runtime(detect: str) -> Runtime:
    return Runtime(runtime="any", title="Any", detect=detect, install="Get it from its makers.")


def test_the_first_line_is_the_version() -> None:
    found = availability(runtime(f"{sys.executable} -c \"print('any 1.2'); print('more')\""))
    assert (found.version, found.reason) == ("any 1.2", None)


def test_a_version_on_stderr_counts() -> None:
    code = "import sys; sys.stderr.write('any 1.2')"
    assert require_runtime(runtime(f'{sys.executable} -c "{code}"')).version == "any 1.2"


@pytest.mark.parametrize(
    ("detect", "reason"),
    [
        ("no-such-command-here --version", "cannot be started: No such file or directory"),
        ("false", "ended with code 1"),
        ("true", "printed no version"),
        ("'unclosed", "No closing quotation"),
        ("go version; echo fake", "cannot be started"),
    ],
)
def test_a_runtime_that_is_not_here_has_a_reason(
    detect: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    found = availability(runtime(detect))
    assert found.version is None
    assert reason in (found.reason or "")


def test_requiring_what_is_not_here_says_how_to_get_it() -> None:
    with pytest.raises(Unavailable, match="the runtime any is not here: `false`") as caught:
        require_runtime(runtime("false"))
    assert caught.value.remedy == "Get it from its makers."


def test_a_command_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    # The leader leaves at once; its child holds the output open for as long as it lives.
    marker = f"600.{os.getpid()}"
    script = tmp_path / "hang.sh"
    script.write_text(f"sleep {marker} &\n")
    found = availability(runtime(f"sh {script}"), timeout_seconds=1)
    assert "gave no answer within 1 s" in (found.reason or "")
    left = [
        each for each in psutil.process_iter(["cmdline"]) if marker in (each.info["cmdline"] or [])
    ]
    _, alive = psutil.wait_procs(left, timeout=20)  # killed, but the kernel may take a moment
    assert not alive
