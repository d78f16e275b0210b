"""`systems`, `check`, and the help of all commands."""

import re

import pytest
from lab import Lab

COMMANDS = ["quickstart", "doctor", "systems", "check", "bench", "run", "compare", "report"]


def test_systems_lists_stacks_with_their_runtimes_version(lab: Lab) -> None:
    ended = lab.run("systems")
    assert ended.code == 0
    for word in ("mediation", "net/http", "Express", "go version", "saturation-50b"):
        assert word in ended.stdout
    assert lab.run("systems", "absent").code == 2


def test_a_runtime_that_is_not_here_is_listed_with_the_reason_and_not_imitated(lab: Lab) -> None:
    runtime = lab.root / "runtimes" / "node.yaml"
    runtime.write_text(
        re.sub(r"(?m)^detect: .*$", "detect: no-such-program --version", runtime.read_text())
    )
    ended = lab.run("systems")
    assert "no-such-program" in ended.stdout
    skipped = lab.run("check", "mediation", "--stack", "node")
    assert skipped.code == 2
    assert "no-such-program" in skipped.stdout


def test_a_stack_is_held_against_every_clause(lab: Lab) -> None:
    ended = lab.run("check", "mediation", "--stack", "go")
    assert ended.code == 0, ended.stdout
    assert re.search(r"holds +go@go: (\d+) of \1 checks", ended.stdout)


def test_a_stack_that_breaks_a_clause_is_told_which(lab: Lab) -> None:
    broken = lab.add_stack("broken") / "src" / "gateway.js"
    text = broken.read_text()
    assert "404" in text
    broken.write_text(text.replace("404", "410"))
    ended = lab.run("check", "mediation", "--stack", "broken")
    assert ended.code == 1
    assert re.search(r"failed +broken@node: ", ended.stdout)
    assert re.search(r"PT-\d+ .*410", ended.stdout)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_has_an_example(lab: Lab, command: str) -> None:
    ended = lab.run(command, "--help")
    assert ended.code == 0
    assert f"loadstone {command}" in ended.stdout.partition("Example")[2]


def test_the_help_lists_every_command(lab: Lab) -> None:
    ended = lab.run("--help")
    listed = re.findall(r"(?m)^│?\s{1,2}([a-z]+)\s{2,}\S", ended.stdout)
    assert listed == COMMANDS
