"""What a service is held to: as a stack's manifest and an own level type it, and as the plan has it."""

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_lab import SmallLab, plan_of

from loadstone.errors import InputError
from loadstone.study.values.held_to import Deviation, HeldTo, NotHeld, covers, is_covered
from loadstone.study.values.model import Plan, Protocol

URL = "http://127.0.0.1:8080"
SCENARIOS = """
scenarios:
  - {operation: buy, legs: {client: h1c, upstream: h1c}}
  - {operation: look, legs: {client: h1c, upstream: h1c}}
"""
CLAUSES = st.from_regex(r"[A-Z][A-Z0-9]{0,2}-?[1-9][0-9]?", fullmatch=True)


@pytest.fixture
def lab(tmp_path: Path) -> SmallLab:
    found = SmallLab(tmp_path)
    system = found.root / "systems/shop/system.yaml"
    found.write("systems/shop/system.yaml", system.read_text() + SCENARIOS)
    return found


def plan_with(lab: SmallLab, level: str) -> Plan:
    return plan_of(lab.study("[go, node]", f"[go, {level}]"), lab.catalogue)


def refused(lab: SmallLab, level: str) -> InputError:
    with pytest.raises(InputError) as caught:
        plan_with(lab, level)
    return caught.value


@given(named=CLAUSES, clause=CLAUSES)
def test_a_clause_names_itself_alone(named: str, clause: str) -> None:
    assert covers(named, clause) == (named == clause)


@given(st.text(string.ascii_uppercase, min_size=1), st.lists(CLAUSES))
def test_a_star_names_all_that_begin_alike(beginning: str, clauses: list[str]) -> None:
    for clause in clauses:
        assert is_covered(clause, [f"{beginning}*"]) == clause.startswith(beginning)


def test_a_choice_that_deviates_can_be_looked_up() -> None:
    over_h2 = Deviation(clause="PT-1", reason="a", legs={"client": (Protocol.H2,)})
    over_all = Deviation(clause="PT-1", reason="a")
    assert len({over_h2, over_all, over_h2.model_copy()}) == 2


def test_an_own_service_says_what_it_is_held_to(lab: SmallLab) -> None:
    lab.study("workloads: [busy, steady]", "workloads: [busy]")
    plan = plan_with(
        lab,
        "{label: own, command: sh, operations: [buy], deviations: [{clause: [A-1, 'B-*'], reason: 'it\n"
        "  is   so'}, {clause: C-9, reason: other, legs: {client: [h2]}}]}",
    )
    go, own = plan.arms
    assert go.not_held == {}
    assert own.not_held == {
        "gateway": NotHeld(
            operations=("look",),
            deviations=(
                Deviation(clause="A-1", reason="it is so"),
                Deviation(clause="B-*", reason="it is so"),
            ),
        )
    }
    assert own.not_held_text() == "it deviates from A-1 and B-*; it does not have look"
    assert Plan.model_validate_json(plan.model_dump_json()) == plan


def test_what_is_held_by_its_samples_says_so(lab: SmallLab) -> None:
    own = plan_with(lab, "{label: own, command: sh, contract: samples}").arms[1]
    assert own.not_held["gateway"].by == "samples"
    assert own.not_held_text() == "only sampled answers of it are"
    assert "no answer of a start is sampled" in own.not_held_text(is_loaded=False)


def test_of_a_running_service_the_quick_checks_alone_are_held(lab: SmallLab) -> None:
    own = plan_with(lab, f"{{label: own, url: '{URL}'}}").arms[1]
    assert own.not_held_text() == "only its quick checks are"


def test_a_stack_that_leaves_an_operation_out_is_told(lab: SmallLab) -> None:
    manifest = "systems/shop/gateway/node/stack.yaml"
    lab.change(manifest, "run: ./run\n", "run: ./run\noperations: [buy, look]\n")
    assert plan_of(lab.study(), lab.catalogue).arms[1].not_held == {}
    lab.change(manifest, "[buy, look]", "[buy]")
    lab.study("workloads: [busy, steady]", "workloads: [busy]")
    assert plan_of(lab.study(), lab.catalogue).arms[1].not_held_text() == "it does not have look"


def test_many_clauses_are_counted() -> None:
    deviations = tuple(Deviation(clause=f"A-{number}", reason="so") for number in range(1, 10))
    text = NotHeld(deviations=deviations).text()
    assert text == "it deviates from A-1, A-2, A-3, A-4, A-5, A-6 and 3 more"


def test_a_yardstick_is_held_to_what_it_names() -> None:
    held = HeldTo(only=("A-1", "A-2")).not_held(("buy",), {})
    assert held.text() == "only A-1 and A-2 are"
    assert HeldTo().not_held(("buy",), {}).is_nothing


