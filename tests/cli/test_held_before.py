"""What held the whole contract is not held again by the next study, until something of it changes."""

import uuid

from lab import Lab, study_of

HELD = "go held the contract on 20"
HOLDS = "check go against the contract of mediation"


def change_contract(lab: Lab) -> None:
    """Make a contract that nothing was held against: what is kept is shared with the checkout."""
    contract = lab.root / "systems" / "mediation" / "contract"
    path = next(contract.glob("*_checks.py"))
    path.write_text(f"{path.read_text()}\n# {uuid.uuid4()}\n")


def test_a_contract_is_held_once_and_again_when_it_has_changed(lab: Lab) -> None:
    lab.study(study_of("go"))
    change_contract(lab)
    first = lab.run("run", "trial", "--profile", "moment").stderr
    second = lab.run("run", "trial", "--profile", "moment").stderr
    change_contract(lab)
    third = lab.run("run", "trial", "--profile", "moment").stderr
    assert (HOLDS in first, HELD in first) == (True, False)
    assert (HOLDS in second, HELD in second) == (False, True)
    assert (HOLDS in third, HELD in third) == (True, False)


def test_what_fails_is_never_kept(lab: Lab) -> None:
    change_contract(lab)
    stack = lab.add_stack("wrong", base="go")
    source = stack / "upstream.go"
    text = source.read_text()
    assert text.count("StatusBadGateway") == 1
    source.write_text(text.replace("StatusBadGateway", "StatusTeapot"))
    lab.study(study_of("wrong"))
    for _ in range(2):
        failed = lab.run("run", "trial", "--profile", "moment")
        assert "check wrong against the contract of mediation" in failed.stderr
        assert failed.code == 1


def test_what_the_check_held_counts_for_studies_of_any_limits(lab: Lab) -> None:
    change_contract(lab)
    assert lab.run("check", "mediation", "--stack", "go").code == 0
    lab.study(study_of("go", limits="{gateway: {cpus: 0.9}}"))
    assert HELD in lab.run("run", "trial", "--profile", "moment").stderr


def test_the_check_itself_always_holds(lab: Lab) -> None:
    lab.add_stack("again", base="go")
    for _ in range(2):
        assert "check again" in lab.run("check", "mediation", "--stack", "again").stderr
