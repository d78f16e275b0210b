"""The documents of the mediation system agree with each other and with its contract."""

import re
from collections import Counter
from typing import Any

import pytest
import yaml
from gateway_process import ROOT, SYSTEM
from openapi_spec_validator import validate

from loadstone.contract.model import Contract

CLAUSES = re.findall(r"^\* \*\*([A-Z0-9]+-\d+)\*\*", (SYSTEM / "SPEC.md").read_text(), re.MULTILINE)
CONFIGURATION = ["*.go", "src/*.js", "src/main/java/**/*.java", "src/*.rs", "gateway/*.py", "*.sh"]
"""Where a stack reads its environment, in each language's place."""
MANIFESTS = sorted((SYSTEM / "gateway").glob("*/stack.yaml"))
STACKS = [path.parent for path in MANIFESTS]
GATEWAYS = [
    path.parent for path in MANIFESTS if "yardstick" not in yaml.safe_load(path.read_text())
]


def test_clauses_are_numbered_without_gap() -> None:
    for prefix in {clause.partition("-")[0] for clause in CLAUSES}:
        of_a_part = [clause for clause in CLAUSES if clause.startswith(f"{prefix}-")]
        assert [f"{prefix}-{number}" for number in range(1, len(of_a_part) + 1)] == of_a_part


def test_every_clause_has_a_check_and_every_check_a_clause(contract: Contract) -> None:
    assert {check.clause for check in contract.checks} == set(CLAUSES)
    assert {check.clause for check in contract.sample_checks} <= set(CLAUSES)


def test_no_two_checks_have_the_same_clause_and_title(contract: Contract) -> None:
    titles = Counter((check.clause, check.title) for check in contract.checks)
    assert [title for title, count in titles.items() if count > 1] == []


def test_what_every_run_holds_covers_the_scenario_and_its_refusals(contract: Contract) -> None:
    quick = {check.clause for check in contract.checks if check.quick}
    assert {clause for clause in quick if clause.startswith("PT-")} == {
        *("PT-7", "PT-8", "PT-16", "PT-19", "PT-20"),
    }
    assert {clause for clause in quick if clause.startswith(("LG-", "H2-"))} == {
        *("LG-1", "LG-2", "LG-3", "H2-1"),
    }
    assert {clause for clause in quick if clause.startswith("TR-")} == {
        *("TR-3", "TR-5", "TR-6", "TR-7", "TR-9"),
    }


def test_the_description_of_the_interface_is_valid_and_names_the_ready_operation() -> None:
    document: dict[str, Any] = yaml.safe_load((SYSTEM / "openapi.yaml").read_text())
    validate(document)
    system = yaml.safe_load((SYSTEM / "system.yaml").read_text())
    ready = system["services"]["gateway"]["ready"]
    assert document["paths"][ready["post"]]["post"]["operationId"] == ready["operation"]


@pytest.mark.parametrize("stack", GATEWAYS, ids=lambda path: path.name)
def test_a_stack_reads_the_variables_that_the_spec_names_and_no_others(stack: Any) -> None:
    rows = re.findall(r"^\| (`[A-Z_`, ]+`) \|", (SYSTEM / "SPEC.md").read_text(), re.MULTILINE)
    named = set(re.findall("`(.+?)`", " ".join(rows)))
    source = "".join(
        path.read_text()
        for pattern in CONFIGURATION
        for path in stack.glob(pattern)
        if path.stem.lower() in ("config", "configure")
    )
    assert set(re.findall(r"[\"'.{]([A-Z]+_[A-Z_]+|HOST|PORT)\b", source)) == named


@pytest.mark.parametrize("stack", STACKS, ids=lambda path: path.name)
def test_a_manifest_is_at_most_25_lines_and_its_runtime_is_declared(stack: Any) -> None:
    text = (stack / "stack.yaml").read_text()
    assert len(text.splitlines()) <= 25
    manifest = yaml.safe_load(text)
    assert manifest["stack"] == stack.name
    for runtime in manifest["runtimes"]:
        declared = yaml.safe_load((ROOT / "runtimes" / f"{runtime}.yaml").read_text())
        assert declared["runtime"] == runtime
