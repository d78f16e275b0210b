"""The tool that a stack's build begins with."""

import pytest

from loadstone.study.systems.build_tool import build_tool


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("mvn -q -B package", "mvn"),
        ("CGO_ENABLED=0 go build", "go"),
        ("cd src && make", "cd"),
        ("./gradlew build", None),
        ("'unclosed", None),
        ("", None),
    ],
)
def test_the_tool_is_the_first_word_that_sets_no_variable(command: str, tool: str | None) -> None:
    assert build_tool(command) == tool
