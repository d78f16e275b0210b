"""A check that is broken itself: an error of the contract, through the real command."""

import json
from pathlib import Path
from typing import Any

import pytest
from lab import Lab, study_of

HOLDS = """
from loadstone.contract.declare import check, sample_check

from .lib.facts import METHOD, STATUSES

@check("PT-19", "another path is 404", quick=True)
def other_path(subject):
    assert subject.ask("/nothing", method=METHOD).status == 404
"""
FACTS = 'METHOD = "POST"\nSTATUSES = {"passthrough": 200}\n'
BREAKS = """
@check("PT-7", "it breaks")
def breaks(subject):
    subject.ask("/", method=STATUSES["transform"])
"""
BREAKS_LATER = """
times = []

@check("PT-7", "it breaks when it is held again", quick=True)
def breaks_later(subject):
    times.append(1)
    [_] = times
"""
BREAKS_ON_SAMPLES = """
@sample_check("PT-7", "it breaks")
def breaks_on_samples(sample):
    assert sample.status == STATUSES[sample.operation]
"""
FAILS_ON_SAMPLES = """
@sample_check("PT-1", "it fails")
def fails_on_samples(sample):
    assert False, "what was seen"
"""
FAILS = """
@check("PT-1", "it fails")
def fails(subject):
    assert False, "what was seen"
"""


def write_contract(lab: Lab, *texts: str) -> str:
    """Replace the contract; return the path of its file of checks, as it is shown."""
    contract = lab.root / "systems" / "mediation" / "contract"
    for path in contract.glob("**/*.py"):
        path.unlink()
    (contract / "own_checks.py").write_text("".join((HOLDS, *texts)))
    (contract / "lib" / "facts.py").write_text(FACTS)
    return "systems/mediation/contract/own_checks.py"


def line_of(text: str, lab: Lab, shown: str) -> int:
    lines = (lab.root / shown).read_text().splitlines()
    (number,) = (at for at, line in enumerate(lines, 1) if text in line)
    return number


def failure_of(lab: Lab) -> dict[str, Any]:
    path, *_ = lab.results().glob("runs/*/run.json")
    record = json.loads(path.read_text())
    assert record["status"] == "failed"
    for held in record["checks"]:
        assert held["failed"] == []
    failure: dict[str, Any] = record["failure"]
    return failure


def test_a_broken_check_is_told_from_one_that_fails(lab: Lab) -> None:
    lab.add_stack("plain", base="go")
    own = write_contract(lab, BREAKS, FAILS)
    ended = lab.run("check", "mediation", "--stack", "plain", columns=400)
    line = line_of("STATUSES[", lab, own)
    assert ended.stdout.splitlines() == [
        "error    plain@go h1c -> h1c: 1 of 3 checks of 3 clauses",
        f"    PT-7  it breaks: error in the check {own}:{line}: KeyError: 'transform'",
        "    PT-1  it fails: what was seen",
    ]
    assert ended.code == 2
    assert "Traceback" not in ended.stderr
    assert lab.left_behind() == []


def test_without_the_broken_check_the_others_count(lab: Lab) -> None:
    lab.add_stack("plain", base="go")
    write_contract(lab, FAILS)
    ended = lab.run("check", "mediation", "--stack", "plain")
    assert (ended.code, ended.stdout.partition(" ")[0]) == (1, "failed")
    write_contract(lab)
    ended = lab.run("check", "mediation", "--stack", "plain")
    assert (ended.code, ended.stdout.partition(" ")[0]) == (0, "holds")


def test_a_helper_that_breaks_is_named(lab: Lab) -> None:
    write_contract(lab)
    helper = Path("systems/mediation/contract/lib/facts.py")
    (lab.root / helper).write_text(FACTS + "[][0]\n")
    ended = lab.run("check", "mediation", "--stack", "go", columns=400)
    assert ended.code == 2
    assert f"{helper}:3: IndexError: list index out of range" in ended.stderr


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        (BREAKS, "STATUSES[", "KeyError: 'transform'"),
        (BREAKS_LATER, "[_] = times", "ValueError: too many values to unpack (expected 1)"),
        (BREAKS_ON_SAMPLES, "STATUSES[", "KeyError: "),
    ],
    ids=["before the runs", "in a run", "on samples"],
)
def test_a_run_whose_check_is_broken_fails_by_it_and_by_no_clause(
    lab: Lab, text: str, place: str, said: str
) -> None:
    lab.study(study_of("go"))
    own = write_contract(lab, text)
    ended = lab.run("run", "trial", "--profile", "moment", columns=400)
    failure = failure_of(lab)
    assert failure["step"] == "check"
    wanted = f"error in the check {own}:{line_of(place, lab, own)}: {said}"
    assert failure["reason"].startswith(wanted)
    assert ended.code == 1
    assert wanted in ended.stderr


def test_a_run_whose_answers_break_the_contract_says_so_as_it_ends(lab: Lab) -> None:
    lab.study(study_of("go"))
    write_contract(lab, FAILS_ON_SAMPLES)
    ended = lab.run("run", "trial", "--profile", "moment", columns=400)
    path, *_ = lab.results().glob("runs/*/run.json")
    (samples,) = [each for each in json.loads(path.read_text())["checks"] if each["failed"]]
    assert samples["checked"] == len(samples["failed"]) > 0
    wanted = (
        f"{path.parent.name}: {samples['checked']} of {samples['checked']} answers kept break "
        f"the contract: {samples['failed'][0]}"
    )
    assert wanted in ended.stderr.splitlines()
