"""The documents of the booking system agree with each other, its contract and its stacks."""

import re
from collections import Counter
from importlib import import_module
from typing import Any

import pytest
import yaml
from booking_stacks import SECRET, STACKS, SYSTEM
from openapi_spec_validator import validate

from loadstone.contract.model import Contract
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.manifest import Stack

SPEC = (SYSTEM.directory / "SPEC.md").read_text()
CLAUSES = re.findall(r"^\* \*\*([A-Z]\d+)\*\*", SPEC, re.MULTILINE)
DOCUMENT: dict[str, Any] = yaml.safe_load((SYSTEM.directory / "openapi.yaml").read_text())
OPERATIONS = re.findall(r"^\| `([a-z-]+)` \| ([A-Z]+) (/\S+) \| ([^|]+?) \|", SPEC, re.MULTILINE)
ERRORS = re.findall(r"^\| (\d{3}) \| `([a-z-]+)` \| ([^|]+) \| `([^`]+)` \|$", SPEC, re.MULTILINE)
CONFIGURATION = re.compile("config", re.IGNORECASE)
MADE = {"node_modules", "target", ".venv", "bin", "dist"}
LIB = "systems.booking.contract.lib"


def described() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Method, path and description of each operation of the document."""
    return {
        each["operationId"]: (method.upper(), path, each)
        for path, methods in DOCUMENT["paths"].items()
        for method, each in methods.items()
        if method not in ("parameters", "summary", "description")
    }


def test_clauses_are_numbered_without_gap() -> None:
    for letter in {clause[0] for clause in CLAUSES}:
        of_a_part = [clause for clause in CLAUSES if clause[0] == letter]
        assert [f"{letter}{number}" for number in range(1, len(of_a_part) + 1)] == of_a_part
    assert len(CLAUSES) == 100


def test_every_clause_has_a_check_and_every_check_a_clause(contract: Contract) -> None:
    assert {check.clause for check in contract.checks} == set(CLAUSES)
    assert {check.clause for check in contract.sample_checks} <= set(CLAUSES)


def test_a_token_of_a_check_outlives_the_longest_study() -> None:
    claims = import_module(f"{LIB}.tokens").claims(1, "owner")
    assert claims["exp"] - claims["iat"] >= 7 * 86_400


def test_no_two_checks_have_the_same_clause_and_title(contract: Contract) -> None:
    titles = Counter((check.clause, check.title) for check in contract.checks)
    assert [title for title, count in titles.items() if count > 1] == []


def test_every_check_is_held_at_the_service_and_of_a_known_operation(contract: Contract) -> None:
    known = {name for name, *_ in OPERATIONS}
    assert {check.service for check in contract.checks} == {None}
    named = {check.operation for check in (*contract.checks, *contract.sample_checks)}
    assert named - {None} <= known


def test_what_every_run_holds_changes_nothing(contract: Contract) -> None:
    quick = {check.clause for check in contract.checks if check.quick}
    assert quick == {"T2", "T3", "T4", "A11", "A12", "A14", "C7", "R5", "G1", "G2"}


def test_the_description_of_the_interface_is_valid_and_has_the_operations_of_the_spec() -> None:
    validate(DOCUMENT)
    table = {name: (method, path) for name, method, path, _ in OPERATIONS}
    assert len(table) == 23
    in_document = {
        name: (method, re.sub(r"\{[^}]*\}", "{id}", path))
        for name, (method, path, _) in described().items()
    }
    assert in_document == table


def test_the_description_says_who_needs_a_token_and_which_answers_there_are() -> None:
    found = described()
    for name, _, _, who in OPERATIONS:
        statuses = set(found[name][2]["responses"])
        assert ("401" in statuses) == (who != "–" or name == "log-in"), name
        assert ("403" in statuses) == (who not in ("–", "A")), name
        assert ("503" in statuses) == (name != "live"), name
    successes = {"sign-up": "201", "create-club": "201", "add-facility": "201", "reserve": "201"}
    for name, (_, _, each) in found.items():
        wanted = {"rate": {"200", "201"}, "retire-facility": {"204"}}
        first = wanted.get(name, {successes.get(name, "200")})
        assert {status for status in each["responses"] if status.startswith("2")} == first, name


def test_the_contract_has_the_errors_of_the_spec() -> None:
    kinds = import_module(f"{LIB}.problems").KINDS
    table = {code: (int(status), title, detail) for status, code, title, detail in ERRORS}
    assert len(table) == 16
    assert {code: tuple(kind) for code, kind in kinds.items()} == table


def test_the_contract_signs_by_the_secret_of_the_system() -> None:
    assert import_module(f"{LIB}.tokens").SECRET == SECRET
    assert f"JWT_SECRET: {SECRET}" in (SYSTEM.directory / "system.yaml").read_text()


def test_the_contract_knows_the_rules_of_the_seed() -> None:
    # What the source of these rules has as tried, by other means.
    seed = import_module(f"{LIB}.seed")
    first, *_ = reservations = seed.reservations()
    assert (first.facility, first.player, first.starts_at) == (72, 930, "2040-03-31T08:00:00Z")
    statuses = Counter(each.status for each in reservations)
    assert statuses == {"accepted": 5760, "pending": 1920, "rejected": 960, "cancelled": 960}
    assert sum(each.stars or 0 for each in reservations) == 14_400
    assert len({(each.facility, each.starts_at) for each in reservations}) == len(reservations)
    assert len(seed.free_facilities("2040-03-10T10:00:00Z")) == 93


def test_every_workload_asks_for_operations_of_the_description() -> None:
    known = {*described(), "log-in-owner"}  # the second log-in of a session has a name of its own
    for path in sorted((SYSTEM.directory / "workloads").glob("*.yaml")):
        workload = read_workload(path)
        for group in getattr(workload, "groups", ()):
            assert {operation.operation for operation in group.operations} <= known, path.name


@pytest.mark.parametrize("stack", STACKS, ids=lambda stack: str(stack.stack))
def test_a_stack_reads_the_variables_that_the_spec_names_and_no_others(stack: Stack) -> None:
    head, *_ = SPEC.partition("## Process")
    named = set(re.findall(r"^\| `([A-Z_]+)` \|", head, re.MULTILINE))
    assert len(named) == 10
    sources = [
        path
        for path in stack.directory.rglob("*")
        if path.is_file()
        and CONFIGURATION.search(path.stem)
        and "test" not in path.name.lower()
        and not MADE & set(path.parts)
        and path.suffix in (".go", ".js", ".ts", ".java", ".rs", ".py")
        and not path.name.startswith("eslint")
    ]
    text = "".join(path.read_text() for path in sources)
    assert named <= set(re.findall(r"[A-Z]+(?:_[A-Z]+)*", text)), [str(path) for path in sources]


@pytest.mark.parametrize("stack", STACKS, ids=lambda stack: str(stack.stack))
def test_a_manifest_is_at_most_25_lines(stack: Stack) -> None:
    assert len((stack.directory / "stack.yaml").read_text().splitlines()) <= 25