HERE = "which.yaml:5: arms.gateway[1]"
CASES = {
    "an operation that is not there": (
        "{label: own, command: sh, operations: [bye]}",
        f"{HERE}.operations[0]: bye is there twice, or in no scenario of the system",
        "did you mean buy? known: buy, look",
    ),
    "no operation": (
        "{label: own, command: sh, operations: []}",
        f"{HERE}.operations: must not be empty",
        "list at least one",
    ),
    "a deviation without a reason": (
        "{label: own, command: sh, deviations: [{clause: A-1}]}",
        f"{HERE}.deviations[0].reason: is missing",
        "add the key",
    ),
    "a reason that is empty": (
        "{label: own, command: sh, deviations: [{clause: A-1, reason: ' '}]}",
        f"{HERE}.deviations[0].reason: must not be empty",
        "write a word or a sentence",
    ),
    "what is no clause": (
        "{label: own, command: sh, deviations: [{clause: 'A 1', reason: so}]}",
        f"{HERE}.deviations[0].clause: 'A 1' is no clause",
        "write the id of one, such as PT-9, or PT-* for all",
    ),
    "a star behind a digit": (
        "{label: own, command: sh, deviations: [{clause: [B-2, 'A-1*'], reason: so}]}",
        f"{HERE}.deviations[0].clause[1]: 'A-1*' names A-10 as well as A-1",
        "list the clauses",
    ),
    "no clauses": (
        "{label: own, command: sh, deviations: [{clause: [], reason: so}]}",
        f"{HERE}.deviations[0].clause: must not be empty",
        "list at least one",
    ),
    "a clause that is there twice": (
        "{label: own, command: sh, deviations: [{clause: [A-1, A-1], reason: so}]}",
        f"{HERE}.deviations[0].clause[1]: A-1 is there twice",
        "keep one of the two",
    ),
    "a leg that is not there": (
        "{label: own, command: sh, deviations: [{clause: A-1, reason: so, legs: {other: [h2]}}]}",
        f"{HERE}.deviations[0].legs.other[0]: h2 is not in what an own service may speak on other",
        "write the protocols over which it is so",
    ),
    "a protocol that a running service is not asked for": (
        f"{{label: own, url: '{URL}', deviations: [{{clause: A-1, reason: so, legs: "
        "{client: [h2]}}]}",
        f"{HERE}.deviations[0].legs.client[0]: h2 is not in what an own service may speak on client",
        "write the protocols over which it is so",
    ),
    "another word for the contract": (
        "{label: own, command: sh, contract: none}",
        f"{HERE}.contract: must be 'samples', not 'none'",
        "write 'samples'",
    ),
    "a stack that is told in the study": (
        "{label: own, stack: go, contract: samples}",
        f"{HERE}.contract: does not belong here",
        "a stack says so itself, in its stack.yaml",
    ),
}


@pytest.mark.parametrize(("level", "message", "remedy"), CASES.values(), ids=CASES.keys())
def test_a_wrong_word_is_refused_with_file_line_and_key(
    lab: SmallLab, level: str, message: str, remedy: str
) -> None:
    error = refused(lab, level)
    assert error.message.removeprefix(f"{lab.root}/studies/").startswith(message)
    assert (error.remedy or "").startswith(remedy)


def test_a_workload_that_asks_for_an_operation_that_it_leaves_out_is_refused(lab: SmallLab) -> None:
    error = refused(lab, "{label: own, command: sh, operations: [buy]}")
    assert "own does not have the operation look of steady" in error.message
    assert error.remedy == "prune with `except: [{gateway: own, workload: steady}]`"


@pytest.mark.parametrize(
    ("added", "message"),
    [
        ("contract: none\n", "contract: must be 'samples', not 'none'"),
        (
            "contract: samples\nyardstick: [A-1]\n",
            "contract: does not go with yardstick, which names what is run",
        ),
        (
            "deviations: [{clause: [A-1, A-1], reason: so}]\n",
            "deviations[0].clause[1]: A-1 is there twice",
        ),
    ],
)
def test_a_wrong_word_of_a_manifest_is_refused(lab: SmallLab, added: str, message: str) -> None:
    path = lab.root / "systems/shop/gateway/go/stack.yaml"
    path.write_text(path.read_text() + added)
    with pytest.raises(InputError) as caught:
        plan_of(lab.study(), lab.catalogue)
    assert message in caught.value.message


def test_a_manifest_that_is_held_by_its_samples_is_read(lab: SmallLab) -> None:
    path = lab.root / "systems/shop/gateway/go/stack.yaml"
    path.write_text(path.read_text() + "contract: samples\n")
    go = plan_of(lab.study(), lab.catalogue).arms[0]
    assert go.not_held_text() == "only sampled answers of it are"
