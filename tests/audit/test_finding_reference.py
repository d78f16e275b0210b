"""`docs/reference/findings.md` has a row for each finding that a rule can yield, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from loadstone import audit
from markdown_table import cells

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "findings.md"
KEBAB = re.compile(r"[a-z]+(-[a-z]+)+")
COLUMNS = 5


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


def rows() -> list[list[str]]:
    """The cells of every row of the page's tables."""
    lines = REFERENCE.read_text().splitlines()
    return [cells(line) for line in lines if line.startswith("| `")]


def test_every_finding_has_one_row_and_every_row_a_finding() -> None:
    found = {code for path in Path(audit.__file__).parent.rglob("*.py") for code in codes_in(path)}
    assert {"conservation", "pressure", "generator-saturated", "steal"} < found
    described = [row[0].strip("`") for row in rows()]
    assert sorted(described) == sorted(found)


def test_every_row_says_meaning_threshold_severity_and_what_to_do() -> None:
    for row in rows():
        assert len(row) == COLUMNS, row[0]
        assert all(row), row[0]
        assert set(re.split(r", | or ", row[3])) <= {
            "note",
            "warning",
            "no claim",
            "withhold",
        }, row[0]
