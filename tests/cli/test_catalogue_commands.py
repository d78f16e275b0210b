"""`systems`, `check`, and the help of all commands."""

import re

import pytest
from lab import CHECKOUT, Lab, study_of

from loadstone.study.systems.catalogue import open_catalogue

STACKS = list(open_catalogue(CHECKOUT).stack_names("mediation", "gateway"))
COMMANDS = [
    *("quickstart", "doctor", "init", "systems", "check", "bench"),
    *("run", "compare", "report", "import", "audit", "explain", "cluster"),
]


def test_systems_lists_stacks_with_their_runtimes_version(lab: Lab) -> None:
    ended = lab.run("systems")
    assert ended.code == 0
    for word in ("mediation", "net/http", "Express", "saturation-50b", "backend (echo)"):
        assert word in ended.stdout
    assert re.search(r"(?m)^go +1\.\d+\S* .*\byes\b", ended.stdout)
    assert re.search(r"(?m)^passthrough h2 -> h1c .*\byes\b", ended.stdout)
    assert lab.run("systems", "absent").code == 2


@pytest.mark.parametrize(("columns", "parts"), [(80, 12), (160, 4)])
def test_systems_keeps_to_the_width_of_the_terminal(lab: Lab, columns: int, parts: int) -> None:
    more = [f"another-stack-{number}" for number in range(8)]
    for name in more:
        lab.add_stack(name, base="go")
    ended = lab.run("systems", "mediation", columns=columns)
    lines = ended.stdout.splitlines()
    assert max(map(len, lines)) <= columns
    heads = [line.split()[2:] for line in lines if line.startswith("runtime ")]
    assert [name for head in heads for name in head] == [*more, *STACKS]
    assert len(heads) <= parts
    assert ended.stdout.count("…") == 0


def test_a_runtime_that_is_not_here_is_listed_with_the_reason_and_not_imitated(lab: Lab) -> None:
    runtime = lab.root / "runtimes" / "go.yaml"
    runtime.write_text(
        re.sub(r"(?m)^detect: .*$", "detect: no-such-program --version", runtime.read_text())
    )
    listed = lab.run("systems").stdout
    assert re.search(r"(?m)^go +not here +no *$", listed)
    assert re.search(r"(?s)not here:.* go: `no-such-program --version` .*Install Go", listed)
    skipped = lab.run("check", "mediation", "--stack", "go")
    assert skipped.code == 2
    assert "no-such-program" in skipped.stdout


def test_a_stack_whose_build_tool_is_missing_is_told_and_not_built(lab: Lab) -> None:
    lab.add_stack("zz-toolless", base="go", build="no-such-tool --quiet")
    listed = lab.run("systems", "mediation", columns=400).stdout
    assert re.search(r"(?m)^go +1\.\S+ .*\byes\b.*\bno *$", listed)
    assert "built by no-such-tool, which is not on the PATH" in listed
    skipped = lab.run("check", "mediation", "--stack", "zz-toolless")
    assert skipped.code == 2
    assert (
        "skipped  zz-toolless@go: the stack zz-toolless is built by no-such-tool" in skipped.stdout
    )
    lab.study(study_of("go", "zz-toolless"))
    refused = lab.run("run", "trial", "--profile", "short")
    assert refused.code == 2
    assert "built by no-such-tool" in refused.stderr


def test_a_stack_is_held_against_every_clause(lab: Lab) -> None:
    ended = lab.run("check", "mediation", "--stack", "go")
    assert ended.code == 0, ended.stdout
    held = re.findall(r"holds +go@go (\S+ -> \S+): (\d+) of \2 checks", ended.stdout)
    assert [legs for legs, _ in held] == [
        "h1c -> h1c",
        "h1 -> h1",
        "h2 -> h2",
        "h2 -> h1",
        "h2 -> h1c",
        "h2-downgrade -> h2-downgrade",
        "h2c -> h1c",
    ]


def test_a_stack_that_breaks_a_clause_is_told_which(lab: Lab) -> None:
    broken = lab.add_stack("broken", runtimes="[node]") / "src" / "gateway.js"
    text = broken.read_text()
    assert "404" in text
    broken.write_text(text.replace("404", "410"))
    ended = lab.run("check", "mediation", "--stack", "broken")
    assert ended.code == 1
    assert re.search(r"failed +broken@node h1c -> h1c: ", ended.stdout)
    assert re.search(r"PT-\d+ .*410", ended.stdout)


def test_a_declared_deviation_is_printed_and_one_that_holds_must_go(lab: Lab) -> None:
    broken = lab.add_stack("broken", runtimes="[node]")
    source = broken / "src" / "gateway.js"
    source.write_text(source.read_text().replace("404", "410"))
    manifest = broken / "stack.yaml"
    known = (
        "  - {clause: PT-16, reason: it meets PT-19}\n  - {clause: PT-19, reason: it says gone}\n"
    )
    manifest.write_text(f"{manifest.read_text()}deviations:\n{known}")
    ended = lab.run("check", "mediation", "--stack", "broken")
    assert ended.code == 0, ended.stdout
    assert re.search(r"holds +broken@node", ended.stdout)
    assert "PT-19  deviates as declared: it says gone" in ended.stdout
    manifest.write_text(manifest.read_text() + "  - {clause: PT-1, reason: unknown}\n")
    ended = lab.run("check", "mediation", "--stack", "broken")
    assert ended.code == 1
    assert "PT-1  is declared a deviation, and holds" in ended.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_has_an_example(lab: Lab, command: str) -> None:
    ended = lab.run(command, "--help")
    assert ended.code == 0
    assert f"loadstone {command}" in ended.stdout.partition("Example")[2]


def test_the_help_lists_every_command(lab: Lab) -> None:
    ended = lab.run("--help")
    listed = re.findall(r"(?m)^│?\s{1,2}([a-z]+)\s{2,}\S", ended.stdout)
    assert listed == COMMANDS
