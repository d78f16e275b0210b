"""The documents of the parking system agree with each other, its contract and its stacks."""

import re
from collections import Counter
from importlib import import_module
from typing import Any

import pytest
import yaml
from openapi_spec_validator import validate
from parking_stacks import KEY, READY_MADE, SECRET, STACKS, SYSTEM

from loadstone.contract.model import Contract
from loadstone.study.files.workload_file import read_workload
from loadstone.study.values.manifest import Stack

SPEC = (SYSTEM.directory / "SPEC.md").read_text()
CLAUSES = re.findall(r"^\* \*\*([A-Z]\d+)\*\*", SPEC, re.MULTILINE)
LETTERS = {"G": None, "R": "registry", "U": "users"}
"""The service that clauses are about, by their letter; none: the entry."""
KEPT_FREE = "U26"
"""Of events, which are not part of the system yet."""
DOCUMENT: dict[str, Any] = yaml.safe_load((SYSTEM.directory / "openapi.yaml").read_text())
OPERATIONS = re.findall(r"^\| `([a-z-]+)` \| ([A-Z]+) (/\S+) \| ([^|]+?) \|", SPEC, re.MULTILINE)
ERRORS = re.findall(r"^\| (\d{3}) \| `([a-z-]+)` \| ([^|]+?) \| \w+ \|$", SPEC, re.MULTILINE)
CONFIGURATION = re.compile("config|environment|application", re.IGNORECASE)
MADE = {"node_modules", "target", ".venv", "bin", "dist"}
LIB = "systems.parking.contract.lib"
EVERY_STACK = [
    pytest.param(service, stack, id=f"{service}-{stack.stack}")
    for service, stacks in STACKS.items()
    for stack in stacks
]


def test_clauses_are_numbered_without_gap() -> None:
    for letter in LETTERS:
        of_a_part = [clause for clause in (*CLAUSES, KEPT_FREE) if clause[0] == letter]
        assert {f"{letter}{number}" for number in range(1, len(of_a_part) + 1)} == set(of_a_part)
    assert KEPT_FREE not in CLAUSES
    assert {clause[0] for clause in CLAUSES} == set(LETTERS)
    assert len(CLAUSES) >= 91  # those of the published system's first part


def test_every_clause_has_a_check_and_every_check_a_clause(contract: Contract) -> None:
    assert {check.clause for check in contract.checks} == set(CLAUSES)
    assert {check.clause for check in contract.sample_checks} <= set(CLAUSES)


def test_a_token_of_a_check_outlives_the_longest_study() -> None:
    claims = import_module(f"{LIB}.tokens").claims(1, "CUSTOMER")
    assert claims["exp"] - claims["iat"] >= 7 * 86_400


def test_no_two_checks_have_the_same_clause_and_title(contract: Contract) -> None:
    titles = Counter((check.clause, check.title) for check in contract.checks)
    assert [title for title, count in titles.items() if count > 1] == []


def test_a_check_is_held_at_the_service_that_its_clause_is_about(contract: Contract) -> None:
    for check in contract.checks:
        about = {LETTERS[check.clause[0]]}
        # R5 is about the registry, and what becomes of who is registered there.
        assert check.service in about | ({"users"} if check.clause == "R5" else set()), check.title


def test_a_check_is_of_an_operation_of_the_spec(contract: Contract) -> None:
    named = {check.operation for check in (*contract.checks, *contract.sample_checks)}
    assert named - {None} <= {name for name, *_ in OPERATIONS}


def test_the_description_of_the_interface_is_valid_and_has_the_operations_of_the_spec() -> None:
    validate(DOCUMENT)
    of_the_spec = {name: (method, path) for name, method, path, _ in OPERATIONS}
    assert len(of_the_spec) == 14
    del of_the_spec["debit"]  # callers of the gateway do not see it
    described = {
        each["operationId"]: (method.upper(), path)
        for path, methods in DOCUMENT["paths"].items()
        for method, each in methods.items()
        if method not in ("parameters", "summary", "description")
    }
    assert described == of_the_spec


def test_the_contract_has_the_errors_of_the_spec() -> None:
    kinds = import_module(f"{LIB}.problems").KINDS
    table = {code: (int(status), title) for status, code, title in ERRORS}
    assert {code: tuple(kind) for code, kind in kinds.items()} == table


def test_the_contract_signs_by_the_secret_of_the_system() -> None:
    assert import_module(f"{LIB}.tokens").SECRET == SECRET
    assert import_module(f"{LIB}.users_service").INTERNAL_KEY == KEY
    text = (SYSTEM.directory / "system.yaml").read_text()
    assert f"JWT_SECRET: {SECRET}" in text
    assert f"INTERNAL_KEY: {KEY}" in text


def test_the_list_of_users_is_of_the_published_size() -> None:
    assert len((SYSTEM.directory / "seed" / "users.json").read_bytes()) == 2140


def test_every_workload_asks_for_operations_of_the_description() -> None:
    known = {name for name, *_ in OPERATIONS}
    for path in sorted((SYSTEM.directory / "workloads").glob("*.yaml")):
        workload = read_workload(path)
        for group in getattr(workload, "groups", ()):
            assert {operation.operation for operation in group.operations} <= known, path.name


@pytest.mark.parametrize(("service", "stack"), EVERY_STACK)
def test_a_stack_reads_the_variables_that_the_spec_names(service: str, stack: Stack) -> None:
    if stack.stack in (*READY_MADE, "eureka"):
        pytest.skip("it is ready-made")
    head, *_ = SPEC.partition("## Process")
    (table,) = re.findall(rf"^\| `{service}` \| value .*?\n\n", head, re.MULTILINE | re.DOTALL)
    named = {
        name
        for cell in re.findall(r"^\| (`[A-Z_`, ]+) \|", table, re.MULTILINE)
        for name in re.findall(r"[A-Z_]+", cell)
    }
    assert "PORT" in named
    sources = [
        path
        for path in stack.directory.rglob("*")
        if path.is_file()
        and CONFIGURATION.search(path.stem)
        and "test" not in path.name.lower()
        and not MADE & set(path.parts)
        and path.suffix in (".go", ".js", ".java", ".rs", ".py")
        and not path.name.startswith("eslint")
    ]
    text = "".join(path.read_text() for path in sources)
    assert named <= set(re.findall(r"[A-Z]+(?:_[A-Z]+)*", text)), [str(path) for path in sources]


@pytest.mark.parametrize(("service", "stack"), EVERY_STACK)
def test_a_manifest_is_short(service: str, stack: Stack) -> None:
    assert len((stack.directory / "stack.yaml").read_text().splitlines()) <= 25, service
