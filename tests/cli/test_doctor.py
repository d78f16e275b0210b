"""`doctor` through the front door: words, JSON, exit codes, and nothing left behind."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from lab import CHECKOUT, Ended, Lab

MARKS = r"(ok|note|missing|needed)"


def with_quickstart(root: Path) -> Lab:
    lab = Lab(root)
    lab.study((CHECKOUT / "studies" / "quickstart.yaml").read_text(), "quickstart")
    return lab


def unlike(lab: Lab, runtime: str) -> None:
    """Make a runtime ask for a program that nobody has."""
    path = lab.root / "runtimes" / f"{runtime}.yaml"
    path.write_text(
        re.sub(r"(?m)^detect: .*$", "detect: no-such-program --version", path.read_text())
    )


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ended]:
    """One call in a terminal of 80 columns, without an optional runtime."""
    lab = with_quickstart(tmp_path_factory.mktemp("narrow"))
    unlike(lab, "node")
    ended = lab.run("doctor", columns=80)
    yield ended
    assert lab.left_behind() == []


def test_a_machine_that_can_run_quickstart_gets_a_verdict_and_exit_code_0(narrow: Ended) -> None:
    assert narrow.code == 0, narrow.stdout
    _, _, verdict = narrow.stdout.rpartition("\nVerdict: ")
    assert re.fullmatch(
        r"6 blocks tell apart differences of about .+ and more, 12 of .+\.",
        " ".join(verdict.split()),
    )


def test_every_fact_has_a_mark_and_a_label(narrow: Ended) -> None:
    labels = re.findall(rf"(?m)^  {MARKS} +(\S+(?: \S+)*)  ", narrow.stdout)
    assert {label for _, label in labels} >= {
        *("processor", "placement", "frequency", "virtualisation", "memory", "disk", "Linux"),
        *("timer", "control groups", "open files", "ports", "connections"),
        *("loadstone-engine", "loadstone-echo", "trial load", "go", "node", "npm", "docker"),
        *("pressure (PSI)", "hardware counters", "energy (RAPL)", "io_uring"),
        *("load average", "steal", "fixed loop", "loopback"),
    }


def test_an_optional_runtime_that_is_missing_is_told_with_the_way_to_get_it(
    narrow: Ended,
) -> None:
    text = " ".join(narrow.stdout.split())
    assert "missing node `no-such-program --version` cannot be started" in text
    assert "> Install Node.js" in text


def test_it_fits_80_columns_without_colour_and_keeps_progress_apart(narrow: Ended) -> None:
    assert all(len(line) <= 80 for line in narrow.stdout.splitlines())
    assert "\x1b" not in narrow.stdout
    assert "probing how steady the machine is" in narrow.stderr
    assert "probing how steady" not in narrow.stdout


def test_a_runtime_that_quickstart_needs_is_named_and_the_exit_code_is_2(tmp_path: Path) -> None:
    lab = with_quickstart(tmp_path)
    unlike(lab, "go")
    ended = lab.run("doctor", "--json")
    assert ended.code == 2
    found = json.loads(ended.stdout)
    schema = json.loads((CHECKOUT / "schemas" / "diagnosis.schema.json").read_text())
    Draft202012Validator(schema).validate(found)
    assert found["can_run"] is False
    assert found["verdict"] == "quickstart cannot run here, for want of: go."
    (row,) = [each for each in found["rows"] if each["label"] == "go"]
    assert row["mark"] == "needed"
    assert "Install Go" in row["remedy"]
    assert found["facts"]["noise"]["round_trip"]["median_ns"] > 0


@pytest.mark.parametrize("step", ["asking runtimes", "probing how steady"])
def test_an_interrupted_doctor_leaves_nothing(tmp_path: Path, step: str) -> None:
    lab = with_quickstart(tmp_path)
    command = lab.start("doctor")
    assert command.stderr is not None
    for line in command.stderr:
        if step in line:
            break
    command.send_signal(signal.SIGINT)
    ended = lab.end(command)
    assert ended.code == 2
    assert "stopped by SIGINT" in ended.stderr
    assert "Verdict" not in ended.stdout
    assert lab.left_behind() == []
