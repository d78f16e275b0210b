"""The documents of the conference system agree with each other, its contract and its stacks."""

import re
from collections import Counter
from typing import Any

import pytest
import yaml
from conference_stacks import COUNTRY, STACKS, SYSTEM
from openapi_spec_validator import validate

from loadstone.contract.model import Contract
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.manifest import Stack

SPEC = (SYSTEM.directory / "SPEC.md").read_text()
CLAUSES = re.findall(r"^\* \*\*([A-Z]\d+)\*\*", SPEC, re.MULTILINE)
DOCUMENT: dict[str, Any] = yaml.safe_load((SYSTEM.directory / "openapi.yaml").read_text())
OPERATIONS = re.compile(r"^\| `([a-z-]+)` \| ([A-Z]+) (/[a-z]+)", re.MULTILINE)
CONFIGURATION = re.compile("config", re.IGNORECASE)


def test_clauses_are_numbered_without_gap() -> None:
    for letter in {clause[0] for clause in CLAUSES}:
        of_a_part = [clause for clause in CLAUSES if clause[0] == letter]
        assert [f"{letter}{number}" for number in range(1, len(of_a_part) + 1)] == of_a_part
    assert len(CLAUSES) == 71


def test_every_clause_has_a_check_and_every_check_a_clause(contract: Contract) -> None:
    assert {check.clause for check in contract.checks} == set(CLAUSES)
    assert {check.clause for check in contract.sample_checks} <= set(CLAUSES)


def test_no_two_checks_have_the_same_clause_and_title(contract: Contract) -> None:
    titles = Counter((check.clause, check.title) for check in contract.checks)
    assert [title for title, count in titles.items() if count > 1] == []


def test_checks_of_country_are_held_there_alone(contract: Contract) -> None:
    of_country = {check.clause for check in contract.checks if check.service == "country"}
    assert of_country == {"C1", "C2", "C3", "C4"}
    assert {check.service for check in contract.checks} == {None, "country"}


def test_what_every_run_holds_needs_nothing_behind_the_service(contract: Contract) -> None:
    quick = {check.clause for check in contract.checks if check.quick}
    assert quick == {"T2", "T3", "I2", "L1", "L5", "G1"}


def test_the_description_of_the_interface_is_valid_and_has_the_operations_of_the_spec() -> None:
    validate(DOCUMENT)
    described = {
        each["operationId"]: method.upper()
        for path in DOCUMENT["paths"].values()
        for method, each in path.items()
        if method != "parameters"
    }
    table = {name: method for name, method, _ in OPERATIONS.findall(SPEC) if name in described}
    assert table == described


def test_every_workload_asks_for_operations_of_the_description() -> None:
    known = {
        each["operationId"]
        for path in DOCUMENT["paths"].values()
        for method, each in path.items()
        if method != "parameters"
    }
    for path in sorted((SYSTEM.directory / "workloads").glob("*.yaml")):
        workload = read_workload(path)
        for group in getattr(workload, "groups", ()):
            assert {operation.operation for operation in group.operations} <= known, path.name


@pytest.mark.parametrize("stack", [*STACKS, COUNTRY], ids=lambda stack: str(stack.stack))
def test_a_stack_reads_the_variables_that_the_spec_names_and_no_others(stack: Stack) -> None:
    head, _, tail = SPEC.partition("`country` takes")
    named = set(re.findall(r"^\| `([A-Z_]+)` \|", head, re.MULTILINE))
    if stack is COUNTRY:
        named = {"PORT", "LOOKUP_PROTOCOL", *re.findall(r"^\| `([A-Z_]+)` \|", tail, re.MULTILINE)}
    sources = [
        path
        for path in stack.directory.rglob("*")
        if path.is_file()
        and CONFIGURATION.search(path.stem)
        and "test" not in path.name.lower()
        and not {"node_modules", "target", ".venv", "bin"} & set(path.parts)
        and path.suffix in (".go", ".js", ".java", ".rs", ".py")
        and not path.name.startswith("eslint")
    ]
    text = "".join(path.read_text() for path in sources)
    assert named <= set(re.findall(r"[A-Z]+(?:_[A-Z]+)*", text)), [str(path) for path in sources]


@pytest.mark.parametrize("stack", [*STACKS, COUNTRY], ids=lambda stack: str(stack.stack))
def test_a_manifest_is_at_most_25_lines(stack: Stack) -> None:
    assert len((stack.directory / "stack.yaml").read_text().splitlines()) <= 25
