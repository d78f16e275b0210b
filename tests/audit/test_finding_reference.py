"""Every finding that a rule can yield is explained, and nothing else is called a finding."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from loadstone import audit
from loadstone.explained.catalogue import FINDINGS
from loadstone.explained.model import SEVERITIES, ExplainedFinding
from loadstone.findings.model import Severity

KEBAB = re.compile(r"[a-z]+(-[a-z]+)+")


def codes_in(path: Path) -> Iterator[str]:
    """Every `code=` of a finding, and every text that is spelled as a code and nothing else is."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.keyword) and node.arg == "code":
            if isinstance(node.value, ast.Constant):
                yield str(node.value.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if KEBAB.fullmatch(node.value):
                yield node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_finding":
            yield from (
                str(each.value)
                for each in node.args[1:2]
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            )


def entries() -> list[ExplainedFinding]:
    found = [each for section in FINDINGS for each in section.entries]
    assert all(isinstance(each, ExplainedFinding) for each in found)
    return [each for each in found if isinstance(each, ExplainedFinding)]


def test_every_finding_is_explained_once_and_nothing_else_is() -> None:
    found = {code for path in Path(audit.__file__).parent.rglob("*.py") for code in codes_in(path)}
    assert {"conservation", "pressure", "generator-saturated", "steal", "not-held"} < found
    assert sorted(each.name for each in entries()) == sorted(found)


def test_every_severity_is_explained() -> None:
    assert set(SEVERITIES) == {each.value for each in Severity}
    for entry in entries():
        assert set(entry.severities.split(", ")) <= set(SEVERITIES), entry.name
